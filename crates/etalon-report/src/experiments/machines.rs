//! The machines whose figures a page shows, and their table.
//!
//! Owns what a benchmark may leave out of its name in data.

use indexmap::IndexMap;

use super::cells::{laid_out, plain};

/// A centre, and how far its interval reaches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    /// In the unit that the file declares.
    pub value: f64,
    /// The half width of its interval, as a share of it; absent where there is none.
    pub spread: Option<f64>,
    /// Whether its interval is one point, as that of counts.
    pub exact: bool,
    /// Readings; none of a published one.
    pub readings: usize,
}

/// By metric.
pub type Figures = IndexMap<String, Figure>;

/// A machine, and the figures that it measured.
#[derive(Debug, Default)]
pub struct Machine {
    /// What it is called.
    pub name: String,
    /// Its processor.
    pub cpu: Option<String>,
    /// Its cores.
    pub cores: Option<String>,
    /// How figures came about.
    pub sampling: Option<String>,
    /// What else is to be said.
    pub notes: Option<String>,
    /// By benchmark, as the data call it.
    pub benchmarks: IndexMap<String, Figures>,
    /// Benchmarks of its own that have no figures, and why.
    pub without: Vec<(String, String)>,
}

impl Machine {
    /// The figures of a benchmark, whatever of its name is left out.
    pub(super) fn figures(&self, benchmark: &str) -> Option<&Figures> {
        self.benchmarks.get(self.called(benchmark)?)
    }

    /// The name of a benchmark here.
    fn called(&self, benchmark: &str) -> Option<&str> {
        let mut names = self.benchmarks.keys().map(String::as_str);
        let exact = names.clone().find(|known| bare(known) == bare(benchmark));
        exact.or_else(|| names.find(|known| is_called(known, benchmark)))
    }

    /// Why a benchmark has no figures.
    pub(super) fn why_without(&self, benchmark: &str) -> Option<&str> {
        let found = self.without.iter().find(|(known, _)| is_called(known, benchmark));
        found.map(|(_, why)| why.as_str())
    }
}

/// Whether data call a benchmark so: `Join-8` is `BenchmarkJoin`.
pub(super) fn is_called(in_data: &str, benchmark: &str) -> bool {
    let (known, wanted) = (bare(in_data), bare(benchmark));
    let without_processors = known.rsplit_once('-').filter(|(_, number)| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    known == wanted || without_processors.is_some_and(|(name, _)| name == wanted)
}

/// A name without `Benchmark` in front.
fn bare(name: &str) -> &str {
    name.strip_prefix("Benchmark").filter(|rest| !rest.is_empty()).unwrap_or(name)
}

/// The table of machines.
#[must_use]
pub fn machines(all: &[Machine]) -> String {
    let titles = ["Machine", "CPU", "Cores", "Sampling", "Notes"].map(str::to_owned);
    let said = |text: &Option<String>| text.clone().unwrap_or_default();
    let row = |it: &Machine| {
        let Machine { name, cpu, cores, sampling, notes, .. } = it;
        vec![plain(name), said(cpu), said(cores), said(sampling), said(notes)]
    };
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    laid_out(&titles, titles.len(), &rows)
}
