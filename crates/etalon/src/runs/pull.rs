//! Runs that are saved on another machine: those that are not here are fetched as a bundle, and saved.

use std::fs::File;

use etalon_probe::far::{Connection, Ground, Host};
use etalon_probe::travel::Payload;
use etalon_report::number::counted;
use etalon_run::sides::Scratch;
use serde_json::Value;

use super::bundle;
use crate::failure::Failure;
use crate::{nodes, output, saved};

/// Runs that are fetched at once: their names are words of one command line.
const SHARE: usize = 500;

/// The name of this program there, and of what it writes.
const NAME: &str = "etalon";
const BUNDLE: &str = "bundle.jsonl";

/// Copies the runs of a host that are not here.
pub(super) fn run(host: &Host) -> Result<(), Failure> {
    let about = |error: &dyn std::fmt::Display| Failure::about(host, error);
    let room = Scratch::new(&std::env::temp_dir()).map_err(Failure::new)?;
    let path = std::env::var_os("PATH");
    // Ctrl-C ends this, and with it what there is of it on the other machine.
    let is_unwanted = || false;
    let asked = (host, nodes::patience()?);
    let mut connection = Connection::open(asked, &room.path, path.as_deref(), &is_unwanted)
        .map_err(|error| about(&error))?;
    let ground = connection.prepare().map_err(|error| about(&error))?;
    let program = nodes::program(Payload::Plain)?;
    program.fits(ground.architecture, &ground.library).map_err(|error| about(&error))?;
    connection.send(&ground, (&program.path, NAME), &is_unwanted).map_err(|error| about(&error))?;
    let there = ids(host, &connection, &ground)?;
    let store = saved::store()?;
    let here = store.catalogue().map_err(Failure::new)?;
    let (known, new): (Vec<String>, Vec<String>) =
        there.into_iter().partition(|id| here.run(id).is_some());
    drop(here);
    for share in new.chunks(SHARE) {
        let mut words = vec!["runs", "bundle", "-o", BUNDLE];
        words.extend(share.iter().map(String::as_str));
        connection.execute_whole(&ground, NAME, &words).map_err(|error| about(&error))?;
        let file = room.path.join(BUNDLE);
        let mut copy =
            File::create(&file).map_err(|error| Failure::about(file.display(), error))?;
        connection.fetch(&ground, BUNDLE, &mut copy).map_err(|error| about(&error))?;
        bundle::import(&[file])?;
    }
    output::remark(&format!(
        "{} from {host}; {} there already",
        counted(new.len(), "run", "runs"),
        match known.len() {
            0 => "none was".to_owned(),
            1 => "1 was".to_owned(),
            many => format!("{many} were"),
        }
    ));
    Ok(())
}

/// The ids of runs that are saved there and not being measured, oldest first.
fn ids(host: &Host, connection: &Connection, ground: &Ground) -> Result<Vec<String>, Failure> {
    let listed = connection.execute_whole(ground, NAME, &["runs", "--all", "--json"]);
    let listed = listed.map_err(|error| Failure::about(host, error))?;
    let listed: Vec<Value> =
        serde_json::from_slice(&listed).map_err(|error| Failure::about(host, error))?;
    let is_plain =
        |id: &&str| id.bytes().all(|it| it.is_ascii_alphanumeric() || b".-_".contains(&it));
    let ids = listed
        .iter()
        .rev()
        .filter(|run| run["state"] == "complete" || run["state"] == "unfinished");
    Ok(ids.filter_map(|run| run["id"].as_str()).filter(is_plain).map(str::to_owned).collect())
}
