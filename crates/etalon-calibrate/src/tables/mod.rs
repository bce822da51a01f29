//! The tables of the document, one file a design.

mod between;
mod blocks;
mod builds;
mod families;
mod in_sequence;
mod independent;
mod links;
mod looks;
mod marks;
mod nodes;
mod occasions;
mod planned;
mod steps;
mod tails;
mod turns;
mod visible;

use crate::table::Table;

/// All of them, in the order of the document.
#[must_use]
pub fn all() -> Vec<Table> {
    vec![
        blocks::table(),
        builds::table(),
        nodes::table(),
        tails::guard(),
        tails::large(),
        families::rankings(),
        families::checks(),
        families::packages(),
        marks::table(),
        visible::table(),
        looks::table(),
        planned::table(),
        turns::table(),
        independent::table(),
        between::table(),
        between::geometric_means(),
        occasions::table(),
        steps::flat(),
        steps::stepped(),
        links::table(),
        in_sequence::table(),
    ]
}
