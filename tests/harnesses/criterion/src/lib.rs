//! What is measured.

/// The sum of numbers, one after the other.
pub fn sum(numbers: &[u64]) -> u64 {
    numbers.iter().fold(0, |sum, number| std::hint::black_box(sum) + number)
}
