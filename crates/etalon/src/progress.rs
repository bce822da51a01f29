//! Progress on a terminal, and the signals by which a user ends an experiment with what there is: Ctrl-C,
//! SIGTERM, and SIGHUP when the terminal is closed.
//!
//! One line on standard error, rewritten in place, only if that is a terminal; nothing in a pipe.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_core::model::Metric;
use etalon_probe::disposition;
use etalon_record::store::NewRecord;
use etalon_report::number::Shown;
use etalon_report::text::{clean, width};
use etalon_run::{Progress, Watcher};

use crate::failure::Failure;
use crate::interim::Interim;
use crate::output;

/// What is watched.
#[derive(Debug)]
pub(crate) struct Watched {
    /// Its benchmarks.
    pub names: Vec<String>,
    /// What their medians are of.
    pub metric: Option<Metric>,
    /// Whether a line on the terminal is nobody else's.
    pub terminal: bool,
}

impl Watched {
    /// Nothing yet.
    pub(crate) fn nothing() -> Watched {
        Watched { names: Vec::new(), metric: None, terminal: false }
    }
}

/// Watches an execution for the user.
pub(crate) struct Watch<'a> {
    interrupted: Arc<AtomicBool>,
    /// The terminal was closed.
    hung_up: Arc<AtomicBool>,
    /// Whether that was told already: shell and kernel both send the signal, and only a second thing
    /// that a user does ends what is put in order after the first.
    hang_up_told: bool,
    names: Vec<String>,
    metric: Option<Metric>,
    terminal: bool,
    quiet: bool,
    shown: bool,
    interim: Interim<'a>,
}

impl<'a> Watch<'a> {
    /// Starts watching: takes over SIGINT, SIGTERM and, unless it is ignored (`nohup`), SIGHUP.
    pub(crate) fn new(
        watched: Watched,
        quiet: bool,
        interim: Interim<'a>,
    ) -> Result<Watch<'a>, Failure> {
        let interrupted = Arc::new(AtomicBool::new(false));
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&interrupted))
                .map_err(|error| Failure::about("cannot handle Ctrl-C", error))?;
        }
        let hung_up = Arc::new(AtomicBool::new(false));
        if !disposition::is_ignored(signal_hook::consts::SIGHUP) {
            signal_hook::flag::register(signal_hook::consts::SIGHUP, Arc::clone(&hung_up))
                .map_err(|error| Failure::about("cannot handle a closed terminal", error))?;
        }
        // Beyond a file size limit a write is to fail with an error that names the file.
        signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())
            .map_err(|error| Failure::about("cannot handle a file size limit", error))?;
        let mut watch = Watch {
            interrupted,
            hung_up,
            hang_up_told: false,
            names: Vec::new(),
            metric: None,
            terminal: false,
            quiet,
            shown: false,
            interim,
        };
        watch.now_watches(watched);
        Ok(watch)
    }

    /// From now on this is watched.
    pub(crate) fn now_watches(&mut self, watched: Watched) {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        self.names = watched.names.iter().map(|name| clean(name)).collect();
        self.metric = watched.metric;
        self.terminal = io::stderr().is_terminal() && !self.quiet && !dumb && watched.terminal;
    }

    /// Takes the progress line away.
    pub(crate) fn done(&mut self) {
        if std::mem::take(&mut self.shown) {
            print("\r\x1b[K");
        }
    }

    fn line(&self, progress: &Progress) -> String {
        let mut line = String::new();
        if let Some(name) = progress.subject.and_then(|c| self.names.get(c)) {
            line.push_str(&format!("{name}: "));
        }
        let of = progress.of.map_or_else(String::new, |of| format!(" of {of}"));
        if progress.warmup {
            line.push_str("warming up");
        } else {
            line.push_str(&format!("block {}{of}", progress.blocks));
        }
        if let Some(seconds) = progress.seconds_left.filter(|s| *s >= 0.5) {
            line.push_str(&format!(", at most {} left", duration(seconds)));
        }
        if let Some(metric) = &self.metric {
            for (name, median) in self.names.iter().zip(&progress.medians) {
                if let Some(median) = median {
                    let shown = Shown::fitting(metric, *median);
                    line.push_str(&format!("  {name} {} {}", shown.plain(*median), shown.symbol()));
                }
            }
        }
        line
    }
}

impl Watcher for Watch<'_> {
    fn wants_progress(&self) -> bool {
        self.terminal
    }

    fn progress(&mut self, progress: &Progress) {
        let columns = terminal_size::terminal_size_of(io::stderr())
            .map_or(80, |(terminal_size::Width(columns), _)| usize::from(columns));
        let mut line = String::new();
        for c in self.line(progress).chars() {
            line.push(c);
            if width(&line) >= columns {
                line.pop();
                break;
            }
        }
        print(&format!("\r\x1b[K{line}"));
        self.shown = true;
    }

    fn will_take(&mut self, seconds: f64) {
        self.done();
        if !self.quiet {
            output::remark(&format!(
                "ten blocks alone will take about {}; -r N asks for fewer, --budget for more time",
                duration(seconds)
            ));
        }
    }

    fn interrupted(&mut self) -> bool {
        let hung_up = !self.hang_up_told && self.hung_up.load(Ordering::Relaxed);
        self.hang_up_told |= hung_up;
        self.interrupted.swap(false, Ordering::Relaxed) || hung_up
    }

    fn stage_done(&mut self, record: &NewRecord) {
        self.interim.stage_done(record);
    }
}

/// Whole seconds below two minutes, minutes below two hours, hours above.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{} s", s.ceil()),
        s if s < 7200.0 => format!("{} min", (s / 60.0).ceil()),
        s => format!("{:.1} h", s / 3600.0),
    }
}

fn print(text: &str) {
    let mut stderr = io::stderr();
    let _unwritable = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
