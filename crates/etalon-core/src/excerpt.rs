//! The lines of what a program said that a message has room for: the first ones and the last.
//!
//! Owns how many these are. Because: some programs say the reason first (node, npm, compilers), others last (Python,
//! shells). Refuses to make a text safe to show: whoever shows it does.

/// Lines that are shown of the beginning.
const FIRST: usize = 8;

/// Lines that are shown of the end.
const LAST: usize = 8;

/// The lines of a text that are not blank; of many, the first and the last, with how many are left out between them.
#[must_use]
pub fn excerpt(text: &str) -> Vec<String> {
    let lines: Vec<&str> =
        text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let left_out = lines.len().saturating_sub(FIRST + LAST);
    // The line that says so would take the place of one.
    if left_out < 2 {
        return lines.into_iter().map(str::to_owned).collect();
    }
    let (first, last) = (&lines[..FIRST], &lines[lines.len() - LAST..]);
    let between = format!("… {left_out} lines …");
    let (first, last) = (first.iter().copied(), last.iter().copied());
    first.chain(std::iter::once(between.as_str())).chain(last).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a reason that is cut because it stands first, or last, and a line that is counted and shown.
    #[test]
    fn the_first_and_the_last_lines_are_kept() {
        for number in 0..40 {
            let all: Vec<String> = (0..number).map(|line| format!("line {line}")).collect();
            let shown = excerpt(&all.join(" \n\n"));
            if number <= FIRST + LAST + 1 {
                assert_eq!(shown, all);
                continue;
            }
            assert_eq!(shown.len(), FIRST + 1 + LAST);
            assert_eq!(shown[..FIRST], all[..FIRST]);
            assert_eq!(shown[FIRST + 1..], all[number - LAST..]);
            assert_eq!(shown[FIRST], format!("… {} lines …", number - FIRST - LAST));
        }
    }
}
