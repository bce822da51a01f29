//! The driver's text, which this binary carries.
//!
//! Owns which parts there are, in which order. What they do is said in each.

use std::ffi::CStr;

/// The parts of the driver by the names it knows them under, `driver` itself last.
pub(crate) const PARTS: [(&CStr, &str); 33] = [
    (c"json", include_str!("../lua/json.lua")),
    (c"sources", include_str!("../lua/sources.lua")),
    (c"loops", include_str!("../lua/loops.lua")),
    (c"collector", include_str!("../lua/collector.lua")),
    (c"calibrate", include_str!("../lua/calibrate.lua")),
    (c"level", include_str!("../lua/level.lua")),
    (c"interned", include_str!("../lua/interned.lua")),
    (c"interpreted", include_str!("../lua/interpreted.lua")),
    (c"traces", include_str!("../lua/traces.lua")),
    (c"memory", include_str!("../lua/memory.lua")),
    (c"measure", include_str!("../lua/measure.lua")),
    (c"measure/calls", include_str!("../lua/measure/calls.lua")),
    (c"measure/case", include_str!("../lua/measure/case.lua")),
    (c"measure/checks", include_str!("../lua/measure/checks.lua")),
    (c"measure/describe", include_str!("../lua/measure/describe.lua")),
    (c"measure/lists", include_str!("../lua/measure/lists.lua")),
    (c"measure/metric", include_str!("../lua/measure/metric.lua")),
    (c"measure/module", include_str!("../lua/measure/module.lua")),
    (c"measure/options", include_str!("../lua/measure/options.lua")),
    (c"measure/params", include_str!("../lua/measure/params.lua")),
    (c"measure/places", include_str!("../lua/measure/places.lua")),
    (c"measure/registry", include_str!("../lua/measure/registry.lua")),
    (c"measure/spelling", include_str!("../lua/measure/spelling.lua")),
    (c"measure/words", include_str!("../lua/measure/words.lua")),
    (c"driver/errors", include_str!("../lua/driver/errors.lua")),
    (c"driver/hooks", include_str!("../lua/driver/hooks.lua")),
    (c"driver/lines", include_str!("../lua/driver/lines.lua")),
    (c"driver/once", include_str!("../lua/driver/once.lua")),
    (c"driver/paths", include_str!("../lua/driver/paths.lua")),
    (c"driver/resident", include_str!("../lua/driver/resident.lua")),
    (c"driver/sampling", include_str!("../lua/driver/sampling.lua")),
    (c"driver/suite", include_str!("../lua/driver/suite.lua")),
    (c"driver", include_str!("../lua/driver.lua")),
];
