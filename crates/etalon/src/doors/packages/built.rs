//! Packages in every place: listed, and their test binaries built.
//!
//! Owns what is said of a package that cannot be built. Refuses to know what benchmarks there are.

use std::ffi::OsString;
use std::path::Path;

use etalon_core::excerpt::excerpt;
use etalon_run::go::{Binary, GoBuild, GoError, Package, Source};

use super::benches;
use super::request::{Request, build_flags, failure};
use super::sites::Site;
use crate::failure::Failure;
use crate::sides::benches::Differing;
use crate::{lacking, tool};

/// A package in every place.
pub(super) struct InSites {
    pub(super) path: String,
    pub(super) built: Vec<Built>,
}

/// A package in a place.
pub(super) enum Built {
    Binary(Binary),
    /// It cannot be built, and why.
    Broken(String),
    /// There is no such package.
    Absent,
}

/// The packages of all places, the head's first, built wherever they are.
///
/// # Errors
/// If there are none, or none can be measured on all sides.
pub(super) fn packages(
    asked: &Request<'_>,
    sites: &mut [Site],
    go: &mut GoBuild<'_>,
) -> Result<(Vec<InSites>, Vec<Differing>), Failure> {
    let Some(head) = sites.last() else { return Ok((Vec::new(), Vec::new())) };
    let of_head = match listed(asked, head, go)? {
        Listing::Packages(of_head) => of_head,
        Listing::Nothing(why) => return Err(Failure::new(why)),
    };
    benches::lay(asked, sites, &of_head)?;
    let sites: &[Site] = sites;
    let Some((head, _)) = sites.split_last() else { return Ok((Vec::new(), Vec::new())) };
    if asked.base_binary.is_some() && of_head.len() != 1 {
        let why = format!("is of one package, and {} have tests: name one", of_head.len());
        return Err(Failure::about("--base-binary", why));
    }
    let of_site = |site: &Site| match (&site.binary, std::ptr::eq(site, head)) {
        (Some(_), _) | (None, true) => Ok(Listing::Packages(of_head.clone())),
        (None, false) => listed(asked, site, go),
    };
    let lists = sites.iter().map(of_site).collect::<Result<Vec<_>, Failure>>()?;
    let mut paths: Vec<&str> = of_head.iter().map(|it| it.path.as_str()).collect();
    for it in lists.iter().flat_map(Listing::packages).filter(|it| it.broken.is_none()) {
        if !paths.contains(&it.path.as_str()) {
            paths.push(&it.path);
        }
    }
    let (mut all, mut own) = (Vec::new(), Vec::new());
    for (number, path) in paths.into_iter().enumerate() {
        let mut in_site = |(site, list): (&Site, &Listing)| match list {
            Listing::Nothing(why) => Ok(Built::Broken(why.clone())),
            Listing::Packages(list) => match list.iter().find(|it| it.path == path) {
                None => Ok(Built::Absent),
                Some(package) => built(asked, (site, number), (package, &mut own), go),
            },
        };
        let built = sites.iter().zip(&lists).map(&mut in_site).collect::<Result<_, Failure>>()?;
        all.push(InSites { path: path.to_owned(), built });
    }
    buildable(&all, sites)?;
    Ok((all, benches::differing(sites, &of_head, &own)))
}

/// The binary of a package in a place, which has that number there. Where the head's benchmarks do not build on the base,
/// it has its own, unless the head's are asked for; the package is in `own` then.
fn built(
    asked: &Request<'_>,
    (site, number): (&Site, usize),
    (package, own): (&Package, &mut Vec<String>),
    go: &mut GoBuild<'_>,
) -> Result<Built, Failure> {
    if let Some(path) = site.binary.clone() {
        return Ok(Built::Binary(Binary { path, directory: package.directory.clone() }));
    }
    let into = site.built.join(format!("{number}.test"));
    let place = site.benches.as_ref().and_then(|benches| benches.place(&package.directory));
    let first = build(go, package, (site, &flags(asked, site)), &into)?;
    match (first, place) {
        (Built::Binary(binary), Some(place)) => {
            Ok(Built::Binary(Binary { directory: place.to_owned(), ..binary }))
        }
        (Built::Broken(why), Some(_)) if asked.bench_from.is_none() => {
            let with_own = Package { broken: None, ..package.clone() };
            let again = build(go, &with_own, (site, &build_flags(asked.building)), &into)?;
            match again {
                Built::Binary(_) => {
                    own.push(package.path.clone());
                    Ok(again)
                }
                Built::Broken(_) | Built::Absent => Ok(Built::Broken(why)),
            }
        }
        (first, _) => Ok(first),
    }
}

/// Builds a package with these flags into a file.
fn build(
    go: &mut GoBuild<'_>,
    package: &Package,
    (site, flags): (&Site, &[OsString]),
    into: &Path,
) -> Result<Built, Failure> {
    let source = Source { directory: &site.directory, packages: &[], flags };
    match go.build(package, &source, into) {
        Err(GoError::Failed(said)) => Ok(Built::Broken(said)),
        built => built.map(Built::Binary).map_err(failure),
    }
}

/// Flags that `go` is given in a place.
fn flags(asked: &Request<'_>, site: &Site) -> Vec<OsString> {
    let overlay = site.benches.as_ref().map(|benches| {
        let mut flag = OsString::from("-overlay=");
        flag.push(&benches.overlay);
        flag
    });
    let layout = site.build().filter(|_| asked.copying.layouts.is_some());
    let layout = layout.map(|number| format!("-ldflags=-randlayout={number}").into());
    build_flags(asked.building).into_iter().chain(overlay).chain(layout).collect()
}

/// The packages that Go lists in a place.
enum Listing {
    Packages(Vec<Package>),
    /// None, and why.
    Nothing(String),
}

impl Listing {
    fn packages(&self) -> &[Package] {
        match self {
            Listing::Packages(packages) => packages,
            Listing::Nothing(_) => &[],
        }
    }
}

/// Lists the packages in a place.
fn listed(asked: &Request<'_>, site: &Site, go: &mut GoBuild<'_>) -> Result<Listing, Failure> {
    let flags = flags(asked, site);
    let source = Source { directory: &site.directory, packages: asked.packages, flags: &flags };
    match go.packages(&source) {
        Err(error @ GoError::NoPackages { .. }) => Ok(Listing::Nothing(error.to_string())),
        listed => listed.map(Listing::Packages).map_err(failure),
    }
}

/// Refuses packages of which none can be measured on all sides.
fn buildable(all: &[InSites], sites: &[Site]) -> Result<(), Failure> {
    let is_built = |built: &Built| matches!(built, Built::Binary(_));
    if all.iter().any(|package| package.built.iter().all(is_built)) {
        return Ok(());
    }
    let broken = |package: &InSites| {
        package.built.iter().zip(sites).find_map(|(built, site)| {
            let on = site.side().map_or(String::new(), |side| format!(" in {side}"));
            let path = &package.path;
            match built {
                Built::Binary(_) => None,
                Built::Broken(why) => {
                    let why = excerpt(why).join("\n");
                    Some(format!("{path}: does not build{on}:\n{why}{}", remedy(site, &why)))
                }
                Built::Absent => Some(format!("{path}: there is no such package{on}")),
            }
        })
    };
    let said = all.iter().filter_map(broken).collect::<Vec<_>>().join("\n");
    Err(match sites {
        [_] => Failure::new(said),
        _ => Failure::of_side(said),
    })
}

/// The remedy where a package in a copy lacks what is in the working tree.
fn remedy(site: &Site, said: &str) -> String {
    let here = tool::here().ok().filter(|_| site.side().is_some());
    let remedy =
        here.and_then(|here| lacking::remedy(said, (&here, Path::new("")), &site.directory));
    remedy.map(|remedy| format!("\n{remedy}")).unwrap_or_default()
}
