//! `packaging/action.sh`, which is all that `action.yml` does: every input reaches the command that it is of.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::ab::{git, lab};
use crate::saved_checks::projects;
use crate::support::{Ended, Lab, Running, has, joined};

/// The script's measuring, with inputs as the action hands them on.
fn measured(lab: &Lab, inputs: &[(&str, &str)]) -> Ended {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/action.sh");
    let _earlier = fs::remove_dir_all(lab.path("runner"));
    for directory in ["runner", "bin"] {
        fs::create_dir_all(lab.path(directory)).unwrap();
    }
    let _again = symlink(env!("CARGO_BIN_EXE_etalon"), lab.path("bin/etalon"));
    let text = format!("cd m && PATH=\"$BIN:$PATH\" exec sh {} measure", script.display());
    let mut command = lab.shell(&text);
    command.env("BIN", lab.path("bin")).env("TMPDIR", lab.path("tmp"));
    command.env("RUNNER_TEMP", lab.path("runner"));
    for (name, file) in [("GITHUB_STEP_SUMMARY", "summary"), ("GITHUB_OUTPUT", "outputs")] {
        command.env(name, lab.path("runner").join(file));
    }
    command.env("BASE", "old").envs(inputs.iter().copied());
    Running::start(command).end()
}

/// Would catch an input that is dropped, a check that does not fail the job, one of several that is taken for all, and a
/// report or a record that is not where the action says.
#[test]
fn the_action_measures_commands_suites_and_packages_with_every_check() {
    let Some((lab, commands)) = projects() else { return };
    lab.write("m/c.toml", "[[threshold]]\nbenchmark = \"nothing\"\n");
    git(&lab, "add c.toml && git COMMIT four && git tag -f old");
    let kinds: [(&str, &[(&str, &str)]); 3] = [
        ("rss-B/op", &[("COMMAND", "./p\n./p 'a b'"), ("BUILD", "make"), ("BUDGET", "10m")]),
        ("filled/op", &[("SUBCOMMAND", "run"), ("ARGUMENTS", "e.toml"), ("BUDGET", "10m")]),
        (
            "p99-sec",
            &[("SUBCOMMAND", "go"), ("ARGUMENTS", "-benchtime=1x\n./g"), ("TIMEOUT", "5m")],
        ),
    ];
    for (unit, inputs) in kinds.into_iter().take(commands.len().min(3)) {
        let unlikely = format!("{unit}:worse:100000%\n\n");
        let (blocks, checks) = (("BLOCKS", "12"), ("CHECKS", "c.toml"));
        let passed = [&[blocks, checks, ("FAIL_ON", unlikely.as_str())], inputs].concat();
        measured(&lab, &passed).expect(0);
        let worse = format!("{unlikely}{unit}:worse");
        let failed = [&[blocks, ("NEW", "fail"), ("FAIL_ON", worse.as_str())], inputs].concat();
        measured(&lab, &failed).expect(1);
        let summary = String::from_utf8(lab.read("runner/summary")).unwrap();
        has(&joined(&summary), &[&joined("**Failed:**"), &joined(unit)]);
        let outputs = String::from_utf8(lab.read("runner/outputs")).unwrap();
        let path = |name: &str| {
            let line = outputs.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap_or_else(|| panic!("no {name} in {outputs}")).to_owned()
        };
        assert_eq!(fs::read_to_string(path("report=")).unwrap(), summary);
        let again =
            ["report", &path("record="), "--fail-on", &format!("{unit}:worse")].map(str::to_owned);
        lab.run(again).expect(1);
    }
}

/// Would catch an input that is of another subcommand and is ignored.
#[test]
fn the_action_refuses_inputs_that_go_nowhere() {
    let Some(lab) = lab() else { return };
    for (inputs, reason) in [
        (&[][..], "'command' is empty"),
        (&[("SUBCOMMAND", "rum")], "it is ab, go or run"),
        (&[("SUBCOMMAND", "run")], "'arguments' is empty"),
        (&[("SUBCOMMAND", "go"), ("BUILD", "make")], "go has no 'build'"),
        (&[("SUBCOMMAND", "go"), ("COMMAND", "x")], "'command' is of ab"),
        (&[("COMMAND", "x"), ("TIMEOUT", "5s")], "of go and run"),
    ] {
        has(&measured(&lab, inputs).expect(2).stderr, &[reason]);
    }
    assert!(lab.saved().is_empty());
}
