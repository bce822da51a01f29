//! `{VAR}` and `{side}`: filled in wherever a text is executed, opened or set, or refused there, and never left as text.

use crate::support::{Lab, has};

fn text(lab: &Lab, name: &str) -> String {
    String::from_utf8(lab.read(name)).expect("text").trim_end().to_owned()
}

/// Directories `base` and `head` with files that say which they are, below a laboratory.
fn sides() -> Lab {
    let lab = Lab::new();
    for side in ["base", "head"] {
        std::fs::create_dir_all(lab.path(side).join("sub")).expect("a directory");
        lab.write(&format!("{side}/in"), format!("input of {side}"));
        lab.script(&format!("{side}/say"), "echo \"$PLACE|$(cat)|$(pwd)\"");
    }
    lab
}

/// Would catch `T={n}` in an environment that every row has as it is typed, and one file or directory for all rows.
#[test]
fn parameters_are_filled_in_wherever_commands_get_a_text() {
    let lab = Lab::new();
    lab.script("say", "echo \"$1 $T $OTHER $(cat) ${PWD##*/}\"");
    for n in [1, 2] {
        std::fs::create_dir(lab.path(&format!("dir{n}"))).expect("a directory");
        lab.write(&format!("in{n}"), format!("input {n}"));
    }
    let say = lab.path("say").display().to_string();
    let given = [
        "--env",
        "T=t{n}",
        "--env",
        "OTHER=same",
        "--input",
        "in{n}",
        "--cwd",
        "dir{n}",
        "--stdout",
        "out{n}",
    ];
    let command = format!("{say} {{n}}");
    let typed = ["cmd", "-r", "2", "-L", "n", "1,2", "-n", "job {n}", &command];
    lab.run([&typed[..], &given[..]].concat()).expect(0);
    assert_eq!(
        (text(&lab, "out1"), text(&lab, "out2")),
        ("1 t1 same input 1 dir1".into(), "2 t2 same input 2 dir2".into())
    );
    let record = lab.record();
    let lines = record.of_type("benchmark");
    for (line, n) in lines.iter().zip([1, 2]) {
        assert_eq!(line["name"], format!("job {n}"));
        assert_eq!(line["env"], serde_json::json!([format!("T=t{n}")]));
        assert!(
            line["cwd"].as_str().is_some_and(|cwd| cwd.ends_with(&format!("dir{n}"))),
            "{line}"
        );
    }
    let header = record.of_type("header")[0];
    assert_eq!(header["context"]["env.OTHER"], "same", "{header}");
    assert!(header["context"].get("env.T").is_none(), "{header}");
}

/// Would catch a row for every value where only the environment names the parameter, or none; and hooks that have another
/// environment than their command.
#[test]
fn a_parameter_of_the_environment_alone_makes_rows() {
    let lab = Lab::new();
    let see = "echo $T >> told";
    let typed =
        ["cmd", "-r", "1", "-L", "threads", "1,2", "--env", "T={threads}", "--prepare", see];
    let ended = lab.run([&typed[..], &["true"]].concat()).expect(0);
    assert_eq!(text(&lab, "told").split_whitespace().collect::<Vec<_>>().len(), 2);
    let mut rows: Vec<String> = text(&lab, "told").split_whitespace().map(str::to_owned).collect();
    rows.sort();
    assert_eq!(rows, ["1", "2"]);
    has(&ended.stdout, &["threads=1", "threads=2"]);
    // The later of two variables counts, whichever of them is filled in.
    for (env, seen) in [(["T={n}", "T=0"], ["0", "0"]), (["T=0", "T={n}"], ["1", "2"])] {
        let lab = Lab::new();
        let typed = [
            "cmd",
            "-r",
            "1",
            "--order",
            "sequential",
            "-L",
            "n",
            "1,2",
            "--env",
            env[0],
            "--env",
            env[1],
        ];
        lab.run([&typed[..], &["-p", see, "true {n}"]].concat()).expect(0);
        assert_eq!(text(&lab, "told").split_whitespace().collect::<Vec<_>>(), seen);
    }
}

/// Would catch a program that is looked up in the PATH of another row, and a shell that stays a placeholder.
#[test]
fn programs_and_shells_are_those_of_the_row() {
    let lab = Lab::new();
    for n in [1, 2] {
        std::fs::create_dir(lab.path(&format!("bin{n}"))).expect("a directory");
        lab.script(&format!("bin{n}/prog"), &format!("echo {n} >> told"));
    }
    let path =
        format!("PATH={}:{}", lab.path("bin{n}").display(), std::env::var("PATH").expect("a PATH"));
    let typed =
        ["cmd", "-r", "1", "--order", "sequential", "-L", "n", "1,2", "--env", &path, "prog"];
    lab.run(typed).expect(0);
    assert_eq!(text(&lab, "told"), "1\n2");
    lab.run(["cmd", "-r", "1", "-L", "sh", "sh,dash", "-s", "/bin/{sh} -c", "exit 0 # {sh}"])
        .expect(0);
    let record = lab.record();
    let lines = record.of_type("benchmark");
    assert_eq!([&lines[0]["shell"], &lines[1]["shell"]], ["/bin/sh -c", "/bin/dash -c"]);
}

/// Would catch a file of a row that is missing and noticed after measuring.
#[test]
fn what_a_row_lacks_is_said_before_anything_is_measured() {
    let lab = Lab::new();
    lab.write("in1", "");
    for (given, parts) in [
        (["--input", "in{n}"], ["--input in2", "No such file"]),
        (["--cwd", "dir{n}"], ["dir1", "check --cwd"]),
        (["--stdout", "none{n}/out"], ["--stdout none1/out", "make the directory"]),
    ] {
        let ended = lab
            .run([&["cmd", "-r", "1", "-L", "n", "1,2"], &given[..], &["true"]].concat())
            .expect(2);
        has(&ended.stderr, &parts);
    }
    assert!(lab.saved().is_empty());
}

/// Would catch a file called `out-{n}.jsonl`, and a parameter that is called unused beside it.
#[test]
fn what_is_one_for_all_refuses_placeholders_by_name() {
    let lab = Lab::new();
    // A file of commands is read before anything else.
    lab.write("x-{n}", "true\n");
    for option in ["--output", "--file", "--service", "--export-json"] {
        let ended =
            lab.run(["cmd", "-r", "1", "-L", "n", "1,2", option, "x-{n}", "true {n}"]).expect(2);
        has(&ended.stderr, &[option, "x-{n}", "{n} is filled in for each command"]);
    }
    let lab = sides();
    let ended =
        lab.run(["ab", "--dir", "base", "head", "--output", "{side}/x", "--", "./say"]).expect(2);
    has(&ended.stderr, &["--output", "{side} is filled in for each command"]);
    assert!(lab.saved().is_empty());
}

/// Would catch a service that is started with a placeholder, and hooks of suites that get one of sides.
#[test]
fn what_is_there_for_all_refuses_placeholders_in_its_texts() {
    let lab = Lab::new();
    let service = "[service.s]\nstart = \"sleep {n}\"\nready = { command = \"true\" }\n";
    lab.write("s.toml", service);
    let typed = ["cmd", "-r", "1", "-L", "n", "1,2", "--service", "s.toml", "true {n}"];
    has(&lab.run(typed).expect(2).stderr, &["the service s", "{n} is filled in for each command"]);
    let typed = ["run", "--base", "HEAD", "--prepare", "ls {side}", "x_bench.lua"];
    has(&lab.run(typed).expect(2).stderr, &["--prepare `ls {side}`", "{side} is filled in"]);
    lab.write(
        "x.toml",
        "[axes]\nn = [\"1\", \"2\"]\n[file.\"in-{n}\"]\ntext = \"x\"\n[[subject]]\ncommand = \"true {n}\"\n",
    );
    has(&lab.run(["run", "x.toml"]).expect(2).stderr, &["is there for all cells", "without `{n}`"]);
    lab.write(
        "x.toml",
        "[axes]\nn = [\"1\", \"2\"]\n[[subject]]\ncommand = \"true\"\nenv = { \"V{n}\" = \"v{n}\" }\n[measure]\nruns = 1\n",
    );
    lab.run(["run", "x.toml"]).expect(0);
    let record = lab.record();
    let lines = record.of_type("benchmark");
    assert_eq!(lines[1]["env"], serde_json::json!(["V2=v2"]));
}

/// Would catch a slip that is measured as it is typed, and braces of other languages that are refused.
#[test]
fn braces_that_nearly_name_a_parameter_are_refused_and_others_stay() {
    let lab = Lab::new();
    let typed = ["cmd", "-r", "1", "-L", "threads", "1,2"];
    let ended =
        lab.run([&typed[..], &["--env", "T={thread}", "true {threads}"]].concat()).expect(2);
    has(&ended.stderr, &["{thread}", "did you mean {threads}"]);
    let others = "echo {} {a,b} {print} '{\"n\": 1}' {threads} {nosuch} > said";
    lab.run([&typed[..], &["-s", "/bin/sh -c", others]].concat()).expect(0);
    let said = text(&lab, "said");
    assert!(
        said.starts_with("{} {a,b} {print} {\"n\": 1} ") && said.ends_with(" {nosuch}"),
        "{said}"
    );
    let ended = sides().run(["ab", "--dir", "base", "head", "--", "{Side}/say"]).expect(2);
    has(&ended.stderr, &["did you mean {side}"]);
}

/// Would catch `{side}` that stays text beside commands, hooks and builds, where it was always filled in.
#[test]
fn the_side_is_filled_in_wherever_commands_get_a_text() {
    let lab = sides();
    let given = [
        "--env",
        "PLACE={side}/x",
        "--input",
        "{side}/in",
        "--cwd",
        "{side}/sub",
        "--stdout",
        "{side}/out",
    ];
    let typed = ["ab", "--dir", "base", "head", "-r", "2", "--same-output", "--"];
    let asked = [&typed[..7], &given[..], &typed[7..], &["{side}/say"]].concat();
    // Both print where they are, so that what the two print differs: nothing is measured.
    has(&lab.run(asked.clone()).expect(1).stderr, &["the head prints something else"]);
    let without: Vec<&str> = asked.into_iter().filter(|word| *word != "--same-output").collect();
    lab.run(without).expect(0);
    for side in ["base", "head"] {
        let root = lab.path(side).canonicalize().expect("a directory");
        let root = root.display();
        let expected = format!("{root}/x|input of {side}|{root}/sub");
        assert_eq!(text(&lab, &format!("{side}/out")), expected);
    }
    let record = lab.record();
    let lines = record.of_type("benchmark");
    assert!(lines.iter().all(|line| line["name"] == "{side}/say"), "{lines:?}");
}

/// Would catch a build that gets `{side}` as text in a variable.
#[test]
fn builds_get_the_side_in_their_variables() {
    let lab = Lab::new();
    let git = "git init -q . && git config user.email a@b && git config user.name a && echo 'exit 0' > prog && chmod +x prog \
               && git add prog && git commit -qm one && echo '# two' >> prog && git commit -qam two";
    crate::support::Running::start(lab.shell(git)).end().expect(0);
    let build = "test -x \"$PLACE\"/prog || exit 9; cp prog built";
    let typed = [
        "ab",
        "HEAD~1",
        "HEAD",
        "-r",
        "1",
        "--no-control",
        "--env",
        "PLACE={side}",
        "--build",
        build,
    ];
    lab.run([&typed[..], &["--", "sh", "{side}/built"]].concat()).expect(0);
}
