//! The work of a spin: arithmetic in registers, as much at once as a core can take.
//!
//! Eight chains that do not wait for each other keep the units of a core busy, so that it shows when the core's other
//! thread uses them, too: a single chain waits most of the time and would not notice.

use std::hint::black_box;

use crate::clock::now_ns;

/// Odd factors, one a chain: the first digits of known constants, so that nobody wonders where they are from.
const FACTORS: [u64; 8] = [
    0x3243_F6A8_885A_308D,
    0x2B7E_1516_28AE_D2A7,
    0x9E37_79B9_7F4A_7C15,
    0x6A09_E667_F3BC_C909,
    0xBB67_AE85_84CA_A73B,
    0x3C6E_F372_FE94_F82B,
    0xA54F_F53A_5F1D_36F1,
    0x510E_527F_ADE6_82D1,
];

/// Repetitions that are timed while it is calibrated; the shortest counts, because interruptions only make it longer.
const TRIALS: usize = 5;

/// Arithmetic of a fixed amount.
pub(super) struct Work {
    rounds: u64,
    state: [u64; 8],
}

impl Work {
    /// As much as takes so long, within a factor of two either way.
    pub(super) fn calibrated(piece_ns: u64) -> Work {
        let mut work = Work { rounds: 64, state: FACTORS };
        loop {
            let took = (0..TRIALS).map(|_| work.timed()).min().unwrap_or(piece_ns);
            if took >= piece_ns / 2 || work.rounds > 1 << 40 {
                work.rounds = (work.rounds * piece_ns / took.max(1)).max(1);
                return work;
            }
            work.rounds *= 2;
        }
    }

    fn timed(&mut self) -> u64 {
        let begin = now_ns();
        self.piece();
        now_ns().saturating_sub(begin)
    }

    /// Does it once.
    pub(super) fn piece(&mut self) {
        let mut state = self.state;
        for _ in 0..self.rounds {
            for (chain, factor) in state.iter_mut().zip(FACTORS) {
                *chain = (*chain ^ (*chain >> 29)).wrapping_mul(factor);
            }
        }
        self.state = black_box(state);
    }
}

/// CPU time of this thread, in ns.
pub(super) fn thread_cpu_ns() -> u64 {
    cpu_ns(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// CPU time of this process, in ns.
pub(super) fn process_cpu_ns() -> u64 {
    cpu_ns(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// Every Linux has both clocks; one that refused would stand at 0.
#[allow(clippy::cast_sign_loss)] // CPU time is never negative
fn cpu_ns(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid, writable timespec for the whole call.
    let code = unsafe { libc::clock_gettime(clock, &raw mut time) };
    if code == 0 { time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64 } else { 0 }
}
