//! Kernel and system: names, releases, address randomisation, and the load at the start.

use etalon_core::model::Context;

use super::bounded::{Tree, clean};
use super::put;

/// `ADDR_NO_RANDOMIZE` of personality(2): this process and its children get no randomisation.
const ADDR_NO_RANDOMIZE: u32 = 0x004_0000;

/// Adds `machine.host`, `kernel.*`, `load.1min` and `os`.
pub(super) fn add(tree: &Tree<'_>, context: &mut Context) {
    put(context, "machine.host", host(tree));
    put(context, "kernel.name", tree.value("proc/sys/kernel/ostype"));
    put(context, "kernel.release", tree.value("proc/sys/kernel/osrelease"));
    put(context, "kernel.aslr", aslr(tree));
    put(context, "load.1min", load(tree));
    put(context, "os", system(tree));
}

/// The host name. The kernel says `(none)` where none was set.
fn host(tree: &Tree<'_>) -> Option<String> {
    tree.value("proc/sys/kernel/hostname").filter(|name| name != "(none)")
}

/// Address randomisation as programs started from here get it: the machine's setting
/// (sysctl `randomize_va_space`), unless this process's personality turns it off (`setarch -R`).
fn aslr(tree: &Tree<'_>) -> Option<&'static str> {
    let personality =
        tree.value("proc/self/personality").and_then(|text| u32::from_str_radix(&text, 16).ok());
    if personality.is_some_and(|bits| bits & ADDR_NO_RANDOMIZE != 0) {
        return Some("off");
    }
    match tree.value("proc/sys/kernel/randomize_va_space")?.as_str() {
        "0" => Some("off"),
        "1" => Some("partial"),
        "2" => Some("full"),
        _ => None,
    }
}

/// The one-minute load average as the kernel writes it.
fn load(tree: &Tree<'_>) -> Option<String> {
    let text = tree.value("proc/loadavg")?;
    let first = text.split_whitespace().next()?;
    let number: f64 = first.parse().ok()?;
    number.is_finite().then(|| first.to_owned())
}

/// `PRETTY_NAME` of os-release(5), from the two places that page names, in its order.
fn system(tree: &Tree<'_>) -> Option<String> {
    ["etc/os-release", "usr/lib/os-release"]
        .iter()
        .find_map(|file| tree.field(file, "PRETTY_NAME", '='))
        .and_then(|value| clean(&unquoted(&value)))
}

/// Takes shell quotes away: one pair around the value, and backslashes inside double quotes.
fn unquoted(value: &str) -> String {
    let inside = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(plain) = inside('\'') {
        return plain.to_owned();
    }
    let Some(escaped) = inside('"') else {
        return value.to_owned();
    };
    let mut text = String::with_capacity(escaped.len());
    let mut letters = escaped.chars();
    while let Some(letter) = letters.next() {
        // A lone backslash at the end has nothing to protect and is dropped.
        let plain = if letter == '\\' { letters.next() } else { Some(letter) };
        text.extend(plain);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{fixture, put as put_file};
    use super::*;

    fn with<T>(files: &[(&str, &str)], read: impl FnOnce(&Tree<'_>) -> T) -> T {
        let dir = fixture(files);
        read(&Tree::new(dir.path()))
    }

    /// Catches the three settings being mixed up, and a fourth being given a name.
    #[test]
    fn randomisation_has_three_names() {
        let cases = [
            ("0\n", Some("off")),
            ("1\n", Some("partial")),
            ("2\n", Some("full")),
            ("3\n", None),
            ("", None),
        ];
        for (text, expected) in cases {
            let found = with(&[("proc/sys/kernel/randomize_va_space", text)], aslr);
            assert_eq!(found, expected, "{text:?}");
        }
        assert_eq!(with(&[], aslr), None);
    }

    /// Catches `setarch -R` going unseen: the machine says full, the children get none.
    #[test]
    fn the_personality_turns_randomisation_off() {
        let dir = fixture(&[
            ("proc/sys/kernel/randomize_va_space", "2\n"),
            ("proc/self/personality", "00040000\n"),
        ]);
        assert_eq!(aslr(&Tree::new(dir.path())), Some("off"));
        put_file(dir.path(), "proc/self/personality", "00000000\n");
        assert_eq!(aslr(&Tree::new(dir.path())), Some("full"));
    }

    /// Catches a load that is not a number, or not the first of the three.
    #[test]
    fn load_is_the_first_number() {
        let read = |text: &str| with(&[("proc/loadavg", text)], load);
        assert_eq!(read("0.05 0.01 0.00 1/85 25964\n").as_deref(), Some("0.05"));
        assert_eq!(read("nan 0 0\n"), None);
        assert_eq!(read("much\n"), None);
    }

    /// Catches quotes and escapes left in the name, and the second place not being looked at.
    #[test]
    fn system_name_is_unquoted() {
        let read = |line: &str| with(&[("etc/os-release", line)], system);
        let debian = "NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n";
        assert_eq!(read(debian).as_deref(), Some("Debian GNU/Linux 12 (bookworm)"));
        assert_eq!(read("PRETTY_NAME='A \"B\"'").as_deref(), Some("A \"B\""));
        assert_eq!(read("PRETTY_NAME=\"A \\\"B\\\"\"").as_deref(), Some("A \"B\""));
        assert_eq!(read("PRETTY_NAME=Alpine").as_deref(), Some("Alpine"));
        assert_eq!(read("PRETTY_NAME=\"\"\n"), None);
        let second = with(&[("usr/lib/os-release", debian)], system);
        assert!(second.is_some());
    }

    /// Catches `(none)` taken for a name.
    #[test]
    fn no_host_name_is_absent() {
        let read = |text: &str| with(&[("proc/sys/kernel/hostname", text)], host);
        assert_eq!(read("bench-1\n").as_deref(), Some("bench-1"));
        assert_eq!(read("(none)\n"), None);
    }
}
