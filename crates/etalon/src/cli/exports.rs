//! `--html`, `--svg` and `--export-*`: files for other programs, and what is in them, as typed.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::RowSortArg;

/// A page of what is shown, after every command that shows something.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Page {
    /// The whole report as one page for a browser
    ///
    /// With pictures, light and dark, each with buttons that save it as SVG and PNG. It needs no network; without
    /// JavaScript, its pictures are still.
    #[arg(long, value_name = "FILE")]
    pub html: Option<OsString>,
    /// The pictures of that page as SVG files in a directory
    ///
    /// Numbered in the order of the page; the directory is made where it is not there. Light and dark, as the reader's
    /// system is.
    #[arg(long, value_name = "DIR")]
    pub svg: Option<OsString>,
}

impl Page {
    /// Whether there is anything to draw.
    pub(crate) fn is_asked(&self) -> bool {
        self.html.is_some() || self.svg.is_some()
    }
}

/// Options of every command that shows a report. Each file is replaced as a whole.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Exports")]
pub(crate) struct Exports {
    /// The page.
    #[command(flatten)]
    pub page: Page,
    /// Statistics of every metric, in BestGuess's columns
    #[arg(long, value_name = "FILE", hide = true)]
    pub export_csv: Option<OsString>,
    /// hyperfine's CSV, of wall clock and CPU time
    #[arg(long, value_name = "FILE", hide = true)]
    pub export_hyperfine: Option<OsString>,
    /// BestGuess's form of hyperfine's CSV
    ///
    /// With mode, interquartile range and medians of CPU time.
    #[arg(long, value_name = "FILE", hide = true)]
    pub hyperfine_csv: Option<OsString>,
    /// hyperfine's JSON, with every single time
    #[arg(long, value_name = "FILE", hide = true)]
    pub export_json: Option<OsString>,
    /// hyperfine's table of wall-clock times in Markdown
    #[arg(long, value_name = "FILE", hide = true)]
    pub export_markdown: Option<OsString>,
    /// hyperfine's table of wall-clock times in AsciiDoc
    #[arg(long, value_name = "FILE", hide = true)]
    pub export_asciidoc: Option<OsString>,
    /// hyperfine's table of wall-clock times for org-mode
    #[arg(long, value_name = "FILE", hide = true)]
    pub export_orgmode: Option<OsString>,
    /// Put ' before texts in CSV files that a spreadsheet would execute
    ///
    /// Texts that begin with =, +, - or @, such as a benchmark's name. Without it, CSV files hold them as they are.
    #[arg(long, hide = true)]
    pub spreadsheet: bool,
    /// Unit of hyperfine's tables
    ///
    /// [default: second if all means are above one, else millisecond; for functions the unit that suits the
    /// smallest]
    #[arg(long, value_name = "UNIT", hide = true)]
    pub time_unit: Option<TimeUnitArg>,
    /// Order of the rows: of hyperfine's tables, or where sides are compared
    ///
    /// hyperfine's tables: as declared (auto, command), or by mean wall clock (mean-time). Two sides, and other tables of
    /// columns: the largest change first (delta), by name, or the smallest p first. [default: as declared; of two sides
    /// differences first]
    #[arg(long, value_name = "ORDER", default_value = "auto", hide = true)]
    pub sort: SortArg,
}

impl Exports {
    /// Whether none was asked for besides the page.
    pub(crate) fn is_empty(&self) -> bool {
        let Exports { export_csv, export_hyperfine, hyperfine_csv, export_json, .. } = self;
        let Exports { export_markdown, export_asciidoc, export_orgmode, .. } = self;
        let files = [export_csv, export_hyperfine, hyperfine_csv, export_json];
        let tables = [export_markdown, export_asciidoc, export_orgmode];
        files.iter().chain(&tables).all(|file| file.is_none())
    }
}

/// `--time-unit` as typed.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum TimeUnitArg {
    Nanosecond,
    Microsecond,
    Millisecond,
    Second,
}

/// `--sort` as typed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SortArg {
    /// As declared; of two sides differences first
    #[default]
    Auto,
    /// As declared
    Command,
    /// The smallest mean first
    MeanTime,
    /// The largest change first
    Delta,
    /// Names, in byte order
    Name,
    /// The smallest p first
    P,
}

impl SortArg {
    /// The order of rows with a base, if it is one.
    pub(crate) fn row_order(self) -> Option<RowSortArg> {
        match self {
            SortArg::Auto | SortArg::Command | SortArg::MeanTime => None,
            SortArg::Delta => Some(RowSortArg::Delta),
            SortArg::Name => Some(RowSortArg::Name),
            SortArg::P => Some(RowSortArg::P),
        }
    }

    /// Whether it is an order of hyperfine's tables alone.
    pub(crate) fn is_of_exports(self) -> bool {
        matches!(self, SortArg::Command | SortArg::MeanTime)
    }
}
