//! The metrics of a file: what programs print, where it stands, and whether that can be read.

use etalon_core::model::{Direction, Kind, Metric, Per};
use etalon_core::units::Unit;
use etalon_probe::launcher::protocol::Printed;
use etalon_record::printed::{Place, Reader};

use crate::experiments::file::{self, Better, File, Placed};
use crate::failure::Failure;
use crate::toml_text::Source;

/// The metrics that are read in what is printed; they are added to the others.
pub(super) fn printed(
    source: Source<'_>,
    file: &File,
    metrics: &mut Vec<Metric>,
) -> Result<Vec<Printed>, Failure> {
    if let Some(name) = &file.measure.iterations {
        readable(source, name, &Place::Line(name.get_ref().clone()))?;
    }
    let mut printed = Vec::new();
    for (name, declared) in &file.metric {
        let known = metrics.iter().any(|metric| metric.name == *name.get_ref());
        if known || !etalon_lua::metrics::may_be_own(name.get_ref()) {
            let message = format!(
                "etalon measures a metric `{}` itself: choose another name",
                name.get_ref()
            );
            return Err(source.at(name.span(), message));
        }
        let (at, place) = place(source, name, declared)?;
        readable(source, at, &place)?;
        printed.push(Printed { metric: metrics.len(), unit: declared.unit.clone(), place });
        metrics.push(metric(name, declared));
    }
    Ok(printed)
}

fn metric(name: &Placed, declared: &file::Metric) -> Metric {
    Metric {
        name: name.get_ref().clone(),
        unit: Unit::new(&declared.unit),
        direction: match declared.better {
            Better::Lower => Direction::Lower,
            Better::Higher => Direction::Higher,
            Better::Neither => Direction::Neither,
        },
        kind: match declared.kind {
            file::Kind::Noisy => Kind::Noisy,
            file::Kind::Exact => Kind::Exact,
        },
        resolution: None,
        per: match declared.per {
            file::Per::Invocation => Per::Observation,
            file::Per::Iteration => Per::Iteration,
        },
    }
}

/// Where a metric is printed, and where the file says that.
fn place<'a>(
    source: Source<'_>,
    name: &'a Placed,
    declared: &'a file::Metric,
) -> Result<(&'a Placed, Place), Failure> {
    let file::Metric { line, json, pattern, go, .. } = declared;
    let of = |at: &'a Option<Placed>, place: fn(String) -> Place| {
        at.as_ref().map(|at| (at, place(at.get_ref().clone())))
    };
    let places = [
        of(line, Place::Line),
        of(json, Place::Json),
        of(pattern, Place::Pattern),
        of(go, Place::Go),
    ];
    let mut places = places.into_iter().flatten();
    match (places.next(), places.next()) {
        (None, _) => Ok((name, Place::Line(name.get_ref().clone()))),
        (Some(place), None) => Ok(place),
        (Some(_), Some((at, _))) => {
            let message = "a metric is printed in one place: leave all but one of `line`, `json`, `pattern` and `go` out";
            Err(source.at(at.span(), message))
        }
    }
}

fn readable(source: Source<'_>, at: &Placed, place: &Place) -> Result<(), Failure> {
    Reader::new(place).map(drop).map_err(|why| source.at(at.span(), why))
}
