//! What etalon writes in the Go benchmark format, read by benchstat: the same tables as from the original.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use etalon_record::Strictness;
use etalon_record::foreign::go::{self, FactSelection};
use etalon_record::open::{SourceFormat, read_bytes};

/// The version that is compared with.
const BENCHSTAT: &str = "golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da";

/// benchstat, built once; nothing, and a skip that `tests/run.sh` counts, where Go cannot build it.
fn benchstat() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let bin = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gobin");
        let built = Command::new("go").args(["install", BENCHSTAT]).env("GOBIN", &bin).output();
        let why = match built {
            Ok(output) if output.status.success() => return Some(bin.join("benchstat")),
            Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
            Err(error) => error.to_string(),
        };
        skip(&format!("benchstat did not read what etalon writes: go install: {why}"));
        None
    });
    built.as_deref()
}

fn skip(reason: &str) {
    println!("SKIPPED: {reason}");
    if let Some(file) = std::env::var_os("ETALON_TEST_SKIPS") {
        let mut file = fs::OpenOptions::new().append(true).create(true).open(file).unwrap();
        writeln!(file, "{}", reason.replace('\n', " ")).unwrap();
    }
}

/// Runs benchstat on files of these contents, labelled `l0`, `l1`, …; its standard output and error.
fn tables(benchstat: &Path, format: &str, contents: &[&[u8]]) -> (String, String) {
    let directory = tempfile::tempdir().unwrap();
    let mut command = Command::new(benchstat);
    command.args(["-format", format]).current_dir(directory.path());
    for (at, content) in contents.iter().enumerate() {
        fs::write(directory.path().join(format!("f{at}")), content).unwrap();
        command.arg(format!("l{at}=f{at}"));
    }
    let output = command.output().unwrap();
    assert!(output.status.success());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

fn rewritten(original: &[u8]) -> Vec<u8> {
    let data = go::read(original, "f", Strictness::Lenient).unwrap();
    let mut out = Vec::new();
    go::write(&data, FactSelection::All, &mut out).unwrap();
    out
}

fn source(benchstat: &Path) -> PathBuf {
    let listed = Command::new("go").args(["env", "GOMODCACHE"]).output().unwrap();
    let cache = String::from_utf8(listed.stdout).unwrap();
    assert!(benchstat.exists());
    let (module, version) = BENCHSTAT.split_once("/cmd/benchstat").unwrap();
    Path::new(cache.trim()).join(format!("{module}{version}"))
}

/// benchstat's own inputs, and ours: would catch a name, fact, unit or number that comes out as another.
#[test]
fn what_was_read_and_written_gives_the_same_tables() {
    let Some(benchstat) = benchstat() else { return };
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let theirs = source(benchstat);
    let directories =
        [here, theirs.join("cmd/benchstat/testdata"), theirs.join("benchfmt/testdata/bent")];
    let mut compared = 0;
    for directory in directories {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                continue;
            }
            let original = fs::read(&path).unwrap();
            let name = path.file_name().unwrap().to_str().unwrap();
            // Torn apart, which benchstat reads otherwise; or no input.
            if name == "go-torn.txt" || !go::recognise(&original) || name.ends_with("stdout") {
                continue;
            }
            for format in ["csv", "text"] {
                let ours = tables(benchstat, format, &[&rewritten(&original)]);
                let (expected, errors) = tables(benchstat, format, &[&original]);
                assert_eq!(ours.0, expected, "{}", path.display());
                if errors.is_empty() {
                    assert_eq!(ours.1, "", "{}", path.display());
                }
            }
            compared += 1;
        }
    }
    assert!(compared >= 8, "only {compared} files");
}

/// Would catch a number that is not, bit for bit, what benchstat computes with.
#[test]
fn the_reference_numbers_are_those_of_benchstat() {
    let Some(benchstat) = benchstat() else { return };
    let mut text = String::new();
    let mut random = etalon_core::random::Random::new(7);
    for at in 0..2000 {
        let decimals = at % 5;
        let number = f64::from(u32::try_from(random.below(100_000_000)).unwrap()) / 1e3 + 0.001;
        let unit = ["ns/op", "MB/s", "p9-ns", "B/op", "ns*MB"][at % 5];
        writeln!(text, "BenchmarkN{at} 1 {number:.decimals$} {unit}").unwrap();
    }
    let data = go::read(text.as_bytes(), "f", Strictness::Strict).unwrap();
    let (csv, errors) = tables(benchstat, "csv", &[text.as_bytes()]);
    let mut seen = 0;
    for line in csv.lines().filter(|line| line.starts_with('N')) {
        let mut fields = line.split(',');
        let (name, value) = (fields.next().unwrap(), fields.next().unwrap());
        let row: usize = name[1..].parse().unwrap();
        let ours = data.reference_number(data.row(row).next().unwrap());
        assert_eq!(ours.to_bits(), value.parse::<f64>().unwrap().to_bits(), "{line} {errors}");
        seen += 1;
    }
    assert_eq!(seen, 2000);
}

fn record(load: &str, walls: [u32; 6]) -> Vec<u8> {
    let mut text = format!(
        concat!(
            r#"{{"type":"header","format":"etalon","version":1,"tool":"t","context":{{"cpu.model":"A B","load.1min":"{}"}}}}"#,
            "\n",
            r#"{{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy"}}"#,
            "\n",
            r#"{{"type":"benchmark","name":"ls -l /tmp","command":"ls -l /tmp"}}"#,
            "\n",
        ),
        load
    );
    for (block, wall) in walls.iter().enumerate() {
        writeln!(
            text,
            r#"{{"type":"observation","benchmark":0,"block":{block},"values":{{"wall":{wall}}}}}"#
        )
        .unwrap();
    }
    let set = read_bytes(text.as_bytes(), "r", SourceFormat::Auto, Strictness::Strict).unwrap();
    let mut out = Vec::new();
    go::write_any(&set, &mut out).unwrap();
    assert_eq!(set.len(), 6);
    out
}

/// Would catch facts of one execution (the load) that keep benchstat from comparing two.
#[test]
fn two_records_are_compared_by_benchstat() {
    let Some(benchstat) = benchstat() else { return };
    let old = record("0.5", [100_000, 101_000, 102_000, 103_000, 104_000, 105_000]);
    let new = record("2.5", [200_000, 201_000, 202_000, 203_000, 204_000, 205_000]);
    let (text, errors) = tables(benchstat, "text", &[&old, &new]);
    let row = text.lines().find(|line| line.starts_with("ls%20-l%20%2Ftmp")).unwrap();
    assert!(
        row.contains("102.5µ") && row.contains("202.5µ") && row.contains("(p=0.002 n=6)"),
        "{text}"
    );
    assert!(text.contains("cpu.model: A B") && text.contains("sec/op"), "{text}");
    assert_eq!(errors.matches("need >= ").count(), 0, "{errors}");
}
