//! Runtime, hardware, date and host that cases were executed on. Refuses to guess: facts that are not recorded are left
//! out.

use etalon_core::model::Context;
use etalon_core::units::{Base, Unit};

use crate::number::fixed;
use crate::text::clean;

/// Labels and values: etalon's facts, or those that Go's benchmarks print.
pub(crate) fn environment(context: &Context, started: Option<&str>) -> Vec<(&'static str, String)> {
    let fact = |key: &str| context.get(key).map(|value| clean(value));
    let host = [
        fact("kernel.name").or_else(|| fact("goos")),
        fact("os"),
        fact("machine.arch").or_else(|| fact("goarch")),
        fact("kernel.release").map(|release| format!("kernel={release}")),
    ];
    let hardware = [
        fact("cpu.model").or_else(|| fact("cpu")),
        cores(context),
        fact("memory.total").and_then(|b| memory(&b)),
    ];
    let rows = [
        ("Runtime", runtime(context)),
        ("Hardware", joined(hardware)),
        ("Date", started.map(seconds)),
        ("Host", joined(host)),
    ];
    rows.into_iter().filter_map(|(label, value)| Some((label, value?))).collect()
}

/// The Lua, or all of them.
fn runtime(context: &Context) -> Option<String> {
    let fact = |key: &str| context.get(key).map(|value| clean(value));
    if let Some(hosts) = fact("runtime.hosts") {
        return Some(hosts);
    }
    let (language, version) = (fact("runtime.language"), fact("runtime.version"));
    let embedded = fact("runtime.host").is_some_and(|host| host == "embedded");
    joined([
        language.clone(),
        version
            .filter(|version| language.as_ref() != Some(version))
            .map(|version| if embedded { format!("embedded {version}") } else { version }),
        fact("runtime.jit").map(|jit| match jit.as_str() {
            "none" => "no JIT".to_owned(),
            how => format!("JIT={how}"),
        }),
        fact("runtime.path"),
    ])
}

/// A time to the second.
pub(crate) fn seconds(time: &str) -> String {
    match time.split_once('.') {
        Some((whole, rest)) => {
            clean(&format!("{whole}{}", rest.trim_start_matches(|c: char| c.is_ascii_digit())))
        }
        None => clean(time),
    }
}

fn joined(facts: impl IntoIterator<Item = Option<String>>) -> Option<String> {
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    (!facts.is_empty()).then(|| facts.join(", "))
}

fn cores(context: &Context) -> Option<String> {
    let fact = |key: &str| context.get(key);
    let threads = fact("cpu.cores")?;
    Some(match fact("cpu.cores_physical") {
        Some(cores) => format!("{} cores ({} threads)", clean(cores), clean(threads)),
        None => format!("{} CPUs", clean(threads)),
    })
}

fn memory(bytes: &str) -> Option<String> {
    let bytes: f64 = bytes.parse().ok()?;
    let unit = Unit::for_display(&Base::Bytes, bytes);
    Some(format!("{} {}", fixed(unit.from_base(bytes), 2), unit.symbol()))
}
