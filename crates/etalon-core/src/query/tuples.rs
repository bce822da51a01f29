//! Columns of one projection over the subjects so far, and distinct tuples of values as small
//! numbers.
//!
//! `.config` is a group whose columns appear as its keys do; a tuple from before simply ends
//! earlier, so a growing group leaves the tuples there are as they are.

use rustc_hash::{FxHashMap, FxHashSet};

use super::key::Key;
use super::order::{self, Order};
use super::space::{ByUnit, ProjectionSpec};
use crate::strings::{Strings, Symbol};

/// One distinct tuple of a projection, numbered from 0 as they first appear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TupleId(pub u32);

/// A column of a projection's tuples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The key its values belong to.
    pub key: Key,
    /// Whether it is one of the keys that `.config` became.
    pub of_config: bool,
    order: Order,
}

/// A text by number; 0 is the empty one, which is also what an absent one is.
pub(super) type TextId = u32;

/// Texts by number, shared by all projections of a space.
#[derive(Debug)]
pub(super) struct Texts(Strings);

impl Texts {
    pub(super) fn new() -> Texts {
        let mut texts = Texts(Strings::default());
        texts.id("");
        texts
    }

    pub(super) fn id(&mut self, text: &str) -> TextId {
        self.0.intern(text).expect("fewer than 2^32 distinct values").number()
    }

    pub(super) fn get(&self, id: TextId) -> &str {
        self.0.text(Symbol::from_number(id))
    }
}

/// Ids are 32 bits wide: every distinct text or tuple costs more than 16 bytes, so memory ends
/// long before them.
fn number(n: usize) -> u32 {
    u32::try_from(n).expect("fewer than 2^32 distinct values")
}

/// The columns and distinct tuples of one projection.
#[derive(Debug)]
pub(super) struct Tuples {
    by_unit: ByUnit,
    layout: Vec<Slot>,
    /// In the order they were made.
    columns: Vec<Column>,
    ids: FxHashMap<Box<[TextId]>, TupleId>,
    tuples: Vec<Box<[TextId]>>,
}

/// The place of a projection's field.
#[derive(Debug)]
enum Slot {
    /// One column.
    One(usize),
    /// A column for every configuration key seen so far, with the order for new ones.
    Config { order: Order, columns: Vec<usize>, of_key: FxHashMap<String, usize> },
}

/// The source of a tuple's values.
pub(super) trait Values {
    /// The value of a key that has one value.
    fn value(&mut self, key: &Key) -> TextId;
    /// Calls `each` with the configuration that no projection names, in order.
    fn config(&mut self, each: &mut dyn FnMut(&str, TextId));
}

impl Tuples {
    pub(super) fn new(wanted: ProjectionSpec) -> Tuples {
        let mut tuples = Tuples {
            by_unit: wanted.by_unit,
            layout: Vec::new(),
            columns: Vec::new(),
            ids: FxHashMap::default(),
            tuples: Vec::new(),
        };
        for field in wanted.fields {
            let slot = match field.mention.key {
                Key::AllConfig => {
                    // benchstat keeps no order of appearance for these columns (see the module).
                    let order =
                        if field.order == Order::First { Order::Alpha } else { field.order };
                    Slot::Config { order, columns: Vec::new(), of_key: FxHashMap::default() }
                }
                key => Slot::One(tuples.column(key, false, field.order)),
            };
            tuples.layout.push(slot);
        }
        if wanted.by_unit == ByUnit::Yes {
            let column = tuples.column(Key::Unit, false, Order::First);
            tuples.layout.push(Slot::One(column));
        }
        tuples
    }

    fn column(&mut self, key: Key, of_config: bool, order: Order) -> usize {
        self.columns.push(Column { key, of_config, order });
        self.columns.len() - 1
    }

    /// The tuple of one subject.
    pub(super) fn project(&mut self, values: &mut impl Values) -> TupleId {
        let Tuples { layout, columns, .. } = self;
        let mut row = vec![0; columns.len()];
        for slot in layout {
            match slot {
                Slot::One(column) => row[*column] = values.value(&columns[*column].key),
                Slot::Config { order, columns: own, of_key } => {
                    values.config(&mut |key, text| {
                        let column = of_key.get(key).copied().unwrap_or_else(|| {
                            of_key.insert(key.to_owned(), columns.len());
                            own.push(columns.len());
                            let key = Key::Config(key.to_owned());
                            columns.push(Column { key, of_config: true, order: order.clone() });
                            row.push(0);
                            columns.len() - 1
                        });
                        row[column] = text;
                    });
                }
            }
        }
        row.truncate(row.iter().rposition(|text| *text != 0).map_or(0, |last| last + 1));
        self.intern(row)
    }

    fn intern(&mut self, row: Vec<TextId>) -> TupleId {
        if let Some(id) = self.ids.get(row.as_slice()) {
            return *id;
        }
        let row = row.into_boxed_slice();
        let id = TupleId(number(self.tuples.len()));
        self.ids.insert(row.clone(), id);
        self.tuples.push(row);
        id
    }

    pub(super) fn by_unit(&self) -> ByUnit {
        self.by_unit
    }

    /// Column numbers in the order of the projection, `.config`'s where `.config` stands.
    fn shown(&self) -> impl Iterator<Item = usize> {
        self.layout.iter().flat_map(|slot| match slot {
            Slot::One(column) => std::slice::from_ref(column).iter().copied(),
            Slot::Config { columns, .. } => columns.iter().copied(),
        })
    }

    /// The columns in the order of the projection.
    pub(super) fn columns(&self) -> impl Iterator<Item = &Column> {
        self.shown().map(|column| &self.columns[column])
    }

    /// A tuple's values, one for each of [`Tuples::columns`].
    pub(super) fn values(&self, tuple: TupleId) -> impl Iterator<Item = TextId> {
        let row = &self.tuples[tuple.0 as usize];
        self.shown().map(|column| row.get(column).copied().unwrap_or(0))
    }

    /// The rank of every tuple when all are sorted by their columns, in the order of the
    /// projection. O(n log n) for n tuples and a fixed number of columns.
    pub(super) fn ranks(&self, texts: &Texts) -> Vec<u32> {
        let mut keys: Vec<Vec<u32>> = vec![Vec::new(); self.tuples.len()];
        for column in self.shown() {
            let cells: Vec<TextId> =
                self.tuples.iter().map(|row| row.get(column).copied().unwrap_or(0)).collect();
            let ranks = self.column_ranks(column, &cells, texts);
            keys.iter_mut().zip(&cells).for_each(|(key, text)| key.push(ranks[text]));
        }
        let mut sorted: Vec<usize> = (0..keys.len()).collect();
        sorted.sort_by(|&i, &j| keys[i].cmp(&keys[j]));
        let mut ranks = vec![0; keys.len()];
        (0..).zip(sorted).for_each(|(rank, tuple)| ranks[tuple] = rank);
        ranks
    }

    /// The rank of every value of a column, given its cells in the order of the tuples.
    fn column_ranks(
        &self,
        column: usize,
        cells: &[TextId],
        texts: &Texts,
    ) -> FxHashMap<TextId, u32> {
        let mut seen = FxHashSet::default();
        let distinct: Vec<TextId> = cells.iter().copied().filter(|id| seen.insert(*id)).collect();
        let values: Vec<&str> = distinct.iter().map(|id| texts.get(*id)).collect();
        let ranks = order::ranks(&self.columns[column].order, &values);
        distinct.into_iter().zip(ranks).collect()
    }

    /// Numbers of those of [`Tuples::columns`] in which at least two of the tuples differ.
    pub(super) fn varying(&self, tuples: &[TupleId]) -> Vec<usize> {
        let Some((first, others)) = tuples.split_first() else { return Vec::new() };
        let rows: Vec<_> = others.iter().map(|tuple| &self.tuples[tuple.0 as usize]).collect();
        let first = &self.tuples[first.0 as usize];
        let differs = |column: &usize| {
            rows.iter()
                .any(|row| row.get(*column).unwrap_or(&0) != first.get(*column).unwrap_or(&0))
        };
        self.shown().enumerate().filter(|(_, column)| differs(column)).map(|(i, _)| i).collect()
    }
}
