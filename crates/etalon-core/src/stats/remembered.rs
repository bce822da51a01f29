//! Results of earlier searches: intervals of all rows of a table ask for the same few quantiles and critical values.
//!
//! Owns a small memory of a function of two numbers. Refuses to grow: each answer has one place, and a new one takes
//! it.

use std::cell::Cell;

/// Answers that are remembered: of a few levels, at the sizes that the samples of a table have.
const PLACES: usize = 64;

/// Two numbers, neither of them NaN, and what a function makes of them.
type Answer<V> = Option<((f64, f64), V)>;

/// The last answers of a function of two numbers.
pub(super) struct Remembered<V>([Cell<Answer<V>>; PLACES]);

impl<V: Copy> Remembered<V> {
    pub(super) const fn new() -> Remembered<V> {
        Remembered([const { Cell::new(None) }; PLACES])
    }

    /// The value of `found` for the two, asked only where it is not known any more.
    pub(super) fn get(&self, of: (f64, f64), found: impl FnOnce() -> V) -> V {
        let place = &self.0[place(of)];
        match place.get() {
            Some((known, value)) if known == of => value,
            _ => {
                let value = found();
                place.set(Some((of, value)));
                value
            }
        }
    }
}

/// By all bits of both (Fibonacci hashing).
#[allow(clippy::cast_possible_truncation)] // six bits are left
fn place((a, b): (f64, f64)) -> usize {
    let mixed = a.to_bits().rotate_left(21) ^ b.to_bits();
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize
}

#[cfg(test)]
mod tests {
    use super::Remembered;
    use crate::random::Random;

    /// Would catch an answer that is given for other numbers of the same place.
    #[test]
    fn answers_are_those_of_the_numbers_asked_about() {
        let remembered = Remembered::new();
        let mut random = Random::new(2);
        let mut asked = 0;
        for _ in 0..20_000 {
            let of = (random.below(40) as f64 / 40.0, random.below(20) as f64);
            let answer = remembered.get(of, || {
                asked += 1;
                of.0 + 100.0 * of.1
            });
            assert_eq!(answer, of.0 + 100.0 * of.1);
        }
        assert!(asked < 19_500, "{asked} answers of 20,000 were found anew");
    }
}
