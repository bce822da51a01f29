//! Where reports go: standard output, its width and colours; remarks on standard error.

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use etalon_core::analysis::Analysis;
use etalon_core::visible::{Escapes, EscapingWriter};
use etalon_report::export;
use etalon_report::json::TableReport;
use etalon_report::text;
use etalon_report::view::{
    Again, Charset, Colour, Detail, Explanation, NARROWEST, Section, Sections, Statistics, Style,
    View, WIDEST,
};

use clap::CommandFactory;
use clap::builder::StyledStr;

use crate::cli::pages::with_pages;
use crate::cli::{self, Cli, FormatArg, mistakes};
use crate::failure::{Audience, Exit, Failure};

/// Writes the report as asked for; `columns` wide where that is said, else as wide as the terminal. `again` says how a
/// reader gets the rest of it.
pub(crate) fn report(
    analysis: &Analysis,
    options: &cli::View,
    columns: Option<usize>,
    again: Again,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match options.format() {
        FormatArg::Json => etalon_report::json::ranking(analysis, &mut out),
        FormatArg::Csv => data(Escapes::Text).write_all(&export::summary_csv(analysis)),
        FormatArg::Markdown => {
            let view = View { charset: Charset::Unicode, ..view(options, columns) };
            etalon_report::markdown::write(analysis, view, &mut out)
        }
        // Annotations, comments and tests are of what has a base; of a ranking they are refused before.
        FormatArg::Terminal | FormatArg::Comment | FormatArg::Github | FormatArg::Junit => {
            let view = View { again, ..view(options, columns) };
            etalon_report::terminal::write(analysis, view, &mut out)
        }
    };
    written.and_then(|()| out.flush()).map_err(|error| Failure::of_output(&error))
}

/// Writes a document of tables.
pub(crate) fn document(report: TableReport<'_>) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    etalon_report::json::tables(report, &mut out).map_err(|error| Failure::of_output(&error))
}

/// Standard output for what programs read, byte for byte in a pipe or a file. On a terminal, what could move the cursor
/// or is not seen stands as escapes.
pub(crate) fn data(escapes: Escapes) -> Box<dyn Write + Send> {
    let out = io::stdout();
    match out.is_terminal() {
        true => Box::new(EscapingWriter::new(out, escapes)),
        false => Box::new(out),
    }
}

fn view(options: &cli::View, columns: Option<usize>) -> View {
    let style = options.style();
    let statistics = match (options.no_stats, options.mini_stats) {
        (true, _) => Statistics::None,
        (_, true) => Statistics::Mini,
        // etalon's own report shows quartiles where everything is asked for.
        _ if style == Style::Etalon && !options.full => Statistics::None,
        _ => Statistics::Full,
    };
    let explanation = if options.explain { Explanation::Full } else { Explanation::Brief };
    let sections = sections(options);
    let width = columns.unwrap_or_else(width);
    View { style, statistics, explanation, sections, width, ..table_view(options.full) }
}

/// How tables are shown, all of them or as many as a screen has room for.
pub(crate) fn table_view(full: bool) -> View {
    let detail = detail(full);
    View { detail, width: width(), colour: colour(), charset: charset(), ..View::SCREEN }
}

/// How much is shown.
pub(crate) fn detail(full: bool) -> Detail {
    if full { Detail::Full } else { Detail::Screen }
}

fn sections(options: &cli::View) -> Sections {
    let asked = [
        (options.graph, Section::Graph),
        (options.boxplot, Section::Boxplot),
        (options.dist_stats, Section::Distribution),
        (options.tail_stats, Section::Tail),
        (options.explain_noise, Section::Variation),
    ];
    asked.into_iter().filter(|(asked, _)| *asked).map(|(_, section)| section).collect()
}

/// Columns: what `COLUMNS` says, else those of the terminal; the narrowest layout in a pipe, so that it reads the same
/// everywhere.
pub(crate) fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
    let terminal = terminal.map(|(terminal_size::Width(columns), _)| usize::from(columns));
    said.or(terminal).map_or(NARROWEST, |columns: usize| columns.min(WIDEST))
}

/// ASCII where the locale does not say UTF-8: the first of `LC_ALL`, `LC_CTYPE`, `LANG` that is set decides.
pub(crate) fn charset() -> Charset {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    match locale.contains("utf-8") || locale.contains("utf8") {
        true => Charset::Unicode,
        false => Charset::Ascii,
    }
}

/// The colours of standard output.
pub(crate) fn colour() -> Colour {
    colour_on(&io::stdout())
}

/// `NO_COLOR` switches colours off, `CLICOLOR_FORCE` on; else a terminal that is not `dumb` has them.
pub(crate) fn colour_on(stream: &impl IsTerminal) -> Colour {
    let set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty() && v != "0");
    if std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()) {
        return Colour::Never;
    }
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if set("CLICOLOR_FORCE") || (stream.is_terminal() && !dumb) {
        Colour::Ansi
    } else {
        Colour::Never
    }
}

/// Lines on standard error. That it may be closed stops nothing. A terminal gets them broken at spaces; a file or a
/// pipe as they are, because programs look for words in them.
pub(crate) fn remark(text: &str) {
    let err = io::stderr();
    let columns = terminal_size::terminal_size_of(&err).map(|(size, _)| usize::from(size.0));
    let columns = columns.filter(|_| err.is_terminal());
    let text = columns.map_or_else(|| text.to_owned(), |columns| folded(text, columns));
    let _unwritable = writeln!(io::stderr(), "{text}");
}

/// Says why nothing came of it, and gives the exit code.
pub(crate) fn failure(failure: &Failure) -> ExitCode {
    let (code, audience) = failure.ending();
    if audience == Audience::There {
        error(failure);
    }
    code
}

/// Says what was wrong.
pub(crate) fn error(failure: &Failure) {
    let lines: Vec<String> = failure.message().lines().map(text::clean).collect();
    remark(&format!("etalon: {}", lines.join("\n")));
}

/// Lines of at most so many columns, the later ones of each indented by two more. What stands between backticks is to be
/// pasted, and stays whole: the terminal breaks it where it has to, without a line break that would be copied.
fn folded(text: &str, columns: usize) -> String {
    let fold = |line: &str| {
        if text::width(line) <= columns {
            return line.to_owned();
        }
        let body = line.trim_start_matches(' ');
        let indent = " ".repeat(line.len() - body.len());
        let room = columns.saturating_sub(indent.len() + 2);
        let mut lines = vec![String::new()];
        for word in words(body) {
            let Some(last) = lines.last_mut() else { break };
            if last.is_empty() {
                *last = word;
            } else if text::width(last) + 1 + text::width(&word) > room {
                lines.push(word);
            } else {
                *last = format!("{last} {word}");
            }
        }
        let (first, later) = lines.split_at(1);
        let later = later.iter().map(|line| format!("{indent}  {line}"));
        let first = first.iter().map(|line| format!("{indent}{line}"));
        first.chain(later).collect::<Vec<String>>().join("\n")
    };
    text.lines().map(fold).collect::<Vec<String>>().join("\n")
}

/// The words of a line; what stands between backticks is in one.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for word in line.split(' ') {
        match words.last_mut().filter(|_| is_open) {
            Some(last) => *last = format!("{last} {word}"),
            None => words.push(word.to_owned()),
        }
        is_open ^= word.matches('`').count() % 2 == 1;
    }
    words
}

/// Writes lines to standard output.
pub(crate) fn lines(
    lines: impl IntoIterator<Item = impl std::fmt::Display>,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let written =
        lines.into_iter().try_for_each(|line| writeln!(out, "{line}")).and_then(|()| out.flush());
    written.map_err(|error| Failure::of_output(&error))
}

/// Writes a text to standard output.
pub(crate) fn text(text: &str) -> Result<(), Failure> {
    lines(&[charset().spell(text.trim_end())])
}

/// Writes a page of help to standard output.
pub(crate) fn page(page: &StyledStr) -> Result<(), Failure> {
    let text = match colour() {
        Colour::Never => page.to_string(),
        Colour::Ansi => page.ansi().to_string(),
    };
    lines(&[charset().spell(text.trim_end())])
}

/// Prints what the argument parser says: help and version on standard output, errors as errors.
pub(crate) fn usage(error: &clap::Error) -> Result<Exit, Failure> {
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let help = with_pages(Cli::command(), width(), &[]).render_help();
        remark(help.to_string().trim_end());
        return Err(Failure::new("name a subcommand, such as `etalon cmd 'ls -l'`"));
    }
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let Some(meant) = mistakes::explain(error, &words) {
        return Err(Failure::new(meant));
    }
    if error.use_stderr() {
        let text = error.render().to_string();
        return Err(Failure::new(text.trim_end().trim_start_matches("error: ")));
    }
    page(&error.render()).map(|()| Exit::Done)
}

/// A signal's name.
pub(crate) fn signal_name(signal: i32) -> String {
    let name = signal_hook::low_level::signal_name(signal);
    name.map_or_else(|| format!("signal {signal}"), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a message that a terminal breaks inside a word, and a command that cannot be pasted any more.
    #[test]
    fn messages_break_between_words() {
        assert_eq!(folded("short enough", 20), "short enough");
        assert_eq!(
            folded("one two three four\n  five six seven", 11),
            "one two\n  three\n  four\n  five\n    six\n    seven"
        );
        let pasted = folded("say `etalon report @last --full` for more of it", 20);
        assert_eq!(pasted, "say\n  `etalon report @last --full`\n  for more of it");
        assert_eq!(folded("", 4), "");
    }
}
