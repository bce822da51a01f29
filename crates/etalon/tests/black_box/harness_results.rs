//! Commands that are harnesses: a script that writes results of pytest-benchmark, measured for real, alone and on two
//! sides; and everything that can be wrong with results.

use std::fs;

use serde_json::Value;

use crate::ab::{ab, git};
use crate::support::{Ended, Lab, Running, has, joined};

/// A harness: writes `a` and `b` to the path it is given, `b` as many percent as long as the file `percent` says. Its
/// readings differ from execution to execution, not with the machine. `$NEXT` counts executions.
const SCRIPT: &str = r#"
n=$(($(cat "$NEXT" 2>/dev/null || echo 0) + 1))
echo "$n" >"$NEXT"
[ ! -e trouble ] || . ./trouble
slow=$(cat percent 2>/dev/null || echo 100)
j=$((n * 7 % 10))
entry() { printf '{"name":"%s","fullname":"t.py::%s","stats":{"iterations":1,"median":%s,"data":[%s,%s,%s]}}' "$1" "$1" "$2" "$2" "$2" "$3"; }
ms() { printf '0.00%04d%d' "$(($1 * 20))" "$j"; }
{
    printf '{"machine_info":{"node":"x"},"version":"5.1","benchmarks":['
    entry a "$(ms 100)" 0.9
    printf ,
    entry b "$(ms "$slow")" 0.9
    [ ! -e third ] || { printf ,; entry c "$(ms 100)" 0.9; }
    printf ']}'
} >"${1:-/dev/stdout}""#;

/// A laboratory with a harness `h`, which counts its executions in `$NEXT`.
pub(crate) fn lab_of(script: &str) -> Lab {
    let lab = Lab::new();
    lab.script("h", script);
    lab
}

/// etalon with these words of a shell.
pub(crate) fn started(lab: &Lab, words: &str) -> Running {
    let mut command = lab.shell(&format!("exec \"$E\" {words}"));
    command.env("NEXT", lab.path("next"));
    Running::start(command)
}

fn lab() -> Lab {
    lab_of(SCRIPT)
}

fn cmd(lab: &Lab, words: &str) -> Ended {
    started(lab, &format!("cmd {words}")).end()
}

fn names(lab: &Lab) -> Vec<String> {
    let record = lab.record();
    record
        .of_type("benchmark")
        .iter()
        .map(|line| line["name"].as_str().unwrap().to_owned())
        .collect()
}

/// Would catch a benchmark that is no row, readings that count one by one, and one that is lost.
#[test]
fn each_execution_is_one_value_of_each_benchmark() {
    let lab = lab();
    for (nth, (words, place)) in [
        ("--results pytest-benchmark './h {results}'", "{results}"),
        ("--results pytest-benchmark ./h", "standard output"),
        ("--results pytest-benchmark=out.json './h out.json'", "out.json"),
    ]
    .into_iter()
    .enumerate()
    {
        let ended = cmd(&lab, &format!("-r 6 {words}")).expect(0);
        has(&joined(&ended.stdout), &["a2.00ms±", "b2.00ms±"]);
        let record = lab.record();
        assert_eq!(lab.saved().len(), nth + 1);
        assert_eq!(record.lines[0]["harness"], "results");
        assert_eq!(record.lines[0]["context"]["results.place"], place);
        assert_eq!(names(&lab)[1..], ["a", "b"]);
        let of_a: Vec<&Value> = record
            .lines
            .iter()
            .filter(|line| line["type"] == "observation" && line["benchmark"] == 1)
            .collect();
        assert_eq!(of_a.len(), 6);
        for line in of_a {
            // The third reading is 0.9 s; the median is one of the others.
            let median = line["values"]["wall"].as_f64().unwrap();
            assert!((0.002..0.002_001).contains(&median), "{line}");
            assert_eq!(line["readings"]["wall"][0].as_array().unwrap().len(), 3, "{line}");
        }
        let again = lab.done(["report", "@last"]);
        has(&joined(&again), &["a2.00ms±", "b2.00ms±"]);
    }
    // No name has the path in it, which is another one each time.
    assert!(names(&lab).iter().all(|name| !name.contains("/tmp")), "{:?}", names(&lab));
}

/// A repository of two commits, in the second of which `b` takes 30 % longer and `c` is new.
pub(crate) fn sides() -> Lab {
    sides_of(SCRIPT)
}

fn sides_of(script: &str) -> Lab {
    let lab = lab();
    for directory in ["m", "tmp"] {
        fs::create_dir(lab.path(directory)).unwrap();
    }
    lab.script("m/h", &script.replace("$NEXT", "$UP"));
    git(&lab, "init -q . && git add -A && git COMMIT one && git tag old");
    lab.write("m/percent", "130");
    lab.write("m/third", "");
    git(&lab, "add -A && git COMMIT two");
    lab
}

/// Would catch a suite that is one row, sides that are mixed, a row of one side that is lost, and a report that is another
/// one than what was shown.
#[test]
fn two_sides_are_compared_benchmark_by_benchmark() {
    let lab = sides();
    let words = "old HEAD -r 12 --json --results pytest-benchmark -- ./h {results}";
    let json: Value = serde_json::from_str(&ab(&lab, words).expect(0).stdout).unwrap();
    let all = json["comparisons"].as_array().unwrap();
    let verdict = |name: &str| {
        let of = all.iter().find(|it| it["candidate_name"].as_str().unwrap().starts_with(name));
        of.map(|it| it["verdict"].as_str().unwrap().to_owned())
    };
    assert_eq!(verdict("b").as_deref(), Some("slower"), "{json}");
    assert_eq!(verdict("a").as_deref(), Some("same"), "{json}");
    let shown = joined(&lab.done(["report", "@last"]));
    has(&shown, &["base→head", "12interleavedblocks", "b2.00ms2.60ms+", "1onlyinhead"]);
    let comment = lab.done(["report", "@last", "--format", "comment", "--title", "Suite"]);
    has(&comment, &["| `b` |", "**slower**", "only in `head`", "Again: `etalon ab old"]);
    has(&lab.run(["compare", "@last", "--fail-on", "worse:5%"]).expect(1).stderr, &["b"]);
}

/// Would catch etalon's own clock, which counts 20 ns and more, as the resolution of what a harness divided by its
/// iterations.
#[test]
fn differences_of_nanoseconds_are_seen() {
    let lab = sides_of(&SCRIPT.replace("0.00%04d", "0.0000000%04d"));
    let words = "old HEAD -r 12 --json --results pytest-benchmark -- ./h {results}";
    let json: Value = serde_json::from_str(&ab(&lab, words).expect(0).stdout).unwrap();
    for (name, verdict) in [("a", "same"), ("b", "slower")] {
        let start = format!("{name} ");
        let is_it = |it: &&Value| it["candidate_name"].as_str().unwrap().starts_with(&start);
        let comparison = json["comparisons"].as_array().unwrap().iter().find(is_it).unwrap();
        assert_eq!(comparison["verdict"], verdict, "{comparison}");
    }
}

const GIVEN: &str = "--results pytest-benchmark './h {results}'";

/// Five executions of a harness with some trouble of its own.
fn troubled(trouble: &str, words: &str) -> (Lab, Ended) {
    let lab = lab();
    lab.write("trouble", trouble);
    let ended = cmd(&lab, &format!("-r 5 {words}"));
    (lab, ended)
}

/// Would catch silence about results that are none.
#[test]
fn what_is_wrong_with_results_is_said() {
    // In the first execution it is how it was asked for.
    for (trouble, said) in [
        ("exit 0", "nothing was written to {results}"),
        (": >\"$1\"; exit 0", "nothing was written to {results}"),
        ("echo '{\"machine_info\":{},\"benchmarks\":[{\"na' >\"$1\"; exit 0", "pytest-benchmark"),
        (
            "echo '[{\"jmhVersion\":\"1.37\",\"benchmark\":\"a\",\"primaryMetric\":{}}]' >\"$1\"; exit 0",
            "results of jmh",
        ),
        ("ln -s /etc/passwd \"$1\"; exit 0", "no regular file"),
        ("mkfifo \"$1\"; exit 0", "no regular file"),
    ] {
        let (_, ended) = troubled(trouble, GIVEN);
        let ended = ended.expect(2);
        has(&ended.stderr, &["no results", said, "--results FORMAT=PATH"]);
    }
}

/// Would catch results of an earlier execution that count again, a path of this run in what is said, and a measurement that
/// is lost for one that failed.
#[test]
fn what_is_wrong_later_is_an_outcome() {
    for (trouble, words, said) in [
        ("[ $n != 3 ] || exit 0", GIVEN, "nothing was written to {results}"),
        (
            "[ $n != 3 ] || exit 0",
            "--results pytest-benchmark=out './h out'",
            "it is as it was before",
        ),
        (
            "trap '[ $n != 3 ] || touch -d 2001-01-01 \"$1\"' EXIT",
            GIVEN,
            "it is older than this execution",
        ),
        ("[ $n != 3 ] || { truncate -s 2G \"$1\"; exit 0; }", GIVEN, "more than 256 MB"),
        (
            "[ $n != 3 ] || { mkdir \"$1\" && : >\"$1/a\" && : >\"$1/b\"; exit 0; }",
            GIVEN,
            "2 files were written, and results of pytest-benchmark are one",
        ),
        (
            "[ $n != 3 ] || { printf '{\"machine_info\":{},\"benchmarks\":[{\"name\":\"a\",\"st' >\"$1\"; exit 0; }",
            GIVEN,
            "{results}:1: EOF",
        ),
        (
            "[ $n != 3 ] || { printf '{\"machine_info\":{},\"benchmarks\":[{\"name\":\"a\",\"stats\":{\"data\":[-1],\"median\":1}}]}' >\"$1\"; exit 0; }",
            GIVEN,
            "`-1` is no reading",
        ),
        ("[ $n != 3 ] || { echo nonsense >\"$1\"; exit 0; }", GIVEN, "pytest-benchmark"),
        (
            "[ $n != 3 ] || { echo '{\"machine_info\":{},\"benchmarks\":[]}' >\"$1\"; exit 0; }",
            GIVEN,
            "no benchmark",
        ),
        ("[ $n != 3 ] || exit 7", GIVEN, "did not end well"),
    ] {
        let (lab, ended) = troubled(trouble, words);
        let ended = ended.expect(1);
        let record = lab.record();
        let of_a = |line: &&Value| line["type"] == "observation" && line["benchmark"] == 1;
        let all: Vec<&Value> = record.lines.iter().filter(of_a).collect();
        assert_eq!(all.len(), 5, "{trouble}: {}", ended.stderr);
        let why = all[2]["outcome"]["not_started"].as_str().unwrap_or_default();
        assert!(why.contains(said), "{trouble}: {}", all[2]);
        assert_eq!(all[2]["cause"], "no_result");
        assert_eq!(all.iter().filter(|line| line.get("outcome").is_none()).count(), 4);
    }
}

/// Would catch a line for each benchmark of an execution without results, and one executed that is said not to be.
#[test]
fn benchmarks_that_fail_alike_share_a_line() {
    let lab = sides();
    lab.write("percent", "");
    let words = "old HEAD -r 6 --results pytest-benchmark \
        -- sh -c '[ \"$(cat \"$UP\" 2>/dev/null)\" = 9 ] && echo 10 >\"$UP\" || ./h {results}'";
    let said = ab(&lab, words).expect(1).stderr;
    has(&said, &["more: came to no result: nothing was written to {results}"]);
    assert_eq!(said.matches("nothing was written").count(), 1, "{said}");
}

const STDOUT: &str = "--results pytest-benchmark ./h";

/// Shell that writes benchmark `a` alone.
const A_ALONE: &str = r#"echo '{"machine_info":{},"benchmarks":[{"name":"a","fullname":"t.py::a","stats":{"median":0.002,"data":[0.002]}}]}' >"$1""#;

/// What of five executions is there of a benchmark: values, and the reasons where there is none.
fn of_five(lab: &Lab, name: &str) -> (usize, Vec<String>) {
    let record = lab.record();
    let at = record.of_type("benchmark").iter().position(|line| line["name"] == name).unwrap();
    let all: Vec<&Value> = record
        .lines
        .iter()
        .filter(|line| line["type"] == "observation" && line["benchmark"] == at)
        .collect();
    assert_eq!(all.len(), 5, "{name}");
    let why = |line: &&Value| line["outcome"]["not_started"].as_str().map(str::to_owned);
    let values = all.iter().filter(|line| line["values"]["wall"].is_number()).count();
    (values, all.iter().filter_map(why).collect())
}

/// Would catch a benchmark that is lost because a later execution lacks it, and what a harness wrote before it failed.
#[test]
fn a_harness_that_gets_half_way_leaves_the_other_half() {
    for (when, how, values_of_a) in
        [("-ge 3", "exit 0", 5), ("= 3", "exit 9", 5), ("= 3", "kill -KILL $$", 5)]
    {
        let trouble = format!("[ ! $n {when} ] || {{ {A_ALONE}; {how}; }}");
        let (lab, ended) = troubled(&trouble, GIVEN);
        ended.expect(1);
        let (of_a, none) = of_five(&lab, "a");
        assert_eq!((of_a, none.len()), (values_of_a, 0), "{trouble}: {none:?}");
        let (of_b, why) = of_five(&lab, "b");
        assert_eq!(of_b, if when == "= 3" { 4 } else { 2 }, "{trouble}");
        assert_eq!(of_b + why.len(), 5, "{why:?}");
        assert!(why.iter().all(|why| why.contains("not among the results")), "{why:?}");
        has(&joined(&lab.run(["report", "@last"]).stdout), &["a2.00ms", "b2.00ms"]);
    }
}

/// Would catch text around results that is skipped or read, and a second harness's results that nobody notices.
#[test]
fn what_is_no_file_of_one_harness_is_an_outcome() {
    let jmh = r#"[{"jmhVersion":"1.37","benchmark":"x","mode":"avgt","primaryMetric":{"rawData":[[1]],"scoreUnit":"ns/op"}}]"#;
    let printed = A_ALONE.replace(" >\"$1\"", "");
    for (trouble, words, said) in [
        (
            format!("[ $n != 3 ] || {{ {A_ALONE}; echo '{jmh}' >>\"$1\"; exit 0; }}"),
            GIVEN,
            "{results}:2",
        ),
        ("[ $n != 3 ] || { mkdir \"$1\"; exit 0; }".to_owned(), GIVEN, "nothing was written"),
        (
            format!("[ $n != 3 ] || {{ echo warming up; {printed}; exit 0; }}"),
            STDOUT,
            "standard output:1",
        ),
        (
            format!("[ $n != 3 ] || {{ {printed}; echo done; exit 0; }}"),
            STDOUT,
            "standard output:2",
        ),
    ] {
        let (lab, ended) = troubled(&trouble, words);
        ended.expect(1);
        for name in ["a", "b"] {
            let (values, why) = of_five(&lab, name);
            assert_eq!((values, why.len()), (4, 1), "{trouble}: {why:?}");
            assert!(why[0].contains(said), "{trouble}: {why:?}");
        }
    }
}

/// Would catch a limit that is one less than it says, and rows that are lost where they are many.
#[test]
fn a_hundred_thousand_benchmarks_are_the_most() {
    let script = r#"awk -v n="$(cat many)" 'BEGIN {
        printf "{\"machine_info\":{},\"benchmarks\":["
        for (i = 0; i < n; i++) printf "%s{\"name\":\"b%d\",\"stats\":{\"median\":1,\"data\":[1]}}", i ? "," : "", i
        print "]}"
    }' >"$1""#;
    let lab = lab_of(script);
    lab.write("many", "100001");
    let ended = cmd(&lab, &format!("-r 1 {GIVEN}")).expect(2);
    has(&ended.stderr, &["100001 benchmarks, and 100000", "fewer at once"]);
    lab.write("many", "100000");
    cmd(&lab, &format!("-r 1 --quiet {GIVEN}")).expect(0);
    assert_eq!(names(&lab).len(), 100_001);
}

/// Would catch a number that is none and a name that drives the terminal.
#[test]
fn odd_numbers_and_names_are_told() {
    let nan = "[ $n != 2 ] || { echo '{\"machine_info\":{},\"benchmarks\":[{\"name\":\"a\",\"stats\":{\"data\":[NaN],\"median\":1}},\
               {\"name\":\"x\\u001b[2Jy\",\"stats\":{\"data\":[0.5],\"median\":1}}]}' >\"$1\"; exit 0; }";
    let (lab, ended) = troubled(nan, GIVEN);
    let ended = ended.expect(1);
    assert!(!ended.stdout.contains('\u{1b}'), "{}", ended.stdout);
    let all = lab.record().lines.clone();
    let outcome = |benchmark: u32| {
        let of = all
            .iter()
            .filter(|line| line["type"] == "observation" && line["benchmark"] == benchmark);
        of.filter_map(|line| line["outcome"]["not_started"].as_str()).collect::<Vec<_>>().join("; ")
    };
    assert!(outcome(1).contains("NaN"), "{}", outcome(1));
    assert!(outcome(2).contains("not among the results"), "{}", outcome(2));
    assert_eq!(names(&lab).len(), 4);
}

#[test]
fn what_cannot_be_obeyed_is_refused() {
    let lab = lab();
    for (words, said) in [
        ("'./h {results}'", "add"),
        ("--results nothing ./h", "write one of pytest-benchmark"),
        ("--results pytest-benchmark= ./h", "write a path"),
        ("--results pytest-benchmark=x './h {results}'", "leave one of them out"),
        ("--results pytest-benchmark './h {results}' ./h", "write it in all of them"),
        ("--results pytest-benchmark --stdout inherit ./h", "reads standard output"),
        ("--results pytest-benchmark './h {result}'", "did you mean {results}"),
        ("--results pytest-benchmark -p 'rm -f {results}' './h {results}'", "in a hook"),
    ] {
        has(&cmd(&lab, &format!("-r 2 {words}")).expect(2).stderr, &[said]);
    }
    let until = cmd(&lab, "--until decided --results pytest-benchmark ./h").expect(2);
    has(&until.stderr, &["--until decided", "is of a ranking"]);
    assert!(!lab.path("next").exists());
    // A parameter may be called so.
    cmd(&lab, "-r 2 -P results 1 2 'echo {results}'").expect(0);
}

#[test]
fn the_line_for_a_project_is_named() {
    let lab = Lab::new();
    fs::create_dir(lab.path("m")).unwrap();
    fs::create_dir(lab.path("tmp")).unwrap();
    lab.write("m/x", "");
    git(&lab, "init -q . && git add -A && git COMMIT one");
    for (file, text, said) in [
        ("requirements-dev.txt", "pytest-benchmark==5\n", "--results pytest-benchmark -- pytest"),
        ("requirements/bench.in", "pytest-benchmark\n", "--results pytest-benchmark -- pytest"),
        (
            "pyproject.toml",
            "[dependency-groups]\ndev = [\"pytest-benchmark\"]\n",
            "--results pytest-benchmark -- pytest",
        ),
        (
            "Cargo.toml",
            "[dev-dependencies]\ncriterion = \"0.8\"\n",
            "--results criterion --env CRITERION_HOME={results}",
        ),
        (
            "Cargo.toml",
            "[[bench]]\nname = \"b\"\nharness = false\n",
            "--build 'cargo bench --no-run' -- cargo bench",
        ),
        ("pom.xml", "<artifactId>jmh-core</artifactId>", "-rff {results}"),
        ("build.gradle", "id 'me.champeau.jmh'", "--results jmh=build/results/jmh/results.json"),
        ("build.gradle.kts", "id(\"me.champeau.jmh\")", "-- ./gradlew jmh"),
        (
            "package.json",
            r#"{"scripts":{"bench":"vitest bench"}}"#,
            "--results vitest --build 'npm install'",
        ),
        (
            "CMakeLists.txt",
            "target_link_libraries(other z)\ntarget_link_libraries( p-1\n  PRIVATE benchmark::benchmark)",
            "build/p-1 --benchmark_out={results}",
        ),
        (
            "CMakeLists.txt",
            "target_link_libraries(p benchmark::benchmark)",
            "--benchmark_out={results}",
        ),
    ] {
        fs::create_dir_all(lab.path(&format!("m/{file}")).parent().unwrap()).unwrap();
        lab.write(&format!("m/{file}"), text);
        has(&ab(&lab, "HEAD").expect(0).stdout, &["etalon ab HEAD --", said]);
        fs::remove_file(lab.path(&format!("m/{file}"))).unwrap();
    }
}
