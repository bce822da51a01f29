//! `etalon history export` into what a team reads: a real PostgreSQL, which a test starts, and Parquet.

use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::history::{commit, points, results};
use crate::nodes::Place;
use crate::readme::root;
use crate::support::{Lab, Running, exclusively, has, signal, skip, until};

/// The superuser's, whom the server asks for it.
const PASSWORD: &str = "öpen sésame";

/// A server on a socket in a directory of its own, with one empty database. It ends with the test that started it.
struct Postgres {
    programs: PathBuf,
    place: Place,
    child: Child,
}

impl Postgres {
    fn start(lab: &Lab) -> Option<Postgres> {
        let Some(programs) = programs() else {
            skip("histories in PostgreSQL: postgresql is not installed");
            return None;
        };
        let place = Place::below(&std::env::temp_dir());
        let password = place.write("password", PASSWORD);
        // PostgreSQL refuses to be root.
        let owner = Owner::known();
        for path in [place.path("."), password.clone()] {
            if let Some(Owner { user, group }) = &owner {
                chown(&path, Some(*user), Some(*group)).unwrap();
            }
        }
        let own = |program: &str, arguments: &[&str]| {
            let mut command = lab.program("setpriv", ["--pdeathsig", "INT"]);
            if let Some(Owner { user, group }) = &owner {
                command.args([format!("--reuid={user}"), format!("--regid={group}")]);
                command.arg("--clear-groups");
            }
            command.arg(programs.join(program)).args(arguments).current_dir("/");
            command
        };
        let data = place.path("data");
        let data = data.to_str().unwrap();
        let made = ["-D", data, "-A", "scram-sha-256", "-U", "postgres", "--no-sync", "-E", "UTF8"];
        let password = format!("--pwfile={}", password.display());
        let made = [&made[..], &["--locale=C", &password]].concat();
        Running::start(own("initdb", &made)).end().expect(0);
        let socket = place.path(".").canonicalize().unwrap();
        let mut server = own("postgres", &["-D", data, "-k", socket.to_str().unwrap()]);
        for setting in ["listen_addresses=", "fsync=off", "shared_buffers=16MB"] {
            server.args(["-c", setting]);
        }
        server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = exclusively(|| server.spawn().unwrap());
        let server = Postgres { programs, place, child };
        until("PostgreSQL", || {
            server.psql("SELECT 1").output().is_ok_and(|it| it.status.success())
        });
        Some(server)
    }

    fn socket(&self) -> PathBuf {
        self.place.path(".").canonicalize().unwrap()
    }

    /// Its URL, without the password.
    fn url(&self) -> String {
        let socket = self.socket().to_str().unwrap().replace('/', "%2F");
        format!("postgres://postgres@{socket}/postgres")
    }

    /// PostgreSQL's own client with a statement.
    fn psql(&self, statement: &str) -> Command {
        let mut command = Command::new(self.programs.join("psql"));
        command.args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-c", statement]);
        command.arg("-h").arg(self.socket()).env("PGPASSWORD", PASSWORD);
        command
    }

    /// The rows that a statement gives, a line each.
    fn asked(&self, statement: &str) -> Vec<String> {
        let ended = Running::start(self.psql(statement)).end().expect(0);
        ended.stdout.lines().map(str::to_owned).collect()
    }

    /// All points there, as they are exported, in some order.
    fn points(&self) -> Vec<Value> {
        let rows = self.asked("SELECT row_to_json(p) FROM etalon.points p");
        let point = |row: &String| {
            let mut point: Value = serde_json::from_str(row).unwrap();
            point["facts"] = serde_json::from_str(point["facts"].as_str().unwrap()).unwrap();
            point
        };
        sorted(rows.iter().map(point).collect())
    }

    fn export(&self, lab: &Lab) -> Command {
        let mut command = lab.etalon(["history", "export", "--to", "postgres", &self.url()]);
        command.env("PGPASSWORD", PASSWORD);
        command
    }

    fn exported(&self, lab: &Lab) -> String {
        Running::start(self.export(lab)).end().expect(0).stdout
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // A fast shutdown.
        signal(self.child.id().cast_signed(), libc::SIGINT);
        let _status = self.child.wait();
    }
}

/// Whose the server is.
struct Owner {
    user: u32,
    group: u32,
}

impl Owner {
    /// The package's user for root, and nobody else for others.
    fn known() -> Option<Owner> {
        // SAFETY: geteuid has no preconditions.
        let is_root = unsafe { libc::geteuid() } == 0;
        let id = |option: &str| -> u32 {
            let output = Command::new("id").args([option, "postgres"]).output().unwrap();
            String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
        };
        is_root.then(|| Owner { user: id("-u"), group: id("-g") })
    }
}

/// The programs of the newest PostgreSQL.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    let version = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let newest = versions.map(|it| it.path()).max_by_key(|path| version(path))?;
    Some(newest.join("bin")).filter(|bin| bin.join("initdb").exists())
}

/// In one order, with numbers as doubles, whichever way they are written.
fn sorted(mut points: Vec<Value>) -> Vec<Value> {
    let fields = points.iter_mut().flat_map(|point| point.as_object_mut().unwrap().values_mut());
    for number in fields.filter(|field| field.is_number()) {
        *number = number.as_f64().into();
    }
    let key = |point: &Value| {
        ["benchmark", "metric", "commit"].map(|name| point[name].as_str().unwrap().to_owned())
    };
    points.sort_by_key(key);
    points
}

/// Adds a value of each benchmark of a commit.
fn add(lab: &Lab, number: usize, value: f64) {
    let text = format!(r#"{{"b0": {{"latency": {{"value": {value}}}}}}}"#);
    let name = format!("more-{value}.json");
    lab.write(&name, text);
    let commit = commit(number);
    let words = ["history", "add", &name, "--project", "p", "--time", "2026-11-21", "--commit"];
    lab.done([&words[..], &[&commit]].concat());
}

fn import(lab: &Lab) {
    lab.done(["history", "import", "all", "--project", "p", "--time", "2026-11-21"]);
}

/// Would catch points that are there twice after a second export, fields that are lost on the way, runs of several files
/// of which the last one's are the point, a point that depends on who exports last, and readings that are left behind.
#[test]
fn what_several_export_again_and_again_is_there_once() {
    let [one, other, both] = [Lab::new(), Lab::new(), Lab::new()];
    let Some(server) = Postgres::start(&one) else { return };
    for lab in [&one, &both] {
        results(lab, "all", 3);
        import(lab);
        add(lab, 1, 7.0);
    }
    let place = ["--project", "p", "--time", "2026-11-21", "--commit", "v1"];
    let run = ["cmd", "-N", "-r", "5", "-n", "quoted \"name\"\twith \\ all", "true"];
    one.run(run).expect(0);
    one.done([&["history", "add", "@last", "--metric", "wall"], &place[..]].concat());
    assert_eq!(server.exported(&one), "16 points, 16 of them new there\n");
    assert_eq!(server.points(), sorted(points(&one)));
    let all = || server.asked("SELECT * FROM etalon.part ORDER BY 1, 2, 3, 4, 5");
    let before = all();
    assert_eq!(server.exported(&one), "16 points, 0 of them new there\n");
    assert_eq!((server.points(), all()), (sorted(points(&one)), before));
    let readings = "SELECT cardinality(readings) FROM etalon.part p JOIN etalon.series s ON s.id = p.series \
                    WHERE benchmark LIKE 'quoted%'";
    assert_eq!(server.asked(readings), ["5"]);
    // A third run of the commit, and one that was there.
    add(&other, 1, 20.0);
    add(&other, 1, 7.0);
    add(&both, 1, 20.0);
    assert_eq!(server.exported(&other), "1 point, 0 of them new there\n");
    let pooled = |all: Vec<Value>| -> Vec<Value> {
        let is_it = |it: &Value| it["benchmark"] == "b0" && it["commit"] == commit(1).as_str();
        all.into_iter().filter(is_it).collect()
    };
    let expected = pooled(points(&both));
    assert_eq!((expected.len(), expected[0]["runs"].as_f64()), (1, Some(3.0)));
    for lab in [&one, &other, &both, &one] {
        let close = |value: &Value| (value.as_f64().unwrap() * 1e6).round();
        let found = pooled(server.points());
        assert_eq!(found.len(), 1);
        for field in ["value", "lo", "hi", "runs", "n"] {
            assert_eq!(close(&found[0][field]), close(&expected[0][field]), "{field}");
        }
        server.exported(lab);
    }
}

/// Would catch exports that wait for each other for ever or merge a row twice, and one whose end nobody saw and that no
/// other makes whole.
#[test]
fn exports_at_once_and_killed_ones_leave_it_whole() {
    let labs = [Lab::new(), Lab::new()];
    let Some(server) = Postgres::start(&labs[0]) else { return };
    for lab in &labs {
        results(lab, "all", 60);
        import(lab);
    }
    let began = std::time::Instant::now();
    Running::start(server.export(&labs[0])).end().expect(0);
    let took = u64::try_from(began.elapsed().as_micros()).unwrap();
    for kill in 0..8 {
        server.asked("DROP SCHEMA etalon CASCADE");
        let exports: Vec<Running> =
            labs.iter().map(|lab| Running::start(server.export(lab))).collect();
        std::thread::sleep(std::time::Duration::from_micros(took * kill / 8));
        signal(exports[0].pid(), libc::SIGKILL);
        let [killed, other] = <[Running; 2]>::try_from(exports).ok().unwrap();
        killed.end();
        other.end().expect(0);
        assert_eq!(server.points(), sorted(points(&labs[1])));
        server.exported(&labs[0]);
        assert_eq!(server.points().len(), 300);
    }
}

/// Would catch a password in a message, a newer etalon's tables that are written to, and errors that do not say why.
#[test]
fn what_a_server_refuses_is_said_and_no_secret_is() {
    let lab = Lab::new();
    let export = |url: &str| lab.run(["history", "export", "--to", "postgres", url]);
    let Some(server) = Postgres::start(&lab) else { return };
    results(&lab, "all", 1);
    import(&lab);
    has(&export("points.db").expect(2).stderr, &["postgres://USER@HOST/DATABASE"]);
    has(&export(&server.url()).expect(2).stderr, &["password"]);
    let socket = server.socket();
    let socket = socket.to_str().unwrap().replace('/', "%2F");
    for url in [
        format!("postgres://postgres:hunter2@{socket}/postgres"),
        "postgres://me:hunter2@localhost:1/none".to_owned(),
        "postgres://me:hunter2@localhost:none/none".to_owned(),
        "postgres://me:hunter2@localhost:1/none?sslmode=require".to_owned(),
    ] {
        let ended = export(&url).expect(2);
        has(&ended.stderr, &["export --to postgres: "]);
        assert!(!ended.stderr.contains("hunter2") && ended.stdout.is_empty(), "{}", ended.stderr);
    }
    let mut forced = server.export(&lab);
    forced.arg("--force");
    has(&Running::start(forced).end().expect(2).stderr, &["--force: nothing is replaced"]);
    server.exported(&lab);
    server.asked("UPDATE etalon.steps SET taken = 9");
    add(&lab, 0, 1.0);
    let newer = Running::start(server.export(&lab)).end().expect(2);
    has(&newer.stderr, &["a newer etalon", "schema 9"]);
    assert_eq!(server.asked("SELECT max(runs) FROM etalon.points"), ["1"]);
}

/// Every row of a file, by DuckDB, with texts, numbers and nothing as they are.
const READ: &str = r#"
import duckdb, json, sys
rows = duckdb.sql(f"SELECT * FROM read_parquet('{sys.argv[1]}')")
print(json.dumps([dict(zip(rows.columns, row)) for row in rows.fetchall()]))
"#;

/// Would catch a file that others cannot read, a value that stands beside its field, and an anchor or a position that is
/// made up where there is none.
#[test]
fn other_programs_read_parquet() {
    let python = root().join("target/venv/bin/python");
    let installed = Command::new(&python).args(["-c", "import duckdb"]).output();
    if !installed.is_ok_and(|it| it.status.success()) {
        skip("histories as Parquet: duckdb is not installed (make test INSTALL=1 installs it)");
        return;
    }
    let lab = Lab::new();
    results(&lab, "all", 40);
    import(&lab);
    add(&lab, 1, 7.0);
    add(&lab, 1, 7.5);
    let exported = lab.done(["history", "export", "--to", "parquet", "points.parquet"]);
    assert_eq!(exported, "200 points of 5 series\n");
    let read = lab.program(python.to_str().unwrap(), ["-c", READ, "points.parquet"]);
    let read = Running::start(read).end().expect(0).stdout;
    let mut read: Vec<Value> = serde_json::from_str(&read).unwrap();
    for point in &mut read {
        point["facts"] = serde_json::from_str(point["facts"].as_str().unwrap()).unwrap();
    }
    assert_eq!(sorted(read), sorted(points(&lab)));
    has(
        &lab.run(["history", "export", "--to", "parquet", "points.parquet"]).expect(2).stderr,
        &["points.parquet", "--force"],
    );
}
