//! Commands as declared, with their hooks and with their parameters filled in.
//!
//! A command is repeated for the values of the parameters that one of its [`Texts`] names, and
//! for no others: a baseline beside a scan is measured once. Refuses to resolve programs; that is
//! [`crate::commands`]'.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

use clap::ArgMatches;
use etalon_core::dataset::{numbers, with_number};
use etalon_core::model::BenchmarkKey;
use etalon_report::text::named;

use crate::cli;
use crate::cli::commands::{DeclaredCommand, shown_name};
use crate::commands::scan::{self, Scan, ScanError};
use crate::commands::texts::{self, Hooks, Texts};
use crate::commands::{Subject, Subjects};
use crate::failure::Failure;
use crate::harnesses::{RESULTS, ResultsRoom};

/// Fills parameters and hooks in.
pub(crate) fn resolved(
    options: &cli::Cmd,
    matches: &ArgMatches,
    mut declared: Vec<DeclaredCommand>,
    results: Option<&ResultsRoom>,
) -> Result<Subjects, Failure> {
    let scans = scans(&options.scans, matches).map_err(Failure::new)?;
    let places = [&names(&options.scans)[..], &[RESULTS]].concat();
    texts::refuse_elsewhere(matches, &places)?;
    let asked = options.reporting.analysis.reference.as_ref();
    let mut all = filled(options, &declared, (&scans, results))?;
    // Any other is a command of its own, timed first, as in hyperfine.
    if let Some(asked) = asked
        && called(&all, asked).is_empty()
    {
        declared.insert(
            0,
            DeclaredCommand { text: asked.as_bytes().to_vec(), name: None, place: None },
        );
        all = filled(options, &declared, (&scans, results))?;
    }
    let it = asked.map_or_else(Vec::new, |asked| called(&all, asked));
    let reference = match (asked, &it[..]) {
        (None, _) => None,
        (Some(_), [one]) => Some(label(one)),
        (Some(asked), []) => {
            return Err(Failure::new(format!(
                "--reference {} is scanned: write one of its values",
                named(asked)
            )));
        }
        (Some(asked), _) => {
            let one = named(&label(it[0]));
            let asked = named(asked);
            let why =
                format!("--reference {asked} is more than one command: name one, such as {one}");
            return Err(Failure::new(why));
        }
    };
    let remarks = unused(&scans, &all);
    Ok(Subjects { all, reference, remarks })
}

/// Those that reports show like that, or else those of that name, or else those of that text: as a report finds them.
fn called<'s>(all: &'s [Subject], asked: &str) -> Vec<&'s Subject> {
    let ways: [&dyn Fn(&Subject) -> bool; 3] =
        [&|it| label(it) == asked, &|it| it.shown_name() == asked, &|it| {
            it.texts.command == asked.as_bytes()
        }];
    let found = ways.iter().map(|is_called| all.iter().filter(|it| is_called(it)).collect());
    found.into_iter().find(|found: &Vec<&Subject>| !found.is_empty()).unwrap_or_default()
}

/// The label in reports: its name with the parameters that are no part of it.
fn label(subject: &Subject) -> String {
    let (name, params) = (subject.shown_name(), subject.params.clone());
    BenchmarkKey { name, params }.label()
}

fn unused(scans: &[Scan], all: &[Subject]) -> Vec<String> {
    let used = |scan: &&Scan| all.iter().any(|s| s.params.iter().any(|(n, _)| *n == scan.name));
    let remark = |scan: &Scan| {
        format!(
            "no command, hook, name or option has {{{}}}: the parameter changes nothing",
            scan.name
        )
    };
    scans.iter().filter(|scan| !used(scan)).map(remark).collect()
}

/// The names of parameters.
pub(super) fn names(scans: &cli::Scans) -> Vec<&str> {
    let lists = scans.lists.chunks(2).map(|words| words[0].as_str());
    lists.chain(scans.ranges.chunks(3).map(|words| words[0].as_str())).collect()
}

/// The scans in the order of the command line.
fn scans(options: &cli::Scans, matches: &ArgMatches) -> Result<Vec<Scan>, ScanError> {
    let at = |id: &str| -> Vec<usize> {
        matches.indices_of(id).map(Iterator::collect).unwrap_or_default()
    };
    let ranges = options.ranges.len() / 3;
    let steps = options.steps.len();
    if steps > 1 && steps != ranges || steps > 0 && ranges == 0 {
        return Err(ScanError::Steps { steps, scans: ranges });
    }
    let mut found = Vec::new();
    for (words, at) in options.lists.chunks_exact(2).zip(at("lists").chunks_exact(2)) {
        found.push((at[0], scan::list(&words[0], &words[1])?));
    }
    let ranges_at = at("ranges");
    let words = options.ranges.chunks_exact(3).zip(ranges_at.chunks_exact(3));
    for (number, (words, at)) in words.enumerate() {
        let step = match &options.steps[..] {
            [] => None,
            [one] => Some(one.as_str()),
            several => Some(several[number].as_str()),
        };
        found.push((at[0], scan::range(&words[0], &words[1], &words[2], step)?));
    }
    found.sort_by_key(|(at, _)| *at);
    let scans: Vec<Scan> = found.into_iter().map(|(_, scan)| scan).collect();
    for (place, scan) in scans.iter().enumerate() {
        if scans[..place].iter().any(|other| other.name == scan.name) {
            return Err(ScanError::Twice { name: scan.name.clone() });
        }
    }
    Ok(scans)
}

/// Every declared command with every combination of the parameters it uses.
fn filled(
    options: &cli::Cmd,
    declared: &[DeclaredCommand],
    (scans, results): (&[Scan], Option<&ResultsRoom>),
) -> Result<Vec<Subject>, Failure> {
    let names = [&names(&options.scans)[..], &[RESULTS]].concat();
    let mut all = Vec::new();
    for (template, command) in templates(options, declared)?.into_iter().zip(declared) {
        template.check(&names)?;
        let used: Vec<&Scan> = scans.iter().filter(|scan| template.uses(&scan.name)).collect();
        let combinations = scan::product(&used).map_err(Failure::new)?;
        all.extend(combinations.into_iter().map(|params| {
            let typed = template.filled(&|text| scan::fill(text, &params));
            // Where results are is no part of a name: it is another path each time.
            let name = results.map(|_| shown_name(typed.name.as_ref(), &typed.command));
            let texts = typed.filled(&|text| ResultsRoom::filled(results, text));
            let texts = Texts { name: name.or(texts.name), ..texts };
            let place = command.place.clone();
            Subject { texts, params, place, directory: None, to_come: None }
        }));
        if all.len() > scan::MOST {
            let of = "all commands together".to_owned();
            return Err(Failure::new(ScanError::TooMany { of }));
        }
    }
    tell_apart(&mut all);
    Ok(all)
}

/// The texts of each command as declared.
pub(super) fn templates(
    options: &cli::Cmd,
    declared: &[DeclaredCommand],
) -> Result<Vec<Texts>, Failure> {
    let hooks = Given::parse(&options.hooks, declared.len())?;
    let template = |(place, command): (usize, &DeclaredCommand)| Texts {
        command: command.text.clone(),
        name: command.name.clone(),
        hooks: hooks.for_command(place),
        ..Texts::of(&options.control, options.shell.as_deref())
    };
    Ok(declared.iter().enumerate().map(template).collect())
}

/// Numbers commands that are called the same, their parameters included.
fn tell_apart(all: &mut [Subject]) {
    let labels: Vec<String> = all.iter().map(label).collect();
    let numbers = numbers(&labels, |label, number| with_number(label, number));
    for (subject, number) in all.iter_mut().zip(numbers) {
        if let Some(number) = number {
            subject.texts.name = Some(with_number(&subject.shown_name(), number));
        }
    }
}

/// The hooks as given: none, one for all commands, or one for each.
struct Given<'a>(&'a cli::Hooks);

impl Given<'_> {
    fn parse(hooks: &cli::Hooks, commands: usize) -> Result<Given<'_>, Failure> {
        let given = [
            ("--setup", &hooks.setup),
            ("--prepare", &hooks.prepare),
            ("--conclude", &hooks.conclude),
            ("--cleanup", &hooks.cleanup),
        ];
        for (option, texts) in given {
            if ![0, 1, commands].contains(&texts.len()) {
                return Err(Failure::new(format!(
                    "{} {option} for {commands} commands: give one for all, or one for each",
                    texts.len()
                )));
            }
        }
        Ok(Given(hooks))
    }

    fn for_command(&self, place: usize) -> Hooks {
        let one = |texts: &[OsString]| {
            let text = match texts {
                [one] => Some(one),
                several => several.get(place),
            };
            text.map(|text| text.as_bytes().to_vec())
        };
        Hooks {
            setup: one(&self.0.setup),
            prepare: one(&self.0.prepare),
            conclude: one(&self.0.conclude),
            cleanup: one(&self.0.cleanup),
        }
    }
}
