//! Words of command lines, read by a shell.

#![allow(clippy::disallowed_methods, reason = "asks a real shell")]

use std::process::Command;

use etalon_core::shell::{copied, quoted};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::query::written::text;

/// Would catch a word that a shell expands, splits, or reads as another one.
#[test]
fn a_shell_reads_every_word_as_itself() {
    let mut runner = TestRunner::deterministic();
    let word = text().prop_map(|text| text.replace('\0', ""));
    for _ in 0..20 {
        let words: Vec<String> =
            (0..100).map(|_| word.new_tree(&mut runner).unwrap().current()).collect();
        for written in [quoted, copied] {
            let line: Vec<_> = words.iter().map(|word| written(word)).collect();
            let script = format!("printf '%s\\0' {}", line.join(" "));
            let ended = Command::new("/bin/sh").args(["-c", &script]).output().unwrap();
            let read = String::from_utf8(ended.stdout).unwrap();
            let read: Vec<&str> = read.split_terminator('\0').collect();
            assert_eq!(read, words, "{script}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    /// Would catch a character in a line to be copied that a terminal obeys or does not show.
    #[test]
    fn a_word_to_be_copied_hides_nothing(word in text()) {
        let ends = word.len() - word.trim_end_matches('\n').len();
        let written = copied(&word);
        let hidden = written.chars().filter(|c| etalon_core::visible::is_hidden(*c)).count();
        prop_assert_eq!(hidden, ends, "{:?}", written);
    }
}
