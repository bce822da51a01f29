//! Words for a file that another process has: which one it is, as far as the system tells.

use std::fs::File;

use etalon_core::shell::copied;
use etalon_probe::holder;
use etalon_report::text::clean;

/// Characters of the other's command line that are shown.
const LONGEST: usize = 100;

/// Who has the lock of a file: "process 123 (`etalon cmd …`)".
pub(crate) fn by(file: &File) -> String {
    let Some(holder) = holder::of(file) else { return "another process".to_owned() };
    let words: Vec<String> = holder.words.iter().map(|word| copied(word).into_owned()).collect();
    let mut typed = clean(&words.join(" "));
    if let Some((at, _)) = typed.char_indices().nth(LONGEST) {
        typed.truncate(at);
        typed.push('…');
    }
    let typed = if typed.is_empty() { typed } else { format!(" (`{typed}`)") };
    format!("process {}{typed}", holder.process)
}
