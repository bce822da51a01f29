//! Bundles the scripts of a page: those of `web/src`, in their order, and uPlot where npm has put it.
//!
//! Owns which files these are. Refuses to fetch: `make web` does that, and without it pages have still pictures.

#![allow(clippy::disallowed_methods, reason = "files are read to build the crate, not by it")]

use std::path::Path;
use std::{env, fs, io};

/// Own scripts, each of which uses those before it.
const SCRIPTS: [&str; 15] = [
    "elements",
    "data",
    "numbers",
    "state",
    "dots",
    "plots",
    "shapes",
    "warmups",
    "saving",
    "pictures",
    "observations",
    "controls",
    "tables",
    "history",
    "page",
];
/// Files of uPlot that a page contains, and what they are called here.
const UPLOT: [(&str, &str); 3] = [
    ("dist/uPlot.iife.min.js", "uplot.js"),
    ("dist/uPlot.min.css", "uplot.css"),
    ("LICENSE", "uplot.txt"),
];

/// Whether a line of a script is a comment and nothing else. A page has room for other things; comments are for those
/// who read `web/src`, where none begins behind code and no text has a line that begins as one.
fn is_comment(line: &str) -> bool {
    let line = line.trim();
    let is_opened = line.starts_with("/**") && (line.ends_with("*/") || !line.contains("*/"));
    let starts = ["*/", "* ", "// "];
    is_opened || starts.iter().any(|start| line.starts_with(start)) || matches!(line, "" | "*")
}

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let (out, uplot) = (Path::new(&out), Path::new("web/node_modules/uplot"));
    let mut own = String::new();
    for name in SCRIPTS {
        let path = format!("web/src/{name}.js");
        println!("cargo::rerun-if-changed={path}");
        for line in fs::read_to_string(&path)?.lines().filter(|line| !is_comment(line)) {
            own.push_str(line.trim_start());
            own.push('\n');
        }
    }
    fs::write(out.join("page.js"), own)?;
    println!("cargo::rerun-if-changed=web/src/page.css");
    fs::copy("web/src/page.css", out.join("page.css"))?;
    let is_there = UPLOT.iter().all(|(file, _)| uplot.join(file).is_file());
    // A file that is not there makes every build a new one; a directory is looked through for what is new.
    println!("cargo::rerun-if-changed=web/package-lock.json");
    println!("cargo::rerun-if-changed={}", if is_there { "web/node_modules/uplot" } else { "web" });
    for (file, name) in UPLOT {
        let text = if is_there { fs::read_to_string(uplot.join(file))? } else { String::new() };
        fs::write(out.join(name), text)?;
    }
    Ok(())
}
