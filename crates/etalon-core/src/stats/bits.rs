//! Small sets of subjects as bits, for [`super::letters`].

/// A subset of `0..k`.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn none(k: usize) -> Bits {
        Bits(vec![0; k.div_ceil(64)])
    }

    pub(super) fn all(k: usize) -> Bits {
        let mut all = Bits::none(k);
        (0..k).for_each(|member| all.insert(member));
        all
    }

    pub(super) fn insert(&mut self, member: usize) {
        self.0[member / 64] |= 1 << (member % 64);
    }

    pub(super) fn contains(&self, member: usize) -> bool {
        self.0[member / 64] & (1 << (member % 64)) != 0
    }

    pub(super) fn without(&self, member: usize) -> Bits {
        let mut rest = self.clone();
        rest.0[member / 64] &= !(1 << (member % 64));
        rest
    }

    pub(super) fn intersection(&self, other: &Bits) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    pub(super) fn unite(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    pub(super) fn is_subset(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// The first member that `other` does not have.
    pub(super) fn first_outside(&self, other: &Bits) -> Option<usize> {
        self.members().find(|&member| !other.contains(member))
    }

    /// How many members `other` does not have.
    pub(super) fn count_outside(&self, other: &Bits) -> u32 {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & !b).count_ones()).sum()
    }

    pub(super) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The members, ascending.
    pub(super) fn members(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(index * 64 + bit)
            })
        })
    }
}
