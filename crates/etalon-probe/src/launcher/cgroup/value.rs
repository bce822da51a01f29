//! The contents of a control group's files.
//!
//! Owns: the files of both versions and their syntax (cgroup-v2.rst and cgroup-v1/ in the kernel's
//! documentation). Refuses: to take a file that does not hold what it should for 0.

use crate::launcher::metrics::{Source, Values};

/// One file that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gauge {
    /// `cpu.stat`, version 2.
    CpuV2,
    /// `memory.peak`, version 2 since Linux 5.19.
    PeakV2,
    /// `io.stat`, version 2.
    IoV2,
    /// `cpuacct.usage`, version 1.
    CpuV1,
    /// `memory.max_usage_in_bytes`, version 1. It is charged in batches of up to 64 pages per CPU.
    PeakV1,
    /// `blkio.throttle.io_service_bytes`, version 1.
    IoV1,
}

impl Gauge {
    pub(super) const V2: [Gauge; 3] = [Gauge::CpuV2, Gauge::PeakV2, Gauge::IoV2];

    /// The file's name.
    pub(super) fn file(self) -> &'static str {
        match self {
            Gauge::CpuV2 => "cpu.stat",
            Gauge::PeakV2 => "memory.peak",
            Gauge::IoV2 => "io.stat",
            Gauge::CpuV1 => "cpuacct.usage",
            Gauge::PeakV1 => "memory.max_usage_in_bytes",
            Gauge::IoV1 => "blkio.throttle.io_service_bytes",
        }
    }

    /// The metrics it gives.
    pub(crate) fn sources(self) -> &'static [Source] {
        match self {
            Gauge::CpuV2 | Gauge::CpuV1 => &[Source::TreeCpu],
            Gauge::PeakV2 | Gauge::PeakV1 => &[Source::TreePeak],
            Gauge::IoV2 | Gauge::IoV1 => &[Source::TreeIoRead, Source::TreeIoWrite],
        }
    }

    /// Takes the values out of the file's text; none if it is not as it should be.
    pub(super) fn read(self, text: &str, values: &mut Values) {
        let mut set = |source, value: Option<i64>| {
            if let Some(value) = value {
                values.set(source, value);
            }
        };
        match self {
            Gauge::CpuV2 => {
                set(Source::TreeCpu, usage_us(text).and_then(|us| us.checked_mul(1000)))
            }
            Gauge::CpuV1 => set(Source::TreeCpu, text.trim_end().parse().ok()),
            Gauge::PeakV2 | Gauge::PeakV1 => set(Source::TreePeak, text.trim_end().parse().ok()),
            Gauge::IoV2 => {
                set(Source::TreeIoRead, sum(text, |line| field(line, "rbytes=")));
                set(Source::TreeIoWrite, sum(text, |line| field(line, "wbytes=")));
            }
            Gauge::IoV1 => {
                set(Source::TreeIoRead, sum(text, |line| operation(line, "Read")));
                set(Source::TreeIoWrite, sum(text, |line| operation(line, "Write")));
            }
        }
    }
}

/// `usage_usec N`.
fn usage_us(text: &str) -> Option<i64> {
    text.lines().find_map(|line| line.strip_prefix("usage_usec "))?.parse().ok()
}

/// The share of a line: nothing if it is about something else, an error if it cannot be read.
type Part = Result<i64, ()>;

/// The sum over all devices' lines. Without a line there was no I/O at all.
fn sum(text: &str, part: impl Fn(&str) -> Part) -> Option<i64> {
    text.lines().try_fold(0_i64, |sum, line| sum.checked_add(part(line).ok()?))
}

/// `8:0 rbytes=1 wbytes=2 …`; a device without statistics has its number only.
fn field(line: &str, name: &str) -> Part {
    let found = line.split_ascii_whitespace().find_map(|word| word.strip_prefix(name));
    found.map_or(Ok(0), |number| number.parse().map_err(drop))
}

/// `8:0 Read 1`; the last line is `Total N`.
fn operation(line: &str, name: &str) -> Part {
    let mut words = line.split_ascii_whitespace().skip(1);
    if words.next() != Some(name) {
        return Ok(0);
    }
    words.next().ok_or(())?.parse().map_err(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(gauge: Gauge, text: &str) -> [Option<i64>; 4] {
        let mut values = Values::default();
        gauge.read(text, &mut values);
        [Source::TreeCpu, Source::TreePeak, Source::TreeIoRead, Source::TreeIoWrite]
            .map(|source| values.get(source))
    }

    #[test]
    fn version_2_files_are_understood() {
        // Text as the kernel's documentation and a 6.x kernel show it.
        let cpu = "usage_usec 1234\nuser_usec 1000\nsystem_usec 234\nnr_periods 0\n";
        assert_eq!(read(Gauge::CpuV2, cpu), [Some(1_234_000), None, None, None]);
        assert_eq!(read(Gauge::PeakV2, "5242880\n"), [None, Some(5_242_880), None, None]);
        let io = "8:16 rbytes=1459200 wbytes=314773504 rios=192 wios=353 dbytes=0 dios=0\n\
                  253:0\n\
                  8:0 rbytes=800 wbytes=96 rios=3 wios=2 dbytes=0 dios=0\n";
        assert_eq!(read(Gauge::IoV2, io), [None, None, Some(1_460_000), Some(314_773_600)]);
    }

    #[test]
    fn version_1_files_are_understood() {
        assert_eq!(read(Gauge::CpuV1, "987654321\n"), [Some(987_654_321), None, None, None]);
        assert_eq!(read(Gauge::PeakV1, "4096\n"), [None, Some(4096), None, None]);
        let io = "254:0 Read 4096\n254:0 Write 8192\n254:0 Sync 4096\n254:0 Async 8192\n\
                  254:0 Discard 0\n254:0 Total 12288\n7:0 Read 10\n7:0 Write 0\nTotal 12298\n";
        assert_eq!(read(Gauge::IoV1, io), [None, None, Some(4106), Some(8192)]);
    }

    #[test]
    fn no_line_is_no_io_and_nonsense_is_nothing() {
        // Would catch 0 for a file that was not understood.
        assert_eq!(read(Gauge::IoV2, ""), [None, None, Some(0), Some(0)]);
        assert_eq!(read(Gauge::IoV1, "Total 0\n"), [None, None, Some(0), Some(0)]);
        assert_eq!(read(Gauge::IoV2, "8:0 rbytes=x wbytes=1\n"), [None, None, None, Some(1)]);
        assert_eq!(read(Gauge::CpuV2, "user_usec 5\n"), [None; 4]);
        assert_eq!(read(Gauge::PeakV2, "max\n"), [None; 4]);
        assert_eq!(read(Gauge::CpuV1, ""), [None; 4]);
        assert_eq!(read(Gauge::CpuV2, "usage_usec 9223372036854775807\n"), [None; 4]);
    }
}
