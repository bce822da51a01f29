//! The luggage of a job as all nodes are sent it.

use etalon_probe::travel::Traveller;
use etalon_record::Text;

use super::delivery::Parcel;
use super::protocol::SideCopy;

/// The files that nodes are sent, and what they are told to do with them.
#[derive(Debug, Clone)]
pub struct Cargo {
    /// The command line that workers execute.
    pub words: Vec<Text>,
    /// The files of the job.
    pub files: Vec<Parcel>,
    /// The copies of sides among these.
    pub copies: Vec<SideCopy>,
    /// The program that executes it.
    pub program: Traveller,
}
