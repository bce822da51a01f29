//! Whatever a suite does to standard streams and globals, the answers stay whole.

use super::Test;
use super::lab::{Lab, quick};

pub(crate) const TESTS: &[Test] = &[
    ("printing_is_handed_out_by_phase", printing_is_handed_out_by_phase),
    ("closed_streams_do_no_harm", closed_streams_do_no_harm),
    ("the_first_64_kib_are_kept", the_first_64_kib_are_kept),
    ("standard_input_is_empty", standard_input_is_empty),
    ("replaced_globals_do_no_harm", replaced_globals_do_no_harm),
    ("odd_names_survive", odd_names_survive),
];

/// Catches output that reaches the answers, is left in C's buffers, or is credited to a later phase.
fn printing_is_handed_out_by_phase() {
    let lab = Lab::new(
        "print('loading'); io.write('no newline'); io.stderr:write('error\\n')
         measure.describe('a').setup(function() print('setup') end).run(function() end)
         function measure.after_all() print('{\"type\":\"finished\"}') end",
    );
    let (mut talk, _) = lab.loaded();
    let printed = talk.printed();
    assert!(printed.contains("loading\nno newline") && printed.contains("error\n"), "{printed}");
    talk.prepare(quick());
    assert_eq!(talk.printed(), "setup\n");
    talk.finish();
    assert_eq!(talk.printed(), "{\"type\":\"finished\"}\n");
}

/// Catches a driver that needs standard output, and one that writes to whatever got its number.
fn closed_streams_do_no_harm() {
    let lab = Lab::new(
        "io.stdout:close(); io.stderr:close(); io.stdin:close()
         local taken = io.open('/dev/null', 'w')
         measure.describe('a').run(function() taken:write('x') end)",
    );
    let (_, finished) = lab.finished();
    assert_eq!(finished.samples, 2);
}

/// Catches a worker that blocks on a full pipe, and a client that keeps everything.
fn the_first_64_kib_are_kept() {
    let lab = Lab::new(
        "for i = 1, 3000 do print(('x'):rep(99)) end
         measure.describe('a').run(function() end)",
    );
    let (mut talk, _) = lab.loaded();
    let output = talk.worker.output();
    assert_eq!((output.text.len(), output.lost), (65_536, 300_000 - 65_536));
    assert_eq!(talk.worker.output().text.len(), 0);
}

/// Catches a suite that reads the requests.
fn standard_input_is_empty() {
    let lab = Lab::new(
        "assert(io.read('*a') == '')
         measure.describe('a').run(function() assert(not io.read()) end)",
    );
    lab.finished();
}

/// Catches a driver that looks a function up after the suite had its way.
fn replaced_globals_do_no_harm() {
    let lab = Lab::new(
        "measure.describe('a').run(function() end)
         function measure.before_all()
             for _, library in ipairs({ string, table, math, io, os, debug, package, jit, _G }) do
                 for name in next, library do library[name] = nil end
             end
         end",
    );
    lab.finished();
}

/// Catches text that is no JSON: control characters, quotes, a name that is not ASCII.
fn odd_names_survive() {
    let lab = Lab::new(
        "measure.describe('\\195\\169 \"q\" \\\\').skip('why\\nnot').run(function() end)
         measure.describe('p', { { 'z', { 'x', true } }, { 'a', { 1, 0.1 } } }).run(function() end)",
    );
    let (_, loaded) = lab.loaded();
    assert_eq!(loaded.cases[0].name, "é \"q\" \\");
    assert_eq!(loaded.cases[0].skip.as_deref(), Some("why\nnot"));
    let params: Vec<_> =
        loaded.cases[1..].iter().map(|case| format!("{:?}", case.params)).collect();
    assert_eq!(
        params,
        [
            r#"[("z", "x"), ("a", "1")]"#,
            r#"[("z", "x"), ("a", "0.1")]"#,
            r#"[("z", "true"), ("a", "1")]"#,
            r#"[("z", "true"), ("a", "0.1")]"#,
        ]
    );
}
