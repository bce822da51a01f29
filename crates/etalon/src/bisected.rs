//! The answer of a bisection, live and from its record.

use std::io::{self, BufWriter};

use etalon_core::analysis::{Bisected, executions};
use etalon_core::bisect::{self, Culprit, Ending, Step};
use etalon_core::dataset::Dataset;
use etalon_core::model;
use etalon_report::bisection as words;
use etalon_report::{html, json};

use crate::failure::{Exit, Failure};
use crate::pages::{self, Page};
use crate::{output, settings};

/// The form of an answer.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Form<'a> {
    /// A document for programs.
    pub(crate) json: bool,
    /// Every commit that was left out.
    pub(crate) full: bool,
    /// A page.
    pub(crate) page: Option<&'a Page>,
}

/// Shows what a record says.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn show(data: &Dataset, wanted: Form<'_>) -> Result<Exit, Failure> {
    let Some(mut found) = Bisected::recorded(data) else {
        return Err(Failure::new("its commits are not those of one bisection"));
    };
    let step = found.step();
    let runs = executions(data);
    let by_cpu = found.by_cpu(data);
    let by_cpu = by_cpu.as_ref();
    let report = words::Report { found: &found, step: &step, by_cpu, executions: &runs };
    if let Some(page) = wanted.page {
        let carried = || pages::data(data, &settings::recorded(data).metric);
        page.write(|| Ok(html::bisection(&report, &carried())), || words::stills(&report))?;
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match wanted.json {
        true => {
            let recorded = settings::recorded(data);
            let settings = json::Settings::new(&recorded.criteria);
            words::json(&report, settings.for_metric(&recorded.metric, None), &mut out)
        }
        false => words::write(&report, output::table_view(wanted.full), &mut out),
    };
    written.map_err(|error| Failure::of_output(&error))?;
    Ok(exit(&found, &step))
}

/// The answer as a line of a list has it.
pub(crate) fn in_brief(data: &Dataset) -> Option<model::Answer> {
    let mut found = Bisected::recorded(data)?;
    let step = found.step();
    Some(model::Answer::about_all(words::brief(&found, &step)))
}

/// 0 where a commit is named, or some of which one did it; 3 where none can be.
fn exit(found: &Bisected, step: &Step) -> Exit {
    match step {
        Step::Block(_) | Step::Count(_) => Exit::Unclear,
        Step::Over(Ending::EndLacks(_)) => Exit::Failed,
        Step::Over(Ending::Found(
            bisect::Answer::Steps(steps) | bisect::Answer::Spread { steps, .. },
        )) => {
            let is_sound = |step: &Culprit| found.course().named(*step).undermined().is_none();
            if steps.iter().any(is_sound) { Exit::Done } else { Exit::Unclear }
        }
        Step::Over(_) => Exit::Unclear,
    }
}
