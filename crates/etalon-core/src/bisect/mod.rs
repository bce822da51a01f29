//! Which commit changed a figure: every block executes both ends of a range and commits between, and what they say
//! decides which commit comes next.
//!
//! Owns the search: what is executed next, when a commit is named, what of the change it explains, and when no single
//! commit is to blame. A commit is known by its place: 0 is the good end, the last is the bad one. Values are logarithms,
//! so that the machine cancels within a block. Refuses to know what a commit is, and how it is built.
//!
//! | file | what it owns |
//! | --- | --- |
//! | `centre` | where values are of which many are disturbed |
//! | `change` | changes between commits, and between builds of one |
//! | `course` | all of a bisection: the ends first, then the search, second builds |
//! | `counts` | which commit is counted next, and what exact counts say |
//! | `disturbed` | what a block says where executions may be disturbed |
//! | `ends` | whether the ends differ |
//! | `levels` | how likely each place of one step or two is |
//! | `share` | how much of the change a pair of neighbours explains |

mod centre;
mod change;
mod counts;
mod course;
mod disturbed;
mod ends;
mod levels;
mod share;

use std::collections::BTreeSet;

pub use change::{Change, Control};
pub use course::{Candidate, Course, Ending, Left, Member, Named, Rules, Step};
pub use ends::Ends;
use levels::{Levels, Reading};
pub use share::{Share, share};

/// Blocks of one look at the neighbours of a step.
const CONFIRMING: usize = 20;
/// Looks at the neighbours of one step: half of the change is found in a few, where one finds it in three of five.
const LOOKS: usize = 5;
/// Of the intervals of shares, for all looks together.
const LEVEL: f64 = 0.95;
/// Blocks after which ends that do not differ are alike: they differed when the search began.
const FEWEST: usize = 100;
/// Searches are given up after so many times the blocks that a single step as large as the ends' would take.
const PATIENCE: f64 = 10.0;

/// And after so many at most.
const MOST: f64 = 1000.0;

/// Blocks of a search for each bit, as simulated. A block of a step of twice the scatter is worth about a bit.
const BLOCKS_A_BIT: f64 = 1.6;

/// A search.
#[derive(Debug, Clone)]
pub struct Search {
    last: usize,
    confidence: f64,
    /// Commits without a value: not built, crashed, without the benchmark.
    lacking: BTreeSet<usize>,
    blocks: Vec<Block>,
    named: Vec<Culprit>,
    /// Places behind steps that were not confirmed.
    refuted: BTreeSet<usize>,
    confirming: Option<Confirmation>,
    /// Blocks that looked for a step, confirmations left out.
    searched: usize,
}

/// The values of one block: of both ends, and of commits between.
#[derive(Debug, Clone, PartialEq)]
struct Block {
    ends: [f64; 2],
    between: Vec<(usize, f64)>,
}

/// Neighbours that are measured beside the ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Confirmation {
    before: usize,
    at: usize,
    /// The first block of theirs.
    from: usize,
}

/// A step that was confirmed on blocks of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Culprit {
    /// The last commit before it that could be measured.
    pub before: usize,
    /// The first commit behind it: where both are neighbours, the one that did it.
    pub at: usize,
    /// Of the change between the ends.
    pub share: Share,
}

/// A step of the search.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// A block of these commits, in ascending order, both ends among them.
    Block(Vec<usize>),
    /// The search is over.
    Over(Answer),
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// These steps, in the order in which they were found.
    Steps(Vec<Culprit>),
    /// No single commit explains the change: it is spread between these two.
    Spread {
        /// Up to here, commits are as the good end.
        from: usize,
        /// From here on, commits are as the bad end.
        to: usize,
        /// Its steps that were confirmed.
        steps: Vec<Culprit>,
    },
    /// By all blocks together, the ends do not differ.
    Alike,
}

impl Search {
    /// A search between commit 0 and commit `last`, which naming takes `confidence` for, in (0.5, 1). `None` without a
    /// commit to name.
    #[must_use]
    pub fn new(last: usize, confidence: f64) -> Option<Search> {
        let is_sound = last > 0 && confidence > 0.5 && confidence < 1.0;
        is_sound.then(|| Search {
            last,
            confidence,
            lacking: BTreeSet::new(),
            blocks: Vec::new(),
            named: Vec::new(),
            refuted: BTreeSet::new(),
            confirming: None,
            searched: 0,
        })
    }

    /// Adds what a block measured: a logarithm for each commit. Without both ends, or with a value that is no number, it
    /// says nothing.
    pub fn add(&mut self, values: &[(usize, f64)]) {
        let of = |commit: usize| values.iter().find(|it| it.0 == commit).map(|it| it.1);
        let (Some(good), Some(bad)) = (of(0), of(self.last)) else { return };
        if values.iter().any(|it| !it.1.is_finite()) {
            return;
        }
        let between: Vec<(usize, f64)> =
            values.iter().copied().filter(|it| it.0 > 0 && it.0 < self.last).collect();
        self.searched += usize::from(self.confirming.is_none() && !between.is_empty());
        self.blocks.push(Block { ends: [good, bad], between });
    }

    /// A commit between the ends cannot be measured: it is no candidate for blocks, and the answer may be a range
    /// that holds it.
    pub fn lacks(&mut self, commit: usize) {
        self.lacking.insert(commit);
        if self.confirming.is_some_and(|it| it.before == commit || it.at == commit) {
            self.confirming = None;
        }
    }

    /// The next block, or the result.
    pub fn advance(&mut self) -> Next {
        if let Some(of) = self.confirming
            && let Some(next) = self.confirm(of)
        {
            return next;
        }
        let measured = self.measured();
        let Some(levels) = self.levels(&measured) else {
            // The ends alone say too little of the scatter.
            return Next::Block(vec![0, self.last]);
        };
        if let Some(step) = levels.step(self.confidence, |it| self.is_settled(measured[it])) {
            return self.begin(measured[step - 1], measured[step]);
        }
        if !levels.is_seen() && self.blocks.len() >= FEWEST {
            return Next::Over(Answer::Alike);
        }
        if self.searched as f64 >= self.patience(&levels) {
            return Next::Over(self.spread(&levels, &measured));
        }
        let known: BTreeSet<usize> =
            self.blocks.iter().flat_map(|block| block.between.iter().map(|it| it.0)).collect();
        match levels.least_known(|it| known.contains(&measured[it])) {
            Some(it) => Next::Block(vec![0, measured[it], self.last]),
            None => Next::Over(self.spread(&levels, &measured)),
        }
    }

    /// How likely each commit is to have done it, or to be behind the one that did: pairs of the last commit before and
    /// the first one behind, and a probability; in the order of commits.
    #[must_use]
    pub fn chances(&self) -> Vec<(usize, usize, f64)> {
        let measured = self.measured();
        let Some(levels) = self.levels(&measured) else { return Vec::new() };
        let chance = |at: usize| (measured[at - 1], measured[at], levels.chance(at));
        (1..measured.len()).map(chance).collect()
    }

    /// Commits that can be measured, the ends among them.
    fn measured(&self) -> Vec<usize> {
        (0..=self.last).filter(|commit| !self.lacking.contains(commit)).collect()
    }

    /// Differences of the ends, one a block.
    fn ends(&self) -> Vec<f64> {
        self.blocks.iter().map(|block| block.ends[1] - block.ends[0]).collect()
    }

    /// Absent while nothing is known of the scatter.
    fn levels(&self, measured: &[usize]) -> Option<Levels> {
        let place = |commit: usize| measured.binary_search(&commit).ok();
        let reading = |it: &(usize, f64), block: &Block| {
            let [good, bad] = block.ends;
            place(it.0).map(|place| Reading { place, values: [good, bad, it.1] })
        };
        let readings = self
            .blocks
            .iter()
            .flat_map(|block| block.between.iter().filter_map(move |it| reading(it, block)));
        let widths: Vec<usize> = measured.windows(2).map(|pair| pair[1] - pair[0]).collect();
        Levels::new(&widths, &self.ends(), readings)
    }

    fn is_settled(&self, at: usize) -> bool {
        self.refuted.contains(&at) || self.named.iter().any(|it| it.at == at)
    }

    /// Begins to measure neighbours beside the ends; without any between them, the ends are the neighbours.
    fn begin(&mut self, before: usize, at: usize) -> Next {
        let of = Confirmation { before, at, from: self.blocks.len() };
        self.confirming = Some(of);
        Next::Block(self.beside(of))
    }

    fn beside(&self, of: Confirmation) -> Vec<usize> {
        let mut all = vec![0, of.before, of.at, self.last];
        all.dedup();
        all
    }

    /// The next block while neighbours are measured; nothing if the search goes on.
    fn confirm(&mut self, of: Confirmation) -> Option<Next> {
        let blocks = &self.blocks[of.from..];
        if blocks.is_empty() || !blocks.len().is_multiple_of(CONFIRMING) {
            return Some(Next::Block(self.beside(of)));
        }
        let value = |block: &Block, commit: usize| match commit {
            0 => Some(block.ends[0]),
            it if it == self.last => Some(block.ends[1]),
            it => block.between.iter().find(|at| at.0 == it).map(|at| at.1),
        };
        let step = |block: &Block| Some(value(block, of.at)? - value(block, of.before)?);
        let steps: Vec<f64> = blocks.iter().filter_map(step).collect();
        let level = 1.0 - (1.0 - LEVEL) / LOOKS as f64;
        let found = share(&steps, &self.ends(), level);
        let looks = blocks.len() / CONFIRMING;
        match found {
            Some(share) if share.lo > 0.0 => {
                self.confirming = None;
                self.named.push(Culprit { before: of.before, at: of.at, share });
                let is_over = self.is_whole() && !self.are_two();
                is_over.then(|| Next::Over(Answer::Steps(self.named.clone())))
            }
            _ if looks < LOOKS && self.is_likely(of.at) => Some(Next::Block(self.beside(of))),
            _ => {
                self.confirming = None;
                self.refuted.insert(of.at);
                None
            }
        }
    }

    fn is_likely(&self, at: usize) -> bool {
        let measured = self.measured();
        let place = measured.binary_search(&at).ok();
        let levels = self.levels(&measured);
        place.zip(levels).is_some_and(|(place, levels)| levels.chance(place) > 0.5)
    }

    fn are_two(&self) -> bool {
        self.named.len() < 2 && self.levels(&self.measured()).is_some_and(|levels| levels.are_two())
    }

    /// Whether nothing is left to explain, as far as can be seen.
    fn is_whole(&self) -> bool {
        let hi: f64 = self.named.iter().map(|it| it.share.hi).sum();
        hi >= 1.0
    }

    /// The most blocks that look for a step.
    fn patience(&self, levels: &Levels) -> f64 {
        (PATIENCE * self.bits(levels.noise_to_change())).min(MOST)
    }

    /// Bits to find out, in blocks of a step of twice the scatter.
    fn bits(&self, noise: f64) -> f64 {
        let places = (self.last as f64 + 1.0).log2() + (1.0 / (1.0 - self.confidence)).log2();
        places * (1.0 + 4.0 * noise * noise)
    }

    /// Blocks that a search for one step takes, whose size this is the scatter of an execution over; confirmations left out.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a few thousand
    fn blocks_expected(&self, noise: f64) -> usize {
        match self.last {
            1 => 0,
            _ => (BLOCKS_A_BIT * self.bits(noise)).min(MOST).ceil() as usize,
        }
    }

    /// The neighbours that are being measured beside the ends, if some are.
    fn neighbours(&self) -> Option<(usize, usize)> {
        self.confirming.map(|it| (it.before, it.at))
    }

    fn spread(&self, levels: &Levels, measured: &[usize]) -> Answer {
        if self.is_whole() {
            return Answer::Steps(self.named.clone());
        }
        let (from, to) = levels.change_within(self.confidence);
        Answer::Spread { from: measured[from], to: measured[to], steps: self.named.clone() }
    }
}
