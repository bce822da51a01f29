//! The Go module of examples/object-store over two real S3 servers, which etalon starts and stops.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Lab, Running, has, marked, signal, skip, until};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/object-store");

/// Whether everything is installed.
fn is_installed() -> bool {
    let lacks = |program: &&str| {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("command -v {program}")]).stdout(Stdio::null());
        !command.status().is_ok_and(|status| status.success())
    };
    let missing: Vec<&str> = ["go", "versitygw", "moto_server"].into_iter().filter(lacks).collect();
    if !missing.is_empty() {
        skip(&format!("examples/object-store was not measured: without {}", missing.join(", ")));
    }
    missing.is_empty()
}

/// The example in a laboratory, with ports that are free.
struct Example {
    lab: Lab,
    ports: [u16; 2],
}

impl Example {
    fn new() -> Example {
        let lab = Lab::new();
        // Both are bound before either is let go, so that they differ.
        let bound = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
        let ports = bound.each_ref().map(|it| it.local_addr().expect("its address").port());
        for entry in fs::read_dir(EXAMPLE).expect("the example") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let [gateway, emulator] = ports.map(|port| port.to_string());
            lab.write(&name, text.replace("7070", &gateway).replace("7071", &emulator));
        }
        Example { lab, ports }
    }

    fn start(&self, runs: &str) -> Running {
        let options = ["run", "-r", runs, "--service", "services.toml", "object-store.toml"];
        Running::start(self.lab.etalon(options))
    }

    /// Waits until something over S3 was measured.
    fn wait_for_round_trips(&self) {
        until("round trips", || {
            let files = fs::read_dir(self.lab.home().join("runs")).into_iter().flatten().flatten();
            files.map(|file| fs::read_to_string(file.path()).unwrap_or_default()).any(|text| {
                let counted = |line: &&str| line.contains("\"allocations\"");
                text.lines().filter(counted).count() >= 4
            })
        });
    }

    /// Asserts that nobody listens any more, and that no process is left.
    fn assert_gone(&self) {
        self.lab.assert_nothing_left();
        for port in self.ports {
            assert!(TcpStream::connect(("127.0.0.1", port)).is_err(), "port {port} is in use");
        }
    }
}

/// Would catch servers that are not there, benchmarks that do not reach them, a page that lacks one, and servers, ports
/// or files that are left.
#[test]
fn one_command_makes_the_page() {
    if !is_installed() {
        return;
    }
    let example = Example::new();
    example.start("1").end().expect(0);
    example.assert_gone();
    assert!(!Path::new(&example.lab.path("objectstore.test")).exists(), "cleanup");
    let page = example.lab.done(["report", "@last", "--format", "markdown"]);
    assert_eq!(page.matches("| Done |").count(), 4, "{page}");
    has(&page, &["store-calls/write", "| `BenchmarkS3_WriteRoundTrip/moto` | this machine | "]);
    let record = example.lab.record();
    let services = record.of_type("service");
    assert_eq!(services.len(), 2);
    for service in services {
        assert_eq!(service["ended"], "stopped", "{service}");
        assert!(service["version"].is_string(), "{service}");
    }
}

/// Would catch servers that outlive an interrupt.
#[test]
fn servers_end_with_an_interrupt() {
    if !is_installed() {
        return;
    }
    let example = Example::new();
    let running = example.start("100000");
    example.wait_for_round_trips();
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    example.assert_gone();
    assert_eq!(example.lab.record().stopped_by().as_deref(), Some("interrupt"));
}

/// Would catch a server whose death is taken for slow benchmarks, whose log is lost, or after which the other one stays.
#[test]
fn a_server_that_dies_ends_the_run_with_its_log() {
    if !is_installed() {
        return;
    }
    let example = Example::new();
    let running = example.start("100000");
    example.wait_for_round_trips();
    let command = |pid: &i32| fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let is_emulator = |pid: &i32| {
        let command = String::from_utf8_lossy(&command(pid)).into_owned();
        command.contains("moto_server") && !command.contains("etalon")
    };
    let emulator = marked(&example.lab.mark()).into_iter().find(is_emulator);
    signal(emulator.expect("the emulator"), libc::SIGKILL);
    let ended = running.end().expect(2);
    has(
        &ended.stderr,
        &["service moto ended while something was measured", "signal 9", "HTTP/1.1\" 200"],
    );
    example.assert_gone();
    assert_eq!(example.lab.record().stopped_by().as_deref(), Some("error"));
}
