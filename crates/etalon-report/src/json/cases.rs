//! Cases in the document, their suites, and the tests of means.

use serde_json::{Map, Value, json};

use etalon_core::analysis::{
    CaseFacts, Compiling, Courses, Failures, Means, MeansFinding, Memory, Mode, Pair, Suite,
    Summary, Target, Tested,
};
use etalon_core::dataset::TraceAborts;
use etalon_core::metrics;
use etalon_core::model::{Case, CaseHost, Collector, Sampling};
use etalon_core::notes::{Course, Growth};
use etalon_core::stats::{Boundary, Clustering, Fate, NEGLIGIBLE_D, Split};

/// The `case` of a benchmark; `null` for a command.
pub(super) fn case(summary: &Summary) -> Value {
    let (Some(case), Some(facts)) = (&summary.benchmark.case, &summary.case) else {
        return Value::Null;
    };
    let Case { file, directory, line, group, tags, bytes, items, skipped, timer, host, sampling } =
        case;
    let CaseFacts {
        samples,
        blocks,
        iterations,
        seconds: _,
        outliers,
        precision,
        rates,
        growth,
        courses,
        memory,
        compiling,
        failures,
        printed: _,
    } = &**facts;
    json!({
        "suite": file,
        "directory": directory,
        "line": line,
        "group": group,
        "tags": tags,
        "bytes": bytes,
        "items": items,
        "skipped": skipped,
        "timer": timer,
        "host": host.as_deref().map(self::host),
        "sampling": self::sampling(sampling),
        "samples": samples,
        "blocks": blocks,
        "iterations": iterations,
        "outliers": outliers.map(|o| json!({"below": o.below, "above": o.above})),
        "interval_width": precision.map(|p| p.width),
        "rciw": precision.map(|p| p.relative),
        "quality": precision.map(|p| p.quality.word()),
        "target_met": precision.and_then(|p| p.target).map(|target| target == Target::Met),
        "calls_per_second": rates.map(|r| r.calls),
        "bytes_per_second": rates.and_then(|r| r.bytes),
        "items_per_second": rates.and_then(|r| r.items),
        "growth": growth.map(self::growth),
        "warming": courses.map(warming),
        "memory": self::memory(memory),
        "compiling": compiling.as_ref().map(self::compiling),
        "failures": failures.as_ref().map(failed),
    })
}

fn memory(memory: &Memory) -> Value {
    json!({
        "readings": memory.readings,
        "alloc": memory.alloc,
        "max_alloc": memory.max_alloc,
        "alloc_ratio": memory.relative,
        "allocs": memory.allocs,
        "peak": memory.peak,
        "retained": memory.retained,
        "interned": memory.interned,
        "retained_per_sample": memory.retained_per_sample,
        "gc_time": memory.gc_time,
    })
}

/// A time that grows with the calls made since a collection.
fn growth(growth: Growth) -> Value {
    let Growth { first_calls, first, calls, call } = growth;
    json!({ "first_calls": first_calls, "first": first, "calls": calls, "call": call })
}

/// The course of its processes' times from the warm-up on.
fn warming(courses: Courses) -> Value {
    let mut fields = Map::new();
    fields.insert("class".to_owned(), json!(courses.most().map(Course::word)));
    for course in Course::ALL {
        fields.insert(course.word().to_owned(), json!(courses.count(course)));
    }
    Value::Object(fields)
}

/// The work of a JIT compiler for a case.
fn compiling(compiling: &Compiling) -> Value {
    let aborts = |it: &TraceAborts| json!({"reason": it.reason, "at": it.at, "count": it.count, "processes": it.processes});
    json!({
        "mode": compiling.mode.map(Mode::word),
        "traces_started": compiling.started,
        "traces_completed": compiling.completed,
        "traces_aborted": compiling.aborted,
        "machine_code": compiling.machine_code,
        "interpreted": compiling.interpreted,
        "during_samples": compiling.during_samples,
        "aborts": compiling.aborts.iter().map(aborts).collect::<Vec<_>>(),
    })
}

/// The interpreter of a case.
fn host(host: &CaseHost) -> Value {
    let CaseHost { name, path, hash, version, language, jit, clock, memory } = host;
    json!({
        "name": name,
        "path": path,
        "hash": hash,
        "version": version,
        "language": language,
        "jit": jit,
        "clock": clock,
        "memory": memory,
    })
}

fn sampling(sampling: &Sampling) -> Value {
    let (collector, step) = match sampling.collector {
        Collector::Off => ("off", None),
        Collector::Full => ("full", None),
        Collector::Step(kilobytes) => ("step", Some(kilobytes)),
    };
    json!({
        "warmup": sampling.warmup.seconds(),
        "warmup_until_level": sampling.warmup.until_level(),
        "collector": collector,
        "step_kb": step,
        "confidence": sampling.confidence,
        "target": sampling.target,
    })
}

fn failed(failures: &Failures) -> Value {
    json!({"blocks": failures.blocks, "of": failures.of, "message": failures.said})
}

/// A suite: what is compared with what, and the tests of means.
pub(super) fn suite(suite: &Suite) -> Value {
    let param = |(name, value): &(String, String)| (name.clone(), json!(value));
    let job: Map<String, Value> = suite.scope.job.iter().map(param).collect();
    json!({
        "suite": suite.scope.file,
        "group": suite.scope.group,
        "job": job,
        "benchmarks": suite.members,
        "baseline": suite.baseline,
        "means": suite.means.as_ref().map(means),
    })
}

fn means(means: &Means) -> Value {
    let mut document = json!({
        "metric": metrics::WALL,
        "test": match means.tested {
            Tested::Welch { .. } => "welch",
            Tested::ScottKnott(_) => "scott_knott_esd",
        },
        "alpha": means.alpha,
        "benchmarks": means.members,
        "values": means.values,
    });
    match &means.tested {
        Tested::Welch { pairs, correction: by } => {
            document["correction"] = json!(by.name());
            document["pairs"] = pairs.iter().map(pair).collect();
        }
        Tested::ScottKnott(found) => {
            document["negligible_d"] = json!(NEGLIGIBLE_D);
            document["clustering"] = found.as_ref().ok().map(|c| clustering(c, means)).into();
        }
    }
    document
}

fn pair(pair: &Pair) -> Value {
    let test = pair.welch.as_ref().ok();
    json!({
        "base": pair.base,
        "candidate": pair.candidate,
        "difference": test.map(|t| -t.difference),
        "lo": test.map(|t| -t.interval.hi),
        "hi": test.map(|t| -t.interval.lo),
        "level": test.map(|t| t.interval.level),
        "t": test.map(|t| -t.t),
        "df": test.map(|t| t.df),
        "p": test.map(|t| t.p),
        "p_adjusted": pair.adjusted_p,
        "cohens_d": test.map(|t| -t.cohens_d),
        "different": pair.found.map(|found| found == MeansFinding::Difference),
        "lacking": pair.welch.as_ref().err().map(ToString::to_string),
    })
}

fn clustering(found: &Clustering, means: &Means) -> Value {
    let member = |place: &usize| means.members[*place];
    let split = |split: &Split| {
        let run = &found.order[split.from..split.to];
        json!({
            "benchmarks": run.iter().map(member).collect::<Vec<_>>(),
            "lower": split.cut - split.from,
            "lambda": split.lambda,
            "df": split.df,
            "p": split.p,
            "apart": split.fate == Fate::Apart,
        })
    };
    let boundary = |boundary: &Boundary| {
        json!({
            "below": member(&boundary.below),
            "above": member(&boundary.above),
            "cohens_d": boundary.d.as_ref().ok(),
            "apart": boundary.fate == Fate::Apart,
        })
    };
    json!({
        "clusters": found.clusters,
        "splits": found.splits.iter().map(split).collect::<Vec<_>>(),
        "boundaries": found.boundaries.iter().map(boundary).collect::<Vec<_>>(),
    })
}
