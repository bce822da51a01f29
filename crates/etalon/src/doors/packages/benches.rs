//! Whose benchmarks are executed where those of the sides differ: the head's on both sides, or each side's own.
//!
//! Owns how Go is told. What a run says of it is [`crate::sides::benches`]'.

use std::path::{Path, PathBuf};

use etalon_core::model::{BASE, HEAD};
use etalon_core::notes::BenchmarksOf;
use etalon_run::go::{Package, benches};

use super::request::Request;
use super::sites::{Benches, Site};
use crate::cli::BenchFrom;
use crate::failure::Failure;
use crate::sides::benches::Differing;

/// Has the base's places take the head's benchmarks for those of packages that differ, if that is wanted.
///
/// # Errors
/// If what Go is told by cannot be written.
pub(super) fn lay(
    asked: &Request<'_>,
    sites: &mut [Site],
    of_head: &[Package],
) -> Result<(), Failure> {
    let is_own = asked.bench_from == Some(BenchFrom::Own);
    // Of two overlays Go would take the last.
    let has_overlay = asked.building.flags.iter().any(|flag| {
        let flag = flag.to_string_lossy();
        flag.trim_start_matches('-').starts_with("overlay=")
    });
    if is_own || has_overlay {
        return Ok(());
    }
    for at in 0..sites.len() {
        let Some((base, head)) = pair(sites, at) else { continue };
        let packages: Vec<(PathBuf, PathBuf)> = of_head
            .iter()
            .filter_map(|package| directories(package, (base, head)))
            .filter(|(own, other)| own.is_dir() && !benches::differing(own, other).is_empty())
            .collect();
        if packages.is_empty() {
            continue;
        }
        let overlay = base.built.join("overlay.json");
        std::fs::write(&overlay, benches::overlay(&packages))
            .map_err(|error| Failure::about(overlay.display(), error))?;
        let laid = Benches { overlay, packages };
        sites[at].benches = Some(laid);
    }
    Ok(())
}

/// A place of the base, and that of the same build of the head.
fn pair(sites: &[Site], at: usize) -> Option<(&Site, &Site)> {
    let base = sites.get(at).filter(|it| it.side() == Some(BASE) && it.binary.is_none())?;
    let is_other = |it: &&Site| it.side() == Some(HEAD) && it.build() == base.build();
    Some((base, sites.iter().find(is_other)?))
}

/// Where a package is on both sides; the last place is where it was listed.
fn directories(package: &Package, (base, head): (&Site, &Site)) -> Option<(PathBuf, PathBuf)> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let place = real(&package.directory);
    // Every copy has the same number of components, and the package the same place in each.
    let below = place.components().skip(real(&head.root).components().count());
    let below: PathBuf = below.collect();
    Some((real(&base.root).join(&below), real(&head.root).join(&below)))
}

/// Packages whose benchmarks differ between the sides; `own` are those that were executed on the base as they are there
/// because the head's do not build on it.
pub(super) fn differing(sites: &[Site], packages: &[Package], own: &[String]) -> Vec<Differing> {
    let Some((base, head)) = (0..sites.len()).find_map(|at| pair(sites, at)) else {
        return Vec::new();
    };
    let differing = |package: &Package| {
        let (of_base, of_head) = directories(package, (base, head))?;
        let executed = match (own.contains(&package.path), &base.benches) {
            (true, _) => BenchmarksOf::OwnForWant,
            (false, Some(_)) => BenchmarksOf::Head,
            (false, None) => BenchmarksOf::Own,
        };
        let files = benches::differing(&of_base, &of_head);
        of_base.is_dir().then(|| Differing { package: Some(package.path.clone()), files, executed })
    };
    packages.iter().filter_map(differing).collect()
}
