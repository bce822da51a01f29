//! Computing on several threads.
//!
//! Owns that results come in order and do not depend on the number of threads. Refuses to choose that number:
//! the caller knows the machine.

use std::num::NonZeroUsize;

/// The results of a function of 0..n in order, computed by several threads.
pub(crate) fn each<T: Send>(
    n: usize,
    threads: NonZeroUsize,
    f: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let share = n.div_ceil(threads.get()).max(1);
    if share >= n {
        return (0..n).map(f).collect();
    }
    let f = &f;
    std::thread::scope(|scope| {
        let part = |from: usize| (from..(from + share).min(n)).map(f).collect::<Vec<T>>();
        let parts: Vec<_> =
            (0..n).step_by(share).map(|from| scope.spawn(move || part(from))).collect();
        let joined = parts.into_iter().map(|part| match part.join() {
            Ok(results) => results,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.flatten().collect()
    })
}

/// The results of two functions, computed at the same time where there are threads for both.
pub(crate) fn both<A, B: Send>(
    threads: NonZeroUsize,
    a: impl FnOnce() -> A,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    if threads == NonZeroUsize::MIN {
        return (a(), b());
    }
    std::thread::scope(|scope| {
        let b = scope.spawn(b);
        let a = a();
        match b.join() {
            Ok(b) => (a, b),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
