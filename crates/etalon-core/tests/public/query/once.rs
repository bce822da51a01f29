//! Each distinct subject is looked at once, however many rows there are.

use std::cell::Cell;

use etalon_core::query::{
    ByUnit, Evaluator, Filter, Identity, Name, Projection, ProjectionSpace, Subject, TupleId,
    UnitName,
};

struct Counted<'a> {
    identity: Identity,
    names_read: &'a Cell<u32>,
}

impl Subject for Counted<'_> {
    fn identity(&self) -> Identity {
        self.identity
    }

    fn name(&self) -> Name<'_> {
        self.names_read.set(self.names_read.get() + 1);
        Name::from_go("Sort/size=1")
    }

    fn config(&self, _: &str) -> Option<&str> {
        None
    }

    fn all_config(&self) -> impl Iterator<Item = (&str, &str)> {
        std::iter::empty()
    }

    fn unit(&self) -> UnitName<'_> {
        UnitName { tidied: "sec/op", written: None }
    }
}

/// Would catch an evaluation per row, and a look-up that mixes up identities which agree in part.
#[test]
fn texts_are_read_once_for_each_identity() {
    let mut space = ProjectionSpace::new();
    let projection = space.add(&Projection::parse(".name,/size").unwrap(), ByUnit::Yes);
    let mut evaluator = Evaluator::new(Filter::parse("-/size:2").unwrap(), space);
    let names_read = Cell::new(0);
    let mut round = || {
        for n in 0..27 {
            let identity = Identity { name: n % 3, config: n / 3 % 3, unit: n / 9 };
            let place = evaluator.place(&Counted { identity, names_read: &names_read });
            let tuple = place.map(|place| evaluator.tuple(place, projection));
            assert_eq!(tuple, Some(TupleId(0)), "equal texts are one tuple");
        }
        names_read.get()
    };
    let first = round();
    assert_eq!(first, 27);
    assert_eq!((0..100).map(|_| round()).max(), Some(first));
    assert_eq!(evaluator.places(), 27);
}
