//! Searches for a commit in simulated series: the right one, how many executions it takes, and nothing where there is
//! nothing.

use etalon_core::bisect::{Answer, Culprit, Next, Search};
use etalon_core::random::Random;
use etalon_core::stats::normal_quantile;

const EXPERIMENTS: usize = 40;
const CONFIDENCE: f64 = 0.98;

/// A series of commits.
struct Series {
    /// Logarithms by commit.
    levels: Vec<f64>,
    /// Of the logarithm of one execution.
    scatter: f64,
    /// Executions that take longer, by 60 % on average.
    disturbed: f64,
    /// Commits that cannot be built.
    broken: Vec<bool>,
}

impl Series {
    /// Steps of some sizes at random places among 64 commits; the log ratio of two executions scatters by so much.
    fn new(random: &mut Random, sizes: &[f64], scatter: f64) -> (Series, Vec<usize>) {
        let mut places: Vec<usize> = Vec::new();
        while places.len() < sizes.len() {
            let place = 1 + random.below(64);
            if places.iter().all(|it| it.abs_diff(place) > 4) {
                places.push(place);
            }
        }
        places.sort_unstable();
        let level = |commit: usize| {
            places
                .iter()
                .zip(sizes)
                .filter(|(place, _)| **place <= commit)
                .map(|(_, size)| size)
                .sum()
        };
        let levels = (0..=64).map(level).collect();
        let scatter = scatter / std::f64::consts::SQRT_2;
        (Series { levels, scatter, disturbed: 0.0, broken: vec![false; 65] }, places)
    }

    fn execution(&self, random: &mut Random, commit: usize) -> f64 {
        let normal = normal_quantile(random.uniform().clamp(1e-12, 1.0 - 1e-12));
        let late =
            if random.uniform() < self.disturbed { 1.1 + 0.5 * random.uniform() } else { 1.0 };
        self.levels[commit] + self.scatter * normal + f64::ln(late)
    }

    /// The answer of a search, and how many executions it took.
    fn searched(&self, random: &mut Random, before: usize) -> (Answer, usize) {
        let mut search = Search::new(64, CONFIDENCE).unwrap();
        let mut executions = 0;
        let mut block = |search: &mut Search, commits: &[usize], random: &mut Random| {
            let machine = 0.1 * random.uniform();
            let values: Vec<(usize, f64)> =
                commits.iter().map(|it| (*it, machine + self.execution(random, *it))).collect();
            executions += values.len();
            search.add(&values);
        };
        for _ in 0..before {
            block(&mut search, &[0, 64], random);
        }
        for _ in 0..10_000 {
            match search.advance() {
                Next::Over(answer) => return (answer, executions),
                Next::Block(commits) => match commits.iter().find(|it| self.broken[**it]) {
                    Some(broken) => search.lacks(*broken),
                    None => block(&mut search, &commits, random),
                },
            }
        }
        panic!("no end");
    }
}

fn holds(named: &Culprit, place: usize) -> bool {
    named.before < place && place <= named.at
}

fn seen(name: &str, right: usize, executions: usize) {
    eprintln!("{name}: right {right} of {EXPERIMENTS}, {} executions", executions / EXPERIMENTS);
}

fn single(
    name: &str,
    size: f64,
    scatter: f64,
    change: impl Fn(&mut Series, &mut Random),
) -> (usize, usize) {
    let (mut right, mut executions) = (0, 0);
    for seed in 0..EXPERIMENTS {
        let mut random = Random::new(seed as u64).stream(7);
        let (mut series, places) = Series::new(&mut random, &[size], scatter);
        change(&mut series, &mut random);
        let (answer, taken) = series.searched(&mut random, 15);
        executions += taken;
        let only_broken = |it: &Culprit| (it.before + 1..it.at).all(|commit| series.broken[commit]);
        let is_right = match &answer {
            Answer::Steps(steps) => {
                steps.len() == 1 && holds(&steps[0], places[0]) && only_broken(&steps[0])
            }
            Answer::Spread { .. } | Answer::Alike => false,
        };
        right += usize::from(is_right);
    }
    seen(name, right, executions);
    (right, executions / EXPERIMENTS)
}

#[test]
fn one_step_is_found() {
    let (right, executions) = single("3 % at 3 %", 0.03, 0.03, |_, _| ());
    assert!(right >= 37 && executions <= 300, "{right} {executions}");
    let (right, broken) = single("a third broken", 0.03, 0.03, |series, random| {
        for commit in 1..64 {
            series.broken[commit] = random.below(3) == 0;
        }
    });
    assert!(right >= 37 && broken * 10 <= executions * 13, "{right} {broken}");
    let (right, executions) = single("1 % at 1 %", 0.01, 0.01, |_, _| ());
    assert!(right >= 37 && executions <= 300, "{right} {executions}");
    let (right, _) = single("a fifth disturbed", 0.03, 0.03, |series, _| series.disturbed = 0.2);
    single("a fifth disturbed, 1.4 %", 0.03, 0.014, |series, _| series.disturbed = 0.2);
    assert!(right >= 33, "{right}");
}

#[test]
fn no_step_is_not_named() {
    let mut named = 0;
    for seed in 0..EXPERIMENTS {
        let mut random = Random::new(seed as u64).stream(9);
        let (series, _) = Series::new(&mut random, &[], 0.03);
        let (answer, _) = series.searched(&mut random, 15);
        let is_named = matches!(&answer, Answer::Steps(_));
        named += usize::from(is_named);
    }
    eprintln!("no step: named in {named} of {EXPERIMENTS}");
    assert!(named <= 2, "{named}");
}

/// Would catch one of sixty commits that is named for what all of them did.
#[test]
fn a_drift_has_no_culprit() {
    let (mut named, mut executions) = (0, 0);
    for seed in 0..EXPERIMENTS {
        let mut random = Random::new(seed as u64).stream(13);
        let (mut series, _) = Series::new(&mut random, &[], 0.01);
        for commit in 0..=64 {
            series.levels[commit] = 0.03 * commit as f64 / 64.0;
        }
        let (answer, taken) = series.searched(&mut random, 15);
        executions += taken;
        named += usize::from(matches!(&answer, Answer::Steps(_)));
    }
    seen("drift, named", named, executions);
    assert!(named <= 2, "{named}");
}

#[test]
fn ends_are_neighbours_and_nonsense_is_none() {
    assert!(Search::new(0, 0.98).is_none());
    assert!([0.5, 1.0, f64::NAN].iter().all(|it| Search::new(4, *it).is_none()));
    let mut search = Search::new(3, 0.98).unwrap();
    (1..3).for_each(|commit| search.lacks(commit));
    for block in 0..60 {
        let next = search.advance();
        if let Next::Over(Answer::Steps(steps)) = &next {
            assert_eq!((steps.len(), steps[0].before, steps[0].at), (1, 0, 3), "{steps:?}");
            assert!(block <= 30);
            return;
        }
        assert_eq!(next, Next::Block(vec![0, 3]));
        // Half a block and one without a number say nothing, and end nothing.
        search.add(&[(0, 1.0)]);
        search.add(&[(0, 1.0), (3, f64::NAN)]);
        search.add(&[(0, f64::from(block % 7) / 100.0), (3, 0.1 + f64::from(block % 5) / 100.0)]);
    }
    panic!("no end");
}

#[test]
fn two_steps_are_both_looked_for() {
    let (mut right, mut both, mut executions) = (0, 0, 0);
    for seed in 0..EXPERIMENTS {
        let mut random = Random::new(seed as u64).stream(11);
        let (series, places) = Series::new(&mut random, &[0.015, 0.015], 0.03);
        let (answer, taken) = series.searched(&mut random, 15);
        executions += taken;
        let (Answer::Steps(steps) | Answer::Spread { steps, .. }) = &answer else { continue };
        let truth =
            |it: &Culprit| places.iter().filter(|place| holds(it, **place)).count() as f64 / 2.0;
        let is_right = steps.iter().all(|it| it.share.lo <= truth(it) && truth(it) <= it.share.hi);
        right += usize::from(is_right);
        both += usize::from(places.iter().all(|place| steps.iter().any(|it| holds(it, *place))));
    }
    seen("two steps, shares", right, executions);
    eprintln!("both named {both}");
    assert!(right >= 36, "{right}");
}
