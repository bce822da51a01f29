//! Numbers that stand for what a dataset stores once: one type each, so that none is taken for another.

/// Why nothing more can be added: an index would not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("more than 2^32 rows, values or names")]
pub struct Full;

macro_rules! index {
    ($(#[$doc:meta] $name:ident)*) => {$(
        #[$doc]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            /// The index as a number.
            ///
            /// # Errors
            /// If it is 2³² or more.
            pub fn new(at: usize) -> Result<$name, Full> {
                u32::try_from(at).map($name).map_err(|_| Full)
            }

            /// The number, to look up with.
            #[must_use]
            pub fn at(self) -> usize {
                self.0 as usize
            }

            /// The number in 32 bits, as tables of millions keep it.
            #[must_use]
            pub fn number(self) -> u32 {
                self.0
            }
        }
    )*};
}

index! {
    /// Index into [`Dataset::run_sets`](super::Dataset::run_sets).
    RunSetId
    /// Index into [`Dataset::benchmarks`](super::Dataset::benchmarks).
    BenchmarkId
    /// Index into [`Dataset::configurations`](super::Dataset::configurations).
    ConfigurationId
    /// Index into [`Dataset::units`](super::Dataset::units).
    UnitId
    /// Index into [`Dataset::spellings`](super::Dataset::spellings).
    SpellingId
    /// Index into [`Dataset::schemas`](super::Dataset::schemas).
    SchemaId
    /// Index into [`Dataset::series`](super::Dataset::series).
    SeriesId
}
