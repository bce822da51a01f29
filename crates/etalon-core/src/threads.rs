//! Computing on several threads.
//!
//! Owns that results come in order and do not depend on the number of threads. Refuses to choose that number:
//! the caller knows the machine.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, ScopedJoinHandle};

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
        // Where the system has no thread left, this one computes.
        let started = |from| {
            let elsewhere = Builder::new().spawn_scoped(scope, move || part(from));
            elsewhere.map_err(|_| part(from))
        };
        let parts: Vec<_> = (0..n).step_by(share).map(started).collect();
        let joined = parts.into_iter().map(|part| match part.map(ScopedJoinHandle::join) {
            Ok(Ok(results)) | Err(results) => results,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
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
    let left = Mutex::new(Some(b));
    let compute = || {
        let taken = left.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.map(|b| b())
    };
    std::thread::scope(|scope| {
        let started = Builder::new().spawn_scoped(scope, compute);
        let a = a();
        let b = match started.map(ScopedJoinHandle::join) {
            Ok(Ok(b)) => b,
            Err(_) => compute(),
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
        };
        match b {
            Some(b) => (a, b),
            None => unreachable!("it is taken once, by whoever computes it"),
        }
    })
}
