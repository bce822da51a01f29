//! Commands with surroundings of their own, and numbers read in what they print.

use etalon_probe::launcher::protocol::{Extent, Hook, OnFailure, Output, Over, Perform, Printed};
use etalon_record::Text;
use etalon_record::printed::Place;
use serde_json::json;

use crate::Test;
use crate::lab::{Lab, execute, finish};

pub(crate) const TESTS: &[Test] = &[
    ("printed::numbers_are_recorded_with_the_execution", numbers_are_recorded_with_the_execution),
    ("printed::the_end_of_much_output_is_read", the_end_of_much_output_is_read),
    ("printed::commands_have_surroundings_of_their_own", commands_have_surroundings_of_their_own),
    ("printed::what_fails_is_left_out_of_the_rest", what_fails_is_left_out_of_the_rest),
];

fn reading(scripts: &[&str], places: &[(&str, Place)]) -> Lab {
    let commands: Vec<[&str; 3]> = scripts.iter().map(|script| ["sh", "-c", *script]).collect();
    let commands: Vec<&[&str]> = commands.iter().map(|argv| &argv[..]).collect();
    let mut lab = Lab::new(&commands);
    lab.setup.stdio.stdout = Output::Read;
    for (unit, place) in places {
        lab.setup.printed.push(Printed {
            metric: lab.setup.metrics.len(),
            unit: (*unit).to_owned(),
            place: place.clone(),
        });
        lab.setup.metrics.push(format!("own{}", lab.setup.printed.len()));
    }
    lab
}

/// Would catch numbers of the execution before, of a hook, or of a failure, and a metric that nobody prints unnoticed.
fn numbers_are_recorded_with_the_execution() {
    let line = |name: &str| Place::Line(name.to_owned());
    let scripts = ["echo pack 1.5 us/op; echo n: 7", "echo n: 8; exit 1", "true"];
    let mut lab = reading(&scripts, &[("ns", line("pack")), ("B", line("none"))]);
    lab.setup.iterations = Some(line("n"));
    lab.setup.commands[2].prepare = Some(execute(&["sh", "-c", "echo pack 9 ns"]));
    let ran = lab.run(2);
    assert_eq!(ran.finished.why, Over::Done);
    assert_eq!(ran.finished.unseen, [1]);
    for block in ran.observations.chunks(3) {
        assert_eq!(block[0]["values"]["own1"], json!(1500.0));
        assert_eq!(block[0]["iterations"], json!(7));
        for other in &block[1..] {
            assert_eq!(
                (&other["values"]["own1"], &other["iterations"]),
                (&json!(null), &json!(null))
            );
        }
        assert!(
            block.iter().all(|it| it["values"]["own2"].is_null() && it["values"]["wall"].is_u64())
        );
    }
}

/// Would catch output that blocks a command, and numbers that are lost behind it.
fn the_end_of_much_output_is_read() {
    let script = "yes 0123456789 | head -c 20000000; echo; echo pack: 3 ns";
    let lab = reading(&[script], &[("ns", Place::Line("pack".to_owned()))]);
    assert_eq!(lab.run(1).only()["values"]["own1"], json!(3));
}

/// Would catch a variable or a directory that is another command's, and a hook without them.
fn commands_have_surroundings_of_their_own() {
    let at = |name: &str| Place::Line(name.to_owned());
    let script = "test $(pwd) = /usr && echo usr: 1; echo own: ${OWN-0}; echo home: ${#HOME}";
    let places = [("count", at("usr")), ("count", at("own")), ("count", at("home"))];
    let mut lab = reading(&[script, script], &places);
    let own = &mut lab.setup.commands[1].execute;
    own.environment = vec![Text::from("OWN=5"), Text::from("HOME=")];
    own.directory = Some(Text::from("/usr"));
    let ran = lab.run(2);
    for block in ran.observations.chunks(2) {
        let value = |at: usize, name: &str| block[at]["values"][name].clone();
        assert_eq!((value(0, "own1"), value(0, "own2")), (json!(null), json!(0)));
        assert_eq!((value(1, "own1"), value(1, "own2")), (json!(1), json!(5)));
        assert_eq!(value(1, "own3"), json!(0));
        assert_ne!(value(0, "own3"), json!(0));
    }
    lab.setup.commands[1].execute.directory = Some(Text::from("/none"));
    let ran = lab.run(1);
    let last = ran.observations.last().unwrap();
    assert!(last["outcome"]["not_started"].as_str().unwrap().contains("No such file"), "{last}");
}

/// Would catch a command that is executed again after it failed, and one that is given up for nothing.
fn what_fails_is_left_out_of_the_rest() {
    let mut lab = Lab::new(&[&["true"], &["false"], &["true"]]);
    lab.on_failure = OnFailure::GiveUp;
    let ran = lab.run(3);
    assert_eq!((ran.finished.blocks, &ran.finished.why), (3, &Over::Done));
    assert_eq!(ran.finished.given_up, [1]);
    let count = |command: u64| {
        ran.observations.iter().filter(|it| it["benchmark"] == json!(command)).count()
    };
    assert_eq!([count(0), count(1), count(2)], [3, 1, 3]);

    let mut lab = Lab::new(&[&["true"]]);
    lab.setup.hooks = vec![execute(&["false"])];
    let mut launcher = lab.start();
    launcher
        .perform(Perform { hook: 0, role: Hook::Requires, command: 0, extent: Extent::Stage })
        .unwrap();
    let Over::Stopped(failure) = finish(&mut launcher).why else { panic!("it is not installed") };
    assert_eq!(failure.hook, Some(Hook::Requires));
}
