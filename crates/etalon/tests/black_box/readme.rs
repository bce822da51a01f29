//! The README's commands, executed in order as a new user would. Would catch an option renamed, an
//! example that fails, a reference (`@last`, `@baseline`) that does not resolve.

use std::path::Path;
use std::process::Command;

/// The `$` lines of the README's console blocks.
fn commands() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let mut inside = false;
    let mut commands = Vec::new();
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            commands.push(command.to_owned());
        }
    }
    commands
}

#[test]
fn every_command_of_the_readme_works() {
    let place = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::copy(root.join("Cargo.lock"), place.path().join("Cargo.lock")).unwrap();
    std::os::unix::fs::symlink(root.join("examples"), place.path().join("examples")).unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_etalon"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let commands = commands();
    assert!(commands.len() > 10, "{commands:?}");
    for command in commands {
        let output = Command::new("/bin/sh")
            .args(["-c", &command])
            .current_dir(place.path())
            .env("PATH", &path)
            .env("ETALON_HOME", place.path().join("home"))
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}: {:?}\n{stderr}", output.status);
        let stdout = String::from_utf8(output.stdout).unwrap();
        let silent = ["runs name", "runs bundle", " > "].iter().any(|part| command.contains(part));
        assert_eq!(stdout.is_empty(), silent, "{command}\n{stdout}");
        let too_wide = stdout.lines().find(|line| line.chars().count() > 80);
        let free = command.contains("--list") || command.contains("--json");
        assert!(free || too_wide.is_none(), "{command}: {too_wide:?}");
    }
}
