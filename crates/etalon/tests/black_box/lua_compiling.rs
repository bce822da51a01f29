//! What reports say of LuaJIT's compiler: what was compiled, what was not and why, and how a case got going.

use crate::suites::run;
use crate::support::{Lab, has, joined};
use serde_json::json;

const SUITE: &str = "local measure = require('measure')
local n, t = 0, {}
for i = 1, 100 do t[i] = i end
measure.describe('sum'):run(function() local s = 0 for i = 1, 100 do s = s + t[i] end n = s end)
measure.describe('closure'):run(function()
    n = function() return t end
end)
measure.describe('new code'):run(function()
    n = loadstring('local s = 0 for i = 1, 100 do s = s + i end return s')()
end)
";

/// Would catch a case that cannot be compiled and about which nothing is said, one about which it is said falsely, and a
/// line that is not that of the code.
#[test]
fn a_case_that_cannot_be_compiled_is_named_with_its_line() {
    let lab = Lab::new();
    lab.write("s.lua", SUITE);
    let ended = run(&lab, &["s.lua"]).expect(0);
    let said = joined(&ended.stdout);
    has(&said, &["closure:isinterpreted:theJITcompilergaveupats.lua:6(NYI:bytecodeFNEW)"]);
    has(&said, &["newcode:theJITcompilerwasstillcompiling"]);
    assert!(!said.contains("sum:is"), "{}", ended.stdout);

    let full = joined(&lab.run(["report", "@last", "--full"]).expect(0).stdout);
    has(
        &full,
        &[
            "Firstcall,warm-upandcompiling",
            "compiled",
            "interpreted",
            "ats.lua:6(NYI:bytecodeFNEW)",
        ],
    );

    let document: serde_json::Value =
        serde_json::from_str(&lab.run(["report", "@last", "--json"]).expect(0).stdout)
            .expect("JSON");
    let case = |index: usize| &document["benchmarks"][index]["case"]["compiling"];
    assert_eq!([&case(0)["mode"], &case(1)["mode"]], [&json!("compiled"), &json!("interpreted")]);
    assert_eq!(case(1)["traces_completed"], json!(0.0));
    assert_eq!(case(1)["aborts"][0]["at"], json!("s.lua:6"));
    // On a busy machine a trace may be completed after the warm-up.
    let during = |index| case(index)["during_samples"].as_f64().expect("a share");
    assert!(during(0) < 0.5 && during(2) > 0.9, "{} {}", during(0), during(2));
}

/// Would catch a case without a compiler that is said to be interpreted because the compiler gave up.
#[test]
fn a_compiler_that_is_off_gives_up_nothing() {
    let lab = Lab::new();
    lab.write("s.lua", SUITE);
    let ended = run(&lab, &["--jit", "off", "--full", "s.lua"]).expect(0);
    let said = joined(&ended.stdout);
    has(&said, &["JIToff", "firstcall"]);
    assert!(!said.contains("gaveup"), "{}", ended.stdout);
    assert!(lab.record().of_type("abort").is_empty());
}
