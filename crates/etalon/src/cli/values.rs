//! Values of options: each parser accepts what is unambiguous and says what to write otherwise.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::time::Duration;

use etalon_core::criteria::Margin;
use etalon_core::model::Accept;
use etalon_core::stats::Correction;
use etalon_core::units::{Base, Dimension, Unit, parse_quantity, parse_seconds};
use etalon_record::open::SourceFormat;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// Where the commands' output goes, as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StdoutArg {
    /// Discarded.
    Null,
    /// To etalon's own.
    Inherit,
    /// Through a pipe that etalon empties.
    Pipe,
    /// Into a file.
    File(OsString),
}

/// `--stdout`.
pub(crate) fn stdout(text: &str) -> Result<StdoutArg, String> {
    Ok(match text {
        "" => return Err("write null, inherit, pipe, or a file's name".to_owned()),
        "null" => StdoutArg::Null,
        "inherit" => StdoutArg::Inherit,
        "pipe" => StdoutArg::Pipe,
        file => StdoutArg::File(file.into()),
    })
}

/// A whole number within a range.
pub(crate) fn whole(
    range: RangeInclusive<u32>,
) -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync + 'static {
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!("write a whole number from {} to {}", range.start(), range.end())),
    }
}

/// `--since`: an age, or a date in local time.
pub(crate) fn since(text: &str) -> Result<Timestamp, String> {
    if let Ok(date) = text.parse::<Date>() {
        let local = date.to_zoned(TimeZone::system());
        return local.map(|at| at.timestamp()).map_err(|error| error.to_string());
    }
    age(text).map_err(|why| format!("{why}, or a date such as 2026-11-21"))
}

/// The moment so long ago: `90d`, `12h`, `3w`.
pub(crate) fn age(text: &str) -> Result<Timestamp, String> {
    let hint = || "write an age, such as 90d (days), 12h (hours) or 3w (weeks)".to_owned();
    let at = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let hours = match unit.trim() {
        "h" => 1,
        "d" => 24,
        "w" => 7 * 24,
        _ => return Err(hint()),
    };
    let number: i64 = number.parse().map_err(|_| hint())?;
    let span = number.checked_mul(hours * 3600).map(SignedDuration::from_secs);
    span.and_then(|span| etalon_run::now().checked_sub(span).ok()).ok_or_else(hint)
}

/// A moment: RFC 3339, or the beginning of a day in UTC.
pub(crate) fn moment(text: &str) -> Result<Timestamp, String> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(moment);
    }
    let day = text.parse::<Date>().ok().and_then(|date| date.to_zoned(TimeZone::UTC).ok());
    let hint = || "write a date, 2026-11-21, or a moment, 2026-11-21T10:00:00Z".to_owned();
    day.map(|at| at.timestamp()).ok_or_else(hint)
}

/// A time in seconds: `5s`, `200ms`; a bare number is seconds.
pub(crate) fn duration(text: &str) -> Result<f64, String> {
    let hint = "write a time above 0, such as 5s, 200ms or 10m";
    // As Go and every shell's sleep have it; a record's unit of that name would be another.
    let minutes = text.strip_suffix('m').and_then(|number| number.trim().parse::<f64>().ok());
    let minutes = minutes.map(|minutes| minutes * 60.0).filter(|it| (1e-6..=3e9).contains(it));
    minutes.or_else(|| parse_seconds(text)).ok_or_else(|| hint.to_owned())
}

/// Numbers of processors, separated by commas, each once: twice, a benchmark's readings would look like turns.
pub(crate) fn processors(text: &str) -> Result<String, String> {
    let hint = || "write numbers above 0, each once, such as 1,2,4".to_owned();
    let mut seen: Vec<u32> = Vec::new();
    for number in text.split(',') {
        let number = number.trim().parse().map_err(|_| hint())?;
        if number == 0 || seen.contains(&number) {
            return Err(hint());
        }
        seen.push(number);
    }
    Ok(seen.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
}

/// A time as Go writes it, for which a program may be executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GoTimeout {
    /// As it was typed.
    pub written: String,
    /// Without one, however long it takes.
    pub limit: Option<Duration>,
}

/// A time as Go writes it: `90s`, `1h30m`; `0` is no limit.
pub(crate) fn go_timeout(text: &str) -> Result<GoTimeout, String> {
    let hint = || "write a time as Go does, such as 90s, 10m or 1h30m; 0 is no limit".to_owned();
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let (mut rest, mut seconds) = (if text == "0" { "0s" } else { text }, 0.0);
    if rest.is_empty() {
        return Err(hint());
    }
    while !rest.is_empty() {
        let (number, after) = rest.split_at(rest.find(|c| !is_number(c)).ok_or_else(hint)?);
        let (unit, next) = after.split_at(after.find(is_number).unwrap_or(after.len()));
        let factor = match unit {
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 1e-3,
            "us" | "µs" | "μs" => 1e-6,
            "ns" => 1e-9,
            _ => return Err(hint()),
        };
        seconds += number.parse::<f64>().map_err(|_| hint())? * factor;
        rest = next;
    }
    let limit = Duration::try_from_secs_f64(seconds).map_err(|_| hint())?;
    Ok(GoTimeout { written: text.to_owned(), limit: Some(limit).filter(|it| !it.is_zero()) })
}

/// The whole seconds of a [`duration`], at least one: it is positive and below 3e9.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(crate) fn whole_seconds(seconds: f64) -> u32 {
    seconds.ceil() as u32
}

/// The nanoseconds of a [`duration`], which is positive and below 3e9 s.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(crate) fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}

/// A time in seconds, or none: `0`, `0s`, `200ms`.
pub(crate) fn duration_or_zero(text: &str) -> Result<f64, String> {
    match parse_quantity(text) {
        Ok(quantity)
            if quantity.value == 0.0 && Unit::new(&quantity.unit).base() == &Base::Seconds =>
        {
            Ok(0.0)
        }
        Ok(quantity) if quantity.value == 0.0 && quantity.unit.is_empty() => Ok(0.0),
        _ => duration(text).map_err(|_| "write a time such as 0, 50ms or 1s".to_owned()),
    }
}

/// A size in bytes: `500MB`, `1GiB`; a bare number is bytes.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let hint = "write a size of at least 1MB, such as 500MB or 2GiB";
    let quantity = parse_quantity(text).map_err(|_| hint.to_owned())?;
    let unit = Unit::new(if quantity.unit.is_empty() { "B" } else { &quantity.unit });
    let bytes = unit.to_base(quantity.value);
    if *unit.base() != Base::Bytes || !(1e6..=1e15).contains(&bytes) {
        return Err(hint.to_owned());
    }
    Ok(bytes as u64)
}

/// A share: `5%`, or a fraction below 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let hint = "write a percentage above 0, such as 2%, or a fraction below 1, such as 0.02";
    let quantity = parse_quantity(text).map_err(|_| hint.to_owned())?;
    let share = match quantity.unit.as_str() {
        "%" => quantity.value / 100.0,
        "" if quantity.value < 1.0 => quantity.value,
        _ => return Err(hint.to_owned()),
    };
    if share > 0.0 && share <= 1e6 { Ok(share) } else { Err(hint.to_owned()) }
}

/// `--between`: a share, which may be 0.
pub(crate) fn scatter(text: &str) -> Result<f64, String> {
    let hint = "write a percentage such as 2%, or 0 for data known to be interleaved";
    match parse_quantity(text) {
        Ok(quantity) if quantity.value == 0.0 => Ok(0.0),
        _ => share(text).map_err(|_| hint.to_owned()),
    }
}

/// `--margin`: a share, or an amount in a unit.
pub(crate) fn margin(text: &str) -> Result<Margin, String> {
    let hint = "write a percentage such as 1%, or an amount with its unit such as 200us, 10B or \
                5count";
    let quantity = parse_quantity(text).map_err(|_| hint.to_owned())?;
    if matches!(quantity.unit.as_str(), "" | "%") {
        return share(text).map(Margin::Relative).map_err(|_| hint.to_owned());
    }
    let unit = Unit::new(&quantity.unit);
    let size = unit.to_base(quantity.value);
    match unit.base().dimension() {
        Some(of) if size > 0.0 => Ok(Margin::Absolute(size, of)),
        _ => Err(hint.to_owned()),
    }
}

/// Whether a margin is one of anything that is compared, whose base units and names these are.
///
/// # Errors
/// If it is not, and no verdict would use it.
pub(crate) fn margin_applies(margin: Margin, bases: &[Base], compared: &str) -> Result<(), String> {
    let Margin::Absolute(_, of) = margin else { return Ok(()) };
    if bases.iter().any(|base| base.dimension() == Some(of)) {
        return Ok(());
    }
    let what = match of {
        Dimension::Time => "a time",
        Dimension::Size => "a size",
        Dimension::Number => "a number of things",
    };
    Err(format!(
        "--margin: is {what}, and nothing that is compared is one ({compared}): write an amount in its \
         unit, or a percentage such as 1%"
    ))
}

/// A number strictly between 0 and 1.
pub(crate) fn open_unit(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(p) if p > 0.0 && p < 1.0 => Ok(p),
        _ => Err("write a number between 0 and 1, such as 0.05".to_owned()),
    }
}

/// `--confidence`: `95%` or `0.95`.
pub(crate) fn level(text: &str) -> Result<f64, String> {
    let hint = "write a level between 50% and 99.9999%, such as 95% or 0.95";
    let level = share(text).map_err(|_| hint.to_owned())?;
    if (0.5..=0.999_999).contains(&level) { Ok(level) } else { Err(hint.to_owned()) }
}

/// `--correction`.
pub(crate) fn correction(text: &str) -> Result<Correction, String> {
    Correction::named(text).ok_or_else(|| "write holm, bh or none".to_owned())
}

/// `-i`: nothing for any code, or codes separated by commas.
pub(crate) fn accept(text: &str) -> Result<Accept, String> {
    if text.is_empty() || text == "all-non-zero" {
        return Ok(Accept::Any);
    }
    let code = |part: &str| match part.trim().parse::<i32>() {
        Ok(code @ 1..=255) => Ok(code),
        _ => Err("write exit codes from 1 to 255, such as -i=1,2".to_owned()),
    };
    text.split(',').map(code).collect::<Result<_, _>>().map(Accept::Codes)
}

/// `--from`.
pub(crate) fn from(text: &str) -> Result<SourceFormat, String> {
    SourceFormat::named(text).ok_or_else(|| {
        let names: Vec<&str> = SourceFormat::names().map(|(name, _)| name).collect();
        format!("write one of {}", names.join(", "))
    })
}

/// CPUs by number, ascending, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CpuList(pub Vec<usize>);

impl std::fmt::Display for CpuList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&numbers.join(","))
    }
}

/// The highest CPU number that is taken: what a `cpu_set_t` of the C library holds.
const HIGHEST_CPU: usize = 1023;

/// `--cpu`: numbers and ranges separated by commas, `0,2-3`.
pub(crate) fn cpus(text: &str) -> Result<CpuList, String> {
    let hint =
        || format!("write CPU numbers up to {HIGHEST_CPU} and ranges of them, such as 0,2-3");
    let number = |text: &str| match text.trim().parse::<usize>() {
        Ok(number) if number <= HIGHEST_CPU && !text.contains('+') => Ok(number),
        _ => Err(hint()),
    };
    let mut cpus = std::collections::BTreeSet::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (number(first)?, number(last)?);
        if first > last {
            return Err(format!("{first}-{last} runs backwards: {}", hint()));
        }
        cpus.extend(first..=last);
    }
    Ok(CpuList(cpus.into_iter().collect()))
}

/// `--env K=V`.
pub(crate) fn env_pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_need_a_unit_of_time_and_keep_their_fraction() {
        assert_eq!(duration("1.5"), Ok(1.5));
        assert_eq!(duration("200ms"), Ok(0.2));
        assert_eq!(duration("2 min"), Ok(120.0));
        for bad in ["0", "-1s", "5MB", "nan", "1e300s", "", "5 lightyears"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    /// Would catch a number that is cut or wrapped around, and an error that says not what to write.
    #[test]
    fn whole_numbers_have_a_range() {
        let count = whole(1..=300);
        assert_eq!((count("1"), count("300")), (Ok(1), Ok(300)));
        for bad in ["abc", "", "0", "301", "-1", "1.5", "1e2", "5s", "4294967297"] {
            assert_eq!(count(bad), Err("write a whole number from 1 to 300".to_owned()), "{bad}");
        }
    }

    #[test]
    fn shares_are_never_guessed() {
        assert_eq!(share("2%"), Ok(0.02));
        assert_eq!(share("0.02"), Ok(0.02));
        for bad in ["2", "0", "-1%", "2s", "inf"] {
            assert!(share(bad).is_err(), "{bad}");
        }
    }

    /// Would catch the minutes of the documentation being refused, or taken for something else.
    #[test]
    fn a_time_may_be_in_minutes() {
        assert_eq!((duration("10m"), duration("1.5m")), (Ok(600.0), Ok(90.0)));
        assert_eq!((duration("10min"), duration("200ms")), (Ok(600.0), Ok(0.2)));
        for bad in ["m", "0m", "-1m", "infm", "NaNm", "1e99m"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn processors_are_numbers_each_once() {
        assert_eq!(processors("1, 2,4"), Ok("1,2,4".to_owned()));
        for bad in ["", "0", "1,,2", "1,1", "-1", "two"] {
            assert!(processors(bad).is_err(), "{bad}");
        }
    }

    /// Would catch a time that Go would take for another one.
    #[test]
    fn times_of_go_are_sums() {
        let limit = |text: &str| go_timeout(text).map(|timeout| timeout.limit);
        let seconds = |seconds| Ok(Some(Duration::from_millis(seconds)));
        assert_eq!(limit("90s"), seconds(90_000));
        assert_eq!(limit("1h30m"), seconds(5_400_000));
        assert_eq!(limit("1.5s500ms"), seconds(2_000));
        assert_eq!((limit("0"), limit("0s")), (Ok(None), Ok(None)));
        for bad in ["", "10", "5 m", "-1s", "1d", "m", "1..s", "soon"] {
            assert!(limit(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_scatter_may_be_none() {
        assert_eq!((scatter("0"), scatter("0%"), scatter("2.5%")), (Ok(0.0), Ok(0.0), Ok(0.025)));
        for bad in ["2", "-1%", "2s", "much"] {
            assert!(scatter(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn margins_are_relative_or_absolute() {
        assert_eq!(margin("1%"), Ok(Margin::Relative(0.01)));
        assert_eq!(margin("500us"), Ok(Margin::Absolute(5e-4, Dimension::Time)));
        assert_eq!(margin("1MiB"), Ok(Margin::Absolute(1_048_576.0, Dimension::Size)));
        assert_eq!(margin("5count"), Ok(Margin::Absolute(5.0, Dimension::Number)));
        for bad in ["500", "5 parsecs", "-1us", "0%"] {
            assert!(margin(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn cpu_lists() {
        assert_eq!(cpus("0"), Ok(CpuList(vec![0])));
        assert_eq!(cpus("4,0-2, 1").map(|list| list.to_string()), Ok("0,1,2,4".to_owned()));
        for bad in
            ["", "a", "-1", "1-", "1,,2", "3-1", "0-1024", "1.5", "+1", "99999999999999999999"]
        {
            assert!(cpus(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn exit_codes() {
        assert_eq!(accept(""), Ok(Accept::Any));
        assert_eq!(accept("all-non-zero"), Ok(Accept::Any));
        assert_eq!(accept("1,2"), Ok(Accept::Codes(vec![1, 2])));
        assert!(accept("0").is_err() && accept("x").is_err() && accept("256").is_err());
    }
}
