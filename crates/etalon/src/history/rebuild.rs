//! Adding again what saved runs say: after a power loss, or to a database that was moved away.

use etalon_core::dataset::RunSetId;
use etalon_history::{Added, Source, measurements};
use etalon_record::Strictness;
use etalon_report::number::counted;

use super::place::again;
use super::{add, written};
use crate::failure::Failure;
use crate::{output, saved};

/// Adds every saved run that was added before, as what it was.
pub(super) fn run() -> Result<(), Failure> {
    let store = saved::store()?;
    let mut database = written(&store)?;
    let members = store.members().map_err(Failure::new)?;
    let mut all = Added::default();
    for (id, path) in &members {
        let data = match saved::read(path, Strictness::Lenient) {
            Ok(data) => data,
            Err(failure) => {
                output::remark(&format!("{failure}; the others are added"));
                continue;
            }
        };
        for membership in store.memberships(id) {
            let first = RunSetId::new(0).map_err(Failure::new)?;
            let metrics = add::chosen(&membership.metrics);
            let measured = measurements(&data, first, &metrics).map_err(Failure::new)?;
            let placed = again(&membership, measured.given);
            if membership.confirms {
                database.confirm(&Source::Record(id.clone()), &placed).map_err(Failure::new)?;
                continue;
            }
            let added = database.add(&Source::Record(id.clone()), &placed).map_err(Failure::new)?;
            all.new += added.new;
            all.pooled += added.pooled;
            all.replaced += added.replaced;
            all.known += added.known;
        }
    }
    let (runs, points) =
        (counted(members.len(), "saved run", "saved runs"), counted(all.new, "point", "points"));
    output::lines([format!(
        "{runs}: {points} were missing, {} pooled, {} replaced, {} as they were",
        all.pooled, all.replaced, all.known
    )])
}
