//! Evaluating a filter and a space of projections over measurements, each distinct subject once.
//!
//! A measurement whose identity was seen before costs one look-up, so a million rows of a few
//! thousand benchmarks cost a million look-ups; one that differs only in its unit costs what looks
//! at units. Orders and residues are asked for afterwards, when all values are known.

use rustc_hash::{FxHashMap, FxHashSet};

use super::filter::Filter;
use super::key::Key;
use super::space::{ByUnit, ProjectionId, ProjectionSpace};
use super::subject::{Identity, Seen, Subject};
use super::tuples::{Column, TextId, Texts, TupleId, Tuples, Values};

/// Where measurements go: one tuple of every projection. Numbered from 0 as they first appear, one
/// for each identity that passes, so several places may have the same tuples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(pub u32);

/// A filter and projections at work.
#[derive(Debug)]
pub struct Evaluator {
    filter: Filter,
    listed: Vec<(Key, FxHashSet<String>)>,
    separate: Vec<Key>,
    separate_config: FxHashSet<String>,
    /// In the order they were added; the residue is the last.
    projections: Vec<Tuples>,
    texts: Texts,
    known: FxHashMap<Identity, Option<Place>>,
    /// A place of each name and configuration: what does not look at units is the same there.
    rows: FxHashMap<(u32, u32), Place>,
    /// The tuples of every place, one for each projection.
    tuples: Vec<TupleId>,
}

impl Evaluator {
    /// A filter and a space, with nothing seen yet.
    #[must_use]
    pub fn new(filter: Filter, space: ProjectionSpace) -> Evaluator {
        let residue = space.residue();
        let ProjectionSpace { projections, separate, listed, .. } = space;
        let separate_config = separate.iter().filter_map(|key| match key {
            Key::Config(key) => Some(key.clone()),
            _ => None,
        });
        Evaluator {
            filter,
            listed: listed.into_iter().map(|(key, l)| (key, l.into_iter().collect())).collect(),
            separate_config: separate_config.collect(),
            separate,
            projections: projections.into_iter().chain([residue]).map(Tuples::new).collect(),
            texts: Texts::new(),
            known: FxHashMap::default(),
            rows: FxHashMap::default(),
            tuples: Vec::new(),
        }
    }

    /// Where a measurement goes; nowhere if the filter, or the list of a fixed order, drops it.
    pub fn place(&mut self, subject: &impl Subject) -> Option<Place> {
        let identity = subject.identity();
        if let Some(place) = self.known.get(&identity) {
            return *place;
        }
        let seen = Seen::new(subject);
        let place = self.passes(&seen).then(|| self.project(&seen));
        self.known.insert(identity, place);
        place
    }

    fn passes(&self, seen: &Seen<'_, impl Subject>) -> bool {
        self.filter.passes_seen(seen)
            && self.listed.iter().all(|(key, values)| values.contains(&*seen.value(key)))
    }

    fn project(&mut self, seen: &Seen<'_, impl Subject>) -> Place {
        let place = Place(u32::try_from(self.places()).expect("fewer places than identities"));
        let Identity { name, config, .. } = seen.subject.identity();
        let row = *self.rows.entry((name, config)).or_insert(place);
        let row = (row != place).then(|| row.0 as usize * self.projections.len());
        let mut values = Reading {
            seen,
            separate: &self.separate,
            separate_config: &self.separate_config,
            texts: &mut self.texts,
        };
        for (i, projection) in self.projections.iter_mut().enumerate() {
            let tuple = match row {
                Some(row) if projection.by_unit() == ByUnit::No => self.tuples[row + i],
                _ => projection.project(&mut values),
            };
            self.tuples.push(tuple);
        }
        place
    }

    /// How many places there are.
    #[must_use]
    pub fn places(&self) -> usize {
        self.tuples.len() / self.projections.len()
    }

    /// The projection of what no other mentions.
    #[must_use]
    pub fn residue(&self) -> ProjectionId {
        ProjectionId(self.projections.len() - 1)
    }

    /// A place's tuple in one projection.
    #[must_use]
    pub fn tuple(&self, place: Place, projection: ProjectionId) -> TupleId {
        self.tuples[place.0 as usize * self.projections.len() + projection.0]
    }

    /// A projection's columns, in its order; `.config` is as many as there were keys so far.
    #[must_use]
    pub fn columns(&self, projection: ProjectionId) -> Vec<&Column> {
        self.projections[projection.0].columns().collect()
    }

    /// A tuple's values, one for each column; none where the subject had none or an empty one.
    #[must_use]
    pub fn values(&self, projection: ProjectionId, tuple: TupleId) -> Vec<Option<&str>> {
        let values = self.projections[projection.0].values(tuple);
        values.map(|id| (id != 0).then(|| self.texts.get(id))).collect()
    }

    /// The rank of every tuple of a projection, by its number, when all are sorted.
    /// O(n log n) for n distinct tuples.
    #[must_use]
    pub fn ranks(&self, projection: ProjectionId) -> Vec<u32> {
        self.projections[projection.0].ranks(&self.texts)
    }

    /// The numbers of the columns in which at least two of these tuples differ: asked of the
    /// residue of one cell, what its measurements should not be pooled over.
    #[must_use]
    pub fn varying(&self, projection: ProjectionId, tuples: &[TupleId]) -> Vec<usize> {
        self.projections[projection.0].varying(tuples)
    }
}

/// Reads one subject for all projections.
struct Reading<'a, 's, S> {
    seen: &'a Seen<'s, S>,
    separate: &'a [Key],
    separate_config: &'a FxHashSet<String>,
    texts: &'a mut Texts,
}

impl<S: Subject> Values for Reading<'_, '_, S> {
    fn value(&mut self, key: &Key) -> TextId {
        match key {
            Key::FullName => self.texts.id(&self.seen.name.without(self.separate)),
            key => self.texts.id(&self.seen.value(key)),
        }
    }

    fn config(&mut self, each: &mut dyn FnMut(&str, TextId)) {
        for (key, value) in self.seen.subject.all_config() {
            if !self.separate_config.contains(key) {
                each(key, self.texts.id(value));
            }
        }
    }
}
