//! Seeded random numbers for schedules and simulations: the same seed gives the same numbers on
//! every machine and in every version, which no general crate promises. Not for secrets.
//!
//! `SplitMix64` (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).

/// A generator; cheap to copy, split by [`Random::stream`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

/// 2⁶⁴ divided by the golden ratio, odd: the increment of the published generator.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// A generator from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// An independent generator derived from this one's seed and a label.
    #[must_use]
    pub fn stream(self, label: u64) -> Random {
        Random { state: mix(self.state ^ mix(label.wrapping_add(GAMMA))) }
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        mix(self.state)
    }

    /// Uniform in [0, 1), 53 bits.
    #[allow(clippy::cast_precision_loss)] // 53 bits are exact
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in 0..n by widening multiplication; the bias is below n/2⁶⁴.
    #[allow(clippy::cast_possible_truncation)] // the high half is below n
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// Fisher–Yates: every permutation equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence() {
        // First outputs for seed 1234567, from the reference implementation's published test vector.
        let mut random = Random::new(1_234_567);
        let got: Vec<u64> = (0..5).map(|_| random.next_u64()).collect();
        assert_eq!(
            got,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821
            ]
        );
    }

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut random = Random::new(7);
        let mut counts = [0_i32; 6];
        for _ in 0..6000 {
            counts[random.below(6)] += 1;
        }
        assert!(counts.iter().all(|n| (n - 1000).abs() < 116), "{counts:?}"); // 4 sigma
    }
}
