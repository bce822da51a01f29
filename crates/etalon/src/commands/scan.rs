//! Parameter scans: `-L VAR v1,v2,…` and `-P VAR MIN MAX`, and what becomes of a text that names
//! `{VAR}`.
//!
//! Pure: texts in, texts out. Numbers are decimals, so that steps of 0.1 give 0.3. Refuses to
//! guess: what is not a number, a step that leads away from the end, or more values than anybody
//! can measure is an error; `{x}` of an unknown x is left as it is. Which texts are filled is [`super::texts`]'s.

use etalon_report::text;
use std::fmt;

/// The most benchmarks that scans may make. Because: each is a line of the record and a program
/// the launcher holds; more is a slip in a range, not an experiment. (hyperfine has the same.)
pub(crate) const MOST: usize = 100_000;

/// The most digits of a number before and behind its point: what fits 128 bits with any scale.
const DIGITS: usize = 18;

/// A parameter and the values it takes, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scan {
    /// Its name, as in `{name}`.
    pub(crate) name: String,
    /// Its values, one after the other.
    pub(crate) values: Vec<String>,
}

/// A parameter with one of its values.
pub(crate) type Param = (String, String);

/// Why a scan cannot be taken; `what` is the option with its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ScanError {
    /// The parameter's name is empty or holds a brace.
    Name {
        /// The name as typed.
        name: String,
    },
    /// Two scans of one name.
    Twice { name: String },
    /// There is no value in the list.
    NoValues { name: String },
    /// Not a decimal number.
    NotANumber {
        /// The text as typed.
        text: String,
    },
    /// No step, where an end is no whole number.
    StepRequired { name: String, from: String, to: String },
    /// A step of 0.
    NoStep { name: String },
    /// The step leads away from the end.
    Away {
        name: String,
        /// Its first value.
        from: String,
        to: String,
        step: String,
    },
    /// More values than [`MOST`].
    TooMany {
        /// The things that would be so many.
        of: String,
    },
    /// Steps that do not belong to scans one by one.
    Steps {
        /// Steps given.
        steps: usize,
        /// Scans given.
        scans: usize,
    },
}

impl fmt::Display for ScanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScanError::Name { name } => write!(
                f,
                "parameter {}: a name is what stands between braces, such as n for {{n}}",
                text::named(name)
            ),
            ScanError::Twice { name } => {
                write!(f, "parameter {} is scanned twice: give each one name", text::named(name))
            }
            ScanError::NoValues { name } => {
                write!(f, "--parameter-list {name}: no values: write them as one,two,three")
            }
            ScanError::NotANumber { text } => write!(
                f,
                "--parameter-scan: {} is not a decimal number of at most {DIGITS} digits on \
                 either side of the point",
                text::named(text)
            ),
            ScanError::StepRequired { name, from, to } => write!(
                f,
                "--parameter-scan {name} {from} {to}: steps of 1 are for whole numbers: say how large they are, such as \
                 --parameter-step-size 0.1"
            ),
            ScanError::NoStep { name } => {
                write!(f, "--parameter-scan {name}: a step of 0 never arrives")
            }
            ScanError::Away { name, from, to, step } => write!(
                f,
                "--parameter-scan {name} {from} {to}: steps of {step} lead away from {to}: \
                 {}",
                if step.starts_with('-') {
                    "exchange them, or leave out the minus of --parameter-step-size"
                } else {
                    "exchange them, or give a negative --parameter-step-size"
                }
            ),
            ScanError::TooMany { of } => {
                // Of a scan by itself they are numbers in steps; together they are also lists.
                let remedy =
                    if of.starts_with("--") { "take larger steps" } else { "give fewer values" };
                write!(f, "{of}: more than {MOST} values, which is the limit: {remedy}")
            }
            ScanError::Steps { steps, scans: 0 } => {
                write!(f, "{steps} --parameter-step-size without --parameter-scan")
            }
            ScanError::Steps { steps, scans } => write!(
                f,
                "{steps} --parameter-step-size for {scans} --parameter-scan: give one for all, or \
                 one for each"
            ),
        }
    }
}

/// The scan of `--parameter-list NAME VALUES`: values separated by commas; `\,` is a comma within
/// one.
pub(crate) fn list(name: &str, values: &str) -> Result<Scan, ScanError> {
    if values.is_empty() {
        return Err(ScanError::NoValues { name: name.to_owned() });
    }
    let mut items = vec![String::new()];
    let mut chars = values.chars().peekable();
    while let Some(c) = chars.next() {
        let item = items.last_mut();
        match (c, chars.peek(), item) {
            ('\\', Some(','), Some(item)) => {
                chars.next();
                item.push(',');
            }
            (',', _, _) => items.push(String::new()),
            (c, _, Some(item)) => item.push(c),
            (_, _, None) => {}
        }
    }
    named(name, items)
}

/// The scan of `--parameter-scan NAME FROM TO` in steps: FROM, FROM + step, … as far as TO, written
/// with as many decimals as FROM or the step has. Between whole numbers a step is 1 unless it is given.
pub(crate) fn range(
    name: &str,
    from: &str,
    to: &str,
    given: Option<&str>,
) -> Result<Scan, ScanError> {
    let step = given.unwrap_or("1");
    let decimal = |text: &str| {
        Decimal::parse(text).ok_or_else(|| ScanError::NotANumber { text: text.to_owned() })
    };
    let (first, last, by) = (decimal(from)?, decimal(to)?, decimal(step)?);
    if given.is_none() && (first.scale > 0 || last.scale > 0) {
        let [name, from, to] = [name, from, to].map(str::to_owned);
        return Err(ScanError::StepRequired { name, from, to });
    }
    let scale = first.scale.max(last.scale).max(by.scale);
    let shown = first.scale.max(by.scale);
    let (first, last, by) = (first.units(scale), last.units(scale), by.units(scale));
    if by == 0 {
        return Err(ScanError::NoStep { name: name.to_owned() });
    }
    if (last - first).signum() * by.signum() < 0 {
        let [name, from, to, step] = [name, from, to, step].map(str::to_owned);
        return Err(ScanError::Away { name, from, to, step });
    }
    let steps = (last - first) / by;
    let Some(count) = usize::try_from(steps).ok().filter(|steps| *steps < MOST) else {
        let of = format!("--parameter-scan {name} {from} {to} in steps of {step}");
        return Err(ScanError::TooMany { of });
    };
    let value = |i| Decimal { units: first + i * by, scale }.shown(shown);
    named(name, (0..=count as i128).map(value).collect())
}

fn named(name: &str, values: Vec<String>) -> Result<Scan, ScanError> {
    if name.is_empty() || name.contains(['{', '}']) {
        return Err(ScanError::Name { name: name.to_owned() });
    }
    Ok(Scan { name: name.to_owned(), values })
}

/// A decimal number: `units` · 10^−`scale`.
#[derive(Debug, Clone, Copy)]
struct Decimal {
    units: i128,
    scale: usize,
}

impl Decimal {
    /// An optional sign, digits, and an optional point with digits: nothing else is a number here.
    fn parse(text: &str) -> Option<Decimal> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let fits = |digits: &str| {
            digits.len() <= DIGITS && digits.bytes().all(|digit| digit.is_ascii_digit())
        };
        if whole.len() + part.len() == 0 || !fits(whole) || !fits(part) {
            return None;
        }
        let units: i128 = format!("{whole}{part}").parse().ok()?;
        let units = if text.starts_with('-') { -units } else { units };
        Some(Decimal { units, scale: part.len() })
    }

    /// The units on a finer scale: 36 digits at most, within 128 bits.
    fn units(self, scale: usize) -> i128 {
        self.units * 10_i128.pow(u32::try_from(scale - self.scale).unwrap_or(0))
    }

    /// As text with this many decimals; what is cut off is 0.
    fn shown(self, decimals: usize) -> String {
        let sign = if self.units < 0 { "-" } else { "" };
        let digits = format!("{:0width$}", self.units.unsigned_abs(), width = self.scale + 1);
        let (whole, part) = digits.split_at(digits.len() - self.scale);
        if decimals == 0 {
            return format!("{sign}{whole}");
        }
        format!("{sign}{whole}.{}", &part[..decimals.min(part.len())])
    }
}

/// Whether `text` names the parameter.
pub(crate) fn uses(text: &[u8], name: &str) -> bool {
    let placeholder = format!("{{{name}}}");
    text.windows(placeholder.len()).any(|part| part == placeholder.as_bytes())
}

/// The text with every `{name}` replaced. One pass: a value that looks like a placeholder is not
/// looked at again.
pub(crate) fn fill(text: &[u8], params: &[Param]) -> Vec<u8> {
    let places: Vec<_> = params.iter().map(|(name, value)| (&name[..], value.as_bytes())).collect();
    replaced(text, &places)
}

/// The text with every `{name}` replaced by this.
pub(crate) fn filled(text: &[u8], name: &str, value: &[u8]) -> Vec<u8> {
    replaced(text, &[(name, value)])
}

fn replaced(text: &[u8], places: &[(&str, &[u8])]) -> Vec<u8> {
    let mut filled = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, after)) = rest.split_first() {
        let known = places.iter().find_map(|(name, value)| {
            let inside = rest.strip_prefix(b"{")?.strip_prefix(name.as_bytes())?;
            Some((inside.strip_prefix(b"}")?, *value))
        });
        rest = match known {
            Some((behind, value)) => {
                filled.extend_from_slice(value);
                behind
            }
            None => {
                filled.push(first);
                after
            }
        };
    }
    filled
}

/// All combinations of the scans' values, the last one varying fastest, at most [`MOST`]. One
/// without parameters for no scans.
pub(crate) fn product(scans: &[&Scan]) -> Result<Vec<Vec<Param>>, ScanError> {
    let count = scans.iter().try_fold(1_usize, |count, scan| count.checked_mul(scan.values.len()));
    if count.is_none_or(|count| count > MOST) {
        let names: Vec<String> = scans.iter().map(|scan| format!("{{{}}}", scan.name)).collect();
        return Err(ScanError::TooMany { of: format!("all of {} together", names.join(" × ")) });
    }
    let mut combinations = vec![Vec::new()];
    for scan in scans {
        let with = |params: &Vec<Param>| -> Vec<Vec<Param>> {
            let extended = |value: &String| {
                let mut params = params.clone();
                params.push((scan.name.clone(), value.clone()));
                params
            };
            scan.values.iter().map(extended).collect()
        };
        combinations = combinations.iter().flat_map(with).collect();
    }
    Ok(combinations)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(from: &str, to: &str, step: &str) -> Vec<String> {
        range("x", from, to, Some(step)).unwrap().values
    }

    fn error(from: &str, to: &str, step: &str) -> String {
        range("x", from, to, Some(step)).unwrap_err().to_string()
    }

    #[test]
    fn steps_are_decimal() {
        assert_eq!(values("0", "0.5", "0.1"), ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(values("1", "4", "1"), ["1", "2", "3", "4"]);
        assert_eq!(values("1.10", "1.12", "0.01"), ["1.10", "1.11", "1.12"]);
        assert_eq!(values("1", "2", "0.3"), ["1.0", "1.3", "1.6", "1.9"]);
        assert_eq!(values("1", "2.75", "1"), ["1", "2"]);
        assert_eq!(values("7", "7", "3"), ["7"]);
        assert_eq!(values(".5", "+1.", ".5"), ["0.5", "1.0"]);
    }

    #[test]
    fn steps_go_down_and_through_zero() {
        assert_eq!(values("2", "-2", "-2"), ["2", "0", "-2"]);
        assert_eq!(values("-0.2", "0.1", "0.1"), ["-0.2", "-0.1", "0.0", "0.1"]);
        assert_eq!(values("10", "5", "-2"), ["10", "8", "6"]);
    }

    #[test]
    fn the_longest_numbers_fit() {
        let (small, large) = ("0.000000000000000001", "999999999999999999.999999999999999999");
        assert_eq!(values(large, large, small), [large]);
        assert!(error("-999999999999999999", large, small).contains("limit"));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for bad in ["", "x", "nan", "inf", "1e3", "--1", "0x10", "1,5", ".", "1.2.3", "١"] {
            assert!(error(bad, "2", "1").contains("not a decimal number"), "{bad}");
            assert!(error("1", bad, "1").contains("not a decimal number"), "{bad}");
            assert!(error("1", "2", bad).contains("not a decimal number"), "{bad}");
        }
        assert!(error("1", "2", "1.0000000000000000001").contains("at most 18 digits"));
        assert!(error("1", "2", "0").contains("never arrives"));
        assert!(error("1", "2", "-0.0").contains("never arrives"));
        assert!(error("2", "1", "1").contains("give a negative --parameter-step-size"));
        assert!(error("1", "2", "-1").contains("leave out the minus"));
        assert!(error("0", "100000", "1").contains("more than 100000 values"));
        assert_eq!(values("1", "100000", "1").len(), MOST);
        for bad in ["", "{n}", "a}"] {
            assert!(list(bad, "1").unwrap_err().to_string().contains("between braces"), "{bad}");
        }
        assert!(list("n", "").unwrap_err().to_string().contains("no values"));
    }

    #[test]
    fn lists_are_split_at_commas_unless_they_are_escaped() {
        let values = |text| list("x", text).unwrap().values;
        assert_eq!(values("a,b c,-O2"), ["a", "b c", "-O2"]);
        assert_eq!(values("a\\,b,c\\d\\"), ["a,b", "c\\d\\"]);
        assert_eq!(values(",-O2,"), ["", "-O2", ""]);
        assert_eq!(values("é,ü"), ["é", "ü"]);
    }

    #[test]
    fn known_placeholders_are_filled_once_and_others_left_alone() {
        let params = [("n".to_owned(), "{m}".to_owned()), ("m".to_owned(), "5".to_owned())];
        let filled = |text: &str| String::from_utf8(fill(text.as_bytes(), &params)).unwrap();
        assert_eq!(filled("a {n} {m}{m} {x} {} { n} {{m}} {m"), "a {m} 55 {x} {} { n} {5} {m");
        assert_eq!(fill(b"\xff{m}", &params), b"\xff5");
        assert!(uses(b"a{n}b", "n") && !uses(b"a{nn}b {n", "n") && !uses(b"", "n"));
    }

    #[test]
    fn products_vary_the_last_fastest() {
        let (a, b) = (list("a", "1,2").unwrap(), list("b", "x,y").unwrap());
        let texts: Vec<String> = product(&[&a, &b])
            .unwrap()
            .iter()
            .map(|params| params.iter().map(|(k, v)| format!("{k}{v}")).collect())
            .collect();
        assert_eq!(texts, ["a1bx", "a1by", "a2bx", "a2by"]);
        assert_eq!(product(&[]).unwrap(), [vec![]]);
        let many = range("n", "1", "1000", None).unwrap();
        let refused = product(&[&many, &many]).unwrap_err().to_string();
        assert!(refused.contains("{n} × {n} together: more than 100000"), "{refused}");
    }
}
