//! Suites that write into the channel between their process and etalon: they break their own case, and
//! nothing they write is data.

use crate::suites::{broken, run, samples};
use crate::support::Lab;

/// Writes a text into every descriptor beyond the streams, which the channel is among.
const SCRIBBLE: &str = "local measure, ffi = require('measure'), require('ffi')
    ffi.cdef('long write(int, const char *, long);')
    local function scribble(text)
        for fd = 3, 1023 do ffi.C.write(fd, text, #text) end
    end\n";

/// Would catch rows of a suite's own among those that were measured: for another case, for another block or
/// turn of its own, before they are due, with values that are not read then.
#[test]
fn rows_that_a_suite_writes_are_no_data() {
    let rows = [
        r#""benchmark":0,"block":0,"turn":1,"iterations":1,"values":{"wall":123456789}"#,
        r#""benchmark":0,"block":1,"iterations":1,"values":{"rss":123456789}"#,
        r#""benchmark":1,"block":1,"turn":1,"iterations":1,"values":{"wall":123456789}"#,
        r#""benchmark":1,"block":0,"turn":7,"iterations":1,"values":{"wall":123456789}"#,
        r#""benchmark":1,"block":0,"turn":0,"values":{"rss":123456789}"#,
        r#""benchmark":1,"phase":"warmup","block":0,"values":{"wall":123456789}"#,
        r#""benchmark":1,"block":0,"turn":0,"leftovers":5,"values":{"wall":123456789}"#,
    ];
    // Before requests had numbers, and with the number of each that may be under way.
    let prefixes = ["", "1 ", "2 ", "3 ", "4 "];
    for row in rows {
        let lab = Lab::new();
        let line = |prefix: &&str| format!("{prefix}{{\"type\":\"observation\",{row}}}\\n");
        let scribbles: Vec<String> = prefixes
            .iter()
            .map(|prefix| {
                let text = line(prefix).replace('"', "\\\"");
                let name = format!("writes {prefix}");
                // Once it is measured: the first call of a batch, not of the warm-up.
                format!(
                    "measure.describe('{name}'):run(function(warmup)
                         if warmup or done then return end
                         done = true
                         scribble(\"{text}\")
                     end)\n"
                )
            })
            .collect();
        let victim = "measure.describe('victim'):run(function() end)\n";
        lab.write("s.lua", format!("{SCRIBBLE}{victim}{}", scribbles.concat()));
        run(&lab, &["s.lua"]).expect(1);
        let record = lab.record();
        let text = std::fs::read_to_string(lab.saved().last().expect("a record")).expect("UTF-8");
        assert!(!text.lines().any(|l| l.contains("123456789") && !l.contains("stderr")), "{row}");
        assert!(samples(&record, "victim") >= 6, "{row}");
        assert!(record.of(0).iter().all(|o| o.get("outcome").is_none()), "{row}");
        for prefix in prefixes {
            let (outcome, message) = broken(&record, &format!("writes {prefix}"));
            assert_eq!(outcome, r#"{"failed":1}"#);
            assert!(message.contains("does not understand"), "{row}: {message}");
        }
        lab.assert_nothing_left();
    }
}

/// Would catch answers that a suite gives in place of the driver, from its first line on: a list of cases
/// that are not in it, an end that did not come, bytes that are no line.
#[test]
fn answers_that_a_suite_gives_break_its_own_case() {
    for text in [
        r#"{\"type\":\"done\"}\n"#,
        r#"1 {\"type\":\"loaded\",\"ns\":1,\"cases\":[],\"options\":{}}\n"#,
        r#"2 {\"type\":\"finished\",\"samples\":1,\"metrics\":[]}\n"#,
        r"no end of line",
        r"\0\255\n",
        r"\n",
    ] {
        let lab = Lab::new();
        lab.write(
            "s.lua",
            format!(
                "{SCRIBBLE}
                 measure.describe('victim'):run(function() end)
                 measure.describe('answers'):setup(function() scribble(\"{text}\") end):run(function() end)"
            ),
        );
        run(&lab, &["s.lua"]).expect(1);
        let record = lab.record();
        assert!(samples(&record, "victim") >= 6, "{text}");
        assert_eq!(samples(&record, "answers"), 0, "{text}");
        assert_eq!(broken(&record, "answers").0, r#"{"failed":1}"#, "{text}");
    }
}
