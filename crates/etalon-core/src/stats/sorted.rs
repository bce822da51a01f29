//! A sample in ascending order: sorted once, then shared by every statistic that needs order.
//!
//! Refuses NaN and infinities: readers type such values absent before they come here.

/// Finite values in ascending order, without negative zeros. May be empty.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sorted(Vec<f64>);

/// A value that is NaN or infinite, where only numbers are meaningful.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("value {index} is not a finite number")]
pub struct NotFinite {
    /// Its position in the slice that was given.
    pub index: usize,
}

impl Sorted {
    /// A sorted copy of `values`, which stay as they are. −0.0 becomes 0.0, so that equal values
    /// have equal bits. O(n log n).
    ///
    /// # Errors
    /// The first value that is NaN or infinite.
    pub fn new(values: &[f64]) -> Result<Sorted, NotFinite> {
        Sorted::from_vec(values.to_vec())
    }

    /// Values that nobody needs in another order: sorts them where they are.
    ///
    /// # Errors
    /// As [`Sorted::new`].
    pub(crate) fn from_vec(mut values: Vec<f64>) -> Result<Sorted, NotFinite> {
        if let Some(index) = values.iter().position(|v| !v.is_finite()) {
            return Err(NotFinite { index });
        }
        // Adding 0.0 turns −0.0 into 0.0 and changes nothing else.
        values.iter_mut().for_each(|value| *value += 0.0);
        if !values.is_sorted() {
            values.sort_unstable_by(f64::total_cmp);
        }
        Ok(Sorted(values))
    }

    /// All values less `by`, which keeps their order.
    ///
    /// # Errors
    /// If one is no number then.
    pub(super) fn less(&self, by: f64) -> Result<Sorted, NotFinite> {
        let moved: Vec<f64> = self.0.iter().map(|value| value - by + 0.0).collect();
        // Rounded subtraction keeps the order, so the ends tell of all.
        let ends = [0, moved.len().saturating_sub(1)];
        match ends.into_iter().find(|at| moved.get(*at).is_some_and(|v| !v.is_finite())) {
            Some(index) => Err(NotFinite { index }),
            None => Ok(Sorted(moved)),
        }
    }

    /// The values of a monotone function of all values.
    ///
    /// # Errors
    /// If one is no number then.
    pub(crate) fn mapped(&self, f: impl Fn(f64) -> f64) -> Result<Sorted, NotFinite> {
        // Of equal values, as sizes and counts often are, only the first.
        let mut last = None;
        let once = |value: &f64| match last {
            Some((of, mapped)) if of == *value => mapped,
            _ => last.insert((*value, f(*value))).1,
        };
        let mapped: Vec<f64> = self.0.iter().map(once).collect();
        // A function that rounds may exchange neighbours.
        if mapped.is_sorted() && mapped.iter().all(|value| value.is_finite() && *value != 0.0) {
            return Ok(Sorted(mapped));
        }
        Sorted::from_vec(mapped)
    }

    /// All values with the other sign.
    pub(super) fn negated(&self) -> Sorted {
        Sorted(self.0.iter().rev().map(|value| 0.0 - value).collect())
    }

    /// The values of both. O(m + n).
    pub(super) fn pooled(&self, with: &Sorted) -> Sorted {
        let mut all = [self.as_slice(), with.as_slice()].concat();
        // A stable sort takes each of two ascending runs as it is.
        all.sort_by(f64::total_cmp);
        Sorted(all)
    }

    /// The values, ascending.
    #[must_use]
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }

    /// Number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The smallest value; `None` if empty.
    #[must_use]
    pub fn min(&self) -> Option<f64> {
        self.0.first().copied()
    }

    /// The largest value; `None` if empty.
    #[must_use]
    pub fn max(&self) -> Option<f64> {
        self.0.last().copied()
    }
}
