//! Findings about Luas: those inside etalon and on this machine, and OpenResty.
//!
//! Each is started once and asked what it is, as `etalon run` does before it measures. No suite is loaded.

use std::ops::ControlFlow;
use std::time::Duration;

use etalon_lua::{Host, Interpreter, Limits, Runtime};
use etalon_probe::launcher::protocol::Control;
use etalon_record::store::NewRecord;
use etalon_report::doctor::{Finding, LUA};
use etalon_run::lua::{Discovery, ask};
use etalon_run::{Progress, Watcher};

use super::finding::Thing;
use crate::hosts;

/// How long a Lua may take to answer. Because an nginx takes some ms, and a machine may be a thousand times as slow.
const PATIENCE: Duration = Duration::from_secs(10);

/// Every Lua that is there, with what it says of itself.
pub(super) fn findings() -> Vec<Finding> {
    let control = Control::default();
    let spec = Discovery {
        variants: &[],
        others: &[],
        limits: Limits { memory: None },
        control: &control,
        timeout: PATIENCE,
    };
    hosts::here().iter().map(|host| finding(host, answer(host, &spec))).collect()
}

fn answer(host: &Host, spec: &Discovery<'_>) -> Result<Runtime, String> {
    match ask(host, spec, &mut Nobody) {
        Ok(ControlFlow::Continue(answer)) => answer,
        Ok(ControlFlow::Break(())) => Err("it was not asked".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn finding(host: &Host, answer: Result<Runtime, String>) -> Finding {
    let thing = Thing {
        key: LUA,
        name: "Lua",
        means: match host.interpreter {
            Interpreter::Nginx(_) => {
                "Cases are executed in one worker without a master, in a timer without delay, with settings of resty \
                 (worker_processes 1, lua_regex_cache_max_entries 40960, no timer_resolution). Times are never those of \
                 ngx.now, which is cached: it stands still between calls of ngx.update_time."
            }
            _ => {
                "With the native clock and a counted allocator, times have the clock's resolution and bytes per call are \
                 exact; otherwise steps of 1 µs or more, and estimates."
            }
        },
    };
    let name = &host.name;
    let runtime = match answer {
        Ok(runtime) => runtime,
        Err(why) => {
            let why = why.lines().next().unwrap_or_default();
            return thing.unknown(format!("{name}: {why}"));
        }
    };
    let Runtime { version, jit, clock, memory, assertions, .. } = &runtime;
    let jit = if jit == "none" { "no JIT".to_owned() } else { format!("JIT {jit}") };
    let mut value = format!("{name} ({version}, {jit})");
    let worse = [
        (clock != "native").then(|| format!("clock of {clock}")),
        (memory != "allocator").then(|| "bytes by collectgarbage".to_owned()),
        assertions.then(|| "built with assertions, which slow it down".to_owned()),
    ];
    let worse: Vec<String> = worse.into_iter().flatten().collect();
    if worse.is_empty() {
        return thing.good(value);
    }
    value.push_str(&format!(": {}", worse.join(", ")));
    thing.scatters(value, None)
}

/// Nobody looks on: Ctrl-C ends etalon.
struct Nobody;

impl Watcher for Nobody {
    fn wants_progress(&self) -> bool {
        false
    }

    fn progress(&mut self, _: &Progress<'_>) {}

    fn will_take(&mut self, _: u32, _: f64) {}

    fn interrupted(&mut self) -> bool {
        false
    }

    fn stage_done(&mut self, _: &NewRecord) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_report::doctor::State;

    /// Would catch a Lua called good that has steps of a microsecond, and one that says nothing called anything.
    #[test]
    fn a_lua_is_as_good_as_its_clock_and_allocator() {
        let runtime = |clock: &str, memory: &str, assertions| Runtime {
            version: "Lua 5.4.4".to_owned(),
            language: "Lua 5.4".to_owned(),
            jit: "none".to_owned(),
            clock: clock.to_owned(),
            memory: memory.to_owned(),
            assertions,
        };
        let host = Host::new("lua5.4", Interpreter::Program("/bin/lua".into()));
        let of = |answer| {
            let found = finding(&host, answer);
            (found.state, found.value)
        };
        let said = "lua5.4 (Lua 5.4.4, no JIT)";
        let good = of(Ok(runtime("native", "allocator", false)));
        assert_eq!(good, (State::Good, said.to_owned()));
        let (state, value) = of(Ok(runtime("os", "count", true)));
        assert_eq!(state, State::Scatters);
        let worse = "clock of os, bytes by collectgarbage, built with assertions";
        assert!(value.starts_with(&format!("{said}: {worse}")), "{value}");
        let silent = of(Err("it does not start\nlog".to_owned()));
        assert_eq!(silent, (State::Unknown, "lua5.4: it does not start".to_owned()));
    }
}
