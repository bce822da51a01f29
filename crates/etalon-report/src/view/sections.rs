//! Which sections are shown beside tables and ranking.

/// A section that is shown when asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// A bar per execution of every benchmark.
    Graph,
    /// Box plots of all benchmarks on one axis.
    Boxplot,
    /// Spread, normality and shape of every benchmark.
    Distribution,
    /// The right tail of every benchmark.
    Tail,
    /// Why readings of every benchmark differ.
    Variation,
}

/// A set of sections. The report has its own order of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sections(u8);

impl Sections {
    /// No section.
    pub(crate) const NONE: Sections = Sections(0);

    /// The set with one more.
    #[must_use]
    pub(crate) const fn with(self, section: Section) -> Sections {
        Sections(self.0 | 1 << section as u8)
    }

    /// Whether a section is in the set.
    #[must_use]
    pub(crate) const fn has(self, section: Section) -> bool {
        self.0 & 1 << section as u8 != 0
    }
}

impl FromIterator<Section> for Sections {
    fn from_iter<I: IntoIterator<Item = Section>>(sections: I) -> Sections {
        sections.into_iter().fold(Sections::NONE, Sections::with)
    }
}
