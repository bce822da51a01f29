//! Writes the real samples of harnesses' results as seeds of the target `harness`: the number of the format, the file,
//! and behind zero bytes what stands beside it.

use std::fs;
use std::path::Path;

use etalon_record::foreign::harness::HarnessFormat;

const SAMPLES: &str = "../crates/etalon-record/tests/data/harness";
const SEEDS: &str = "corpus/harness";

fn main() {
    fs::create_dir_all(SEEDS).expect("a directory");
    let mut written = [0; HarnessFormat::ALL.len()];
    seeds(Path::new(SAMPLES), &mut written);
    for ((name, _), count) in HarnessFormat::ALL.iter().zip(written) {
        println!("{name}: {count}");
        assert!(count > 0, "{name} has no seed");
    }
}

fn seeds(directory: &Path, written: &mut [usize]) {
    for entry in fs::read_dir(directory).expect("samples") {
        let path = entry.expect("a sample").path();
        if path.is_dir() {
            seeds(&path, written);
            continue;
        }
        let text = fs::read(&path).expect("a sample");
        let found = HarnessFormat::candidates(&text);
        let number = HarnessFormat::ALL.iter().position(|(_, format)| found.contains(format));
        let Some(number) = number else { continue };
        let mut seed = vec![u8::try_from(number).expect("few formats")];
        seed.extend(text);
        for name in HarnessFormat::ALL[number].1.beside() {
            seed.push(0);
            seed.extend(fs::read(directory.join(name)).unwrap_or_default());
        }
        written[number] += 1;
        let name = format!("{SEEDS}/{}-{}", HarnessFormat::ALL[number].0, written[number]);
        fs::write(name, seed).expect("room for a seed");
    }
}
