//! Man pages and completions, made from the definitions of the options:
//! `cargo run --release --example manuals -- DIRECTORY`; `make install` installs them.
//!
//! An example and not a hidden subcommand: who runs etalon needs neither crate, and the binary stays as small as it
//! is. Refuses to say anything itself: every word is in `cli`.

#[path = "../src/cli/mod.rs"]
#[allow(dead_code, unreachable_pub, unused_imports, reason = "only the definitions are used here")]
mod cli;

use std::path::PathBuf;
use std::{env, fs, io};

use clap::CommandFactory;
use clap_complete::Shell;

fn main() -> io::Result<()> {
    let Some(to) = env::args_os().nth(1).map(PathBuf::from) else {
        return Err(io::Error::other("name a directory to write to"));
    };
    let (man, completions) = (to.join("man"), to.join("completions"));
    for directory in [&man, &completions] {
        fs::create_dir_all(directory)?;
    }
    clap_mangen::generate_to(cli::pages::with_examples(cli::Cli::command()), &man)?;
    for page in fs::read_dir(man)? {
        let page = page?.path();
        fs::write(&page, with_lines_kept(&fs::read_to_string(&page)?))?;
    }
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
        clap_complete::generate_to(shell, &mut cli::Cli::command(), "etalon", &completions)?;
    }
    Ok(())
}

/// The page with the lines of its last section, which are examples, as they are: filled, they cannot be read.
fn with_lines_kept(page: &str) -> String {
    let Some((before, examples)) = page.split_once(".SH EXTRA\n") else { return page.to_owned() };
    let (examples, after) = examples.split_at(examples.find(".SH ").unwrap_or(examples.len()));
    format!("{before}.SH EXAMPLES\n.nf\n{examples}.fi\n{after}")
}
