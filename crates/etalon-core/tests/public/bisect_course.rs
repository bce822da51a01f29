//! Whole bisections of simulated series, as `etalon bisect` has them executed: the ends proved to differ, second builds of
//! ends and neighbours, the search between.

use etalon_core::bisect::{Answer, Course, Culprit, Ending, Rules, Step};
use etalon_core::random::Random;
use etalon_core::stats::{Alternative, Sorted, mann_whitney, median, normal_quantile};

const EXPERIMENTS: usize = 40;

/// A series of 65 commits.
struct Series {
    /// Logarithms by commit.
    levels: Vec<f64>,
    /// Of the logarithm of one execution.
    scatter: f64,
    /// Executions that take longer, by up to 60 %.
    disturbed: f64,
    /// Of the logarithm of a build.
    layout: f64,
    broken: Vec<bool>,
}

/// The state of the machine, where executions are not interleaved.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Machine {
    /// Always one.
    Steady,
    /// Another one for each commit's executions, by up to 10 %.
    OfSeries,
    /// Another one for each execution.
    OfExecution,
}

fn normal(random: &mut Random) -> f64 {
    normal_quantile(random.uniform().clamp(1e-12, 1.0 - 1e-12))
}

impl Series {
    /// Steps at random places; the log ratio of two executions scatters by so much.
    fn new(random: &mut Random, sizes: &[f64], scatter: f64) -> (Series, Vec<usize>) {
        let mut places: Vec<usize> = Vec::new();
        while places.len() < sizes.len() {
            let place = 1 + random.below(64);
            if places.iter().all(|it| it.abs_diff(place) > 4) {
                places.push(place);
            }
        }
        places.sort_unstable();
        let behind = |commit: usize| places.iter().zip(sizes).filter(move |it| *it.0 <= commit);
        let levels = (0..=64).map(|commit| behind(commit).map(|it| it.1).sum()).collect();
        let scatter = scatter / std::f64::consts::SQRT_2;
        let broken = vec![false; 65];
        (Series { levels, scatter, disturbed: 0.0, layout: 0.0, broken }, places)
    }

    /// The logarithm of one execution of a commit.
    fn execution(&self, random: &mut Random, commit: usize) -> f64 {
        let is_late = random.uniform() < self.disturbed;
        let late = if is_late { 1.1 + 0.5 * random.uniform() } else { 1.0 };
        self.levels[commit] + self.scatter * normal(random) + f64::ln(late)
    }

    /// The commit that `git bisect run` names with benchstat's rule in its script: the good end and then each commit is
    /// executed so often, and a commit is bad that is slower with p below 0.05.
    fn by_rule(&self, random: &mut Random, each: usize, machine: Machine) -> usize {
        let mut series = |commit: usize| -> Vec<f64> {
            let shared = 0.1 * random.uniform();
            let state = |random: &mut Random| match machine {
                Machine::Steady => 0.0,
                Machine::OfSeries => shared,
                Machine::OfExecution => 0.1 * random.uniform(),
            };
            (0..each).map(|_| state(random) + self.execution(random, commit)).collect()
        };
        let good = series(0);
        let (mut before, mut bad) = (0, 64);
        while bad - before > 1 {
            let middle = usize::midpoint(before, bad);
            let values = series(middle);
            let test = mann_whitney(&values, &good, Alternative::TwoSided).unwrap();
            let median = |values: &[f64]| median(&Sorted::new(values).unwrap()).unwrap();
            let is_bad = test.p < 0.05 && median(&values) > median(&good);
            *if is_bad { &mut bad } else { &mut before } = middle;
        }
        bad
    }

    /// How a bisection ends, and how many executions it took, second builds left out.
    fn bisected(&self, random: &mut Random, builds: usize) -> (Ending, usize) {
        let rules = Rules {
            last: 64,
            confidence: 0.98,
            alpha: 0.05,
            proving: 60,
            builds,
            whatever_it_takes: false,
            counting: None,
        };
        let mut course = Course::new(rules).expect("commits");
        let mut executions = 0;
        let layouts: Vec<f64> = (0..130).map(|_| self.layout * normal(random)).collect();
        for _ in 0..10_000 {
            let members = match course.step() {
                Step::Over(ending) => return (ending, executions),
                Step::Block(members) => members,
                Step::Count(commit) => panic!("{commit} counted"),
            };
            if let Some((broken, _)) = members.iter().find(|it| self.broken[it.0]) {
                course.lacks(*broken);
                continue;
            }
            let machine = 0.1 * random.uniform();
            let readings: Vec<_> = members
                .iter()
                .map(|(commit, build)| {
                    let layout = layouts[commit * 2 + build];
                    ((*commit, *build), machine + layout + self.execution(random, *commit))
                })
                .collect();
            executions += members.iter().filter(|it| it.1 == 0).count();
            assert!(course.add(&readings));
        }
        panic!("no end");
    }
}

fn holds(named: &Culprit, place: usize) -> bool {
    named.before < place && place <= named.at
}

fn is_right(series: &Series, ending: &Ending, place: usize) -> bool {
    let only_broken = |it: &Culprit| (it.before + 1..it.at).all(|commit| series.broken[commit]);
    match ending {
        Ending::Found(Answer::Steps(steps)) => {
            steps.len() == 1 && holds(&steps[0], place) && only_broken(&steps[0])
        }
        _ => false,
    }
}

fn single(
    name: &str,
    (size, scatter): (f64, f64),
    change: impl Fn(&mut Series, &mut Random),
) -> (usize, usize) {
    let (mut right, mut executions, mut unnamed) = (0, 0, Vec::new());
    for seed in 0..EXPERIMENTS {
        let mut random = Random::new(seed as u64).stream(21);
        let (mut series, places) = Series::new(&mut random, &[size], scatter);
        change(&mut series, &mut random);
        let (ending, taken) = series.bisected(&mut random, 2);
        executions += taken;
        right += usize::from(is_right(&series, &ending, places[0]));
        unnamed.extend((!matches!(&ending, Ending::Found(Answer::Steps(_)))).then_some(ending));
    }
    eprintln!("{name}: not named {unnamed:?}");
    eprintln!("{name}: right {right} of {EXPERIMENTS}, {} executions", executions / EXPERIMENTS);
    (right, executions / EXPERIMENTS)
}

/// Would catch a proof of the ends that takes more than the search, or lets nothing through.
#[test]
fn one_step_is_named() {
    let (right, executions) = single("3 % at 3 %", (0.03, 0.03), |_, _| ());
    assert!(right >= 37 && executions <= 300, "{right} {executions}");
    let (right, broken) = single("a third broken", (0.03, 0.03), |series, random| {
        (1..64).for_each(|commit| series.broken[commit] = random.below(3) == 0);
    });
    assert!(right >= 37 && broken * 10 <= executions * 13, "{right} {broken}");
    let (right, executions) = single("1 % at 1 %", (0.01, 0.01), |_, _| ());
    assert!(right >= 37 && executions <= 300, "{right} {executions}");
    let disturbed = |series: &mut Series, _: &mut Random| series.disturbed = 0.2;
    let (right, _) = single("a fifth disturbed", (0.03, 0.03), disturbed);
    assert!(right >= 33, "{right}");
    single("a fifth disturbed, scatter 1.4 %", (0.03, 0.014), disturbed);
    single("layouts of 0.5 %", (0.03, 0.03), |series, _| series.layout = 0.005);
}

/// Others on the same series. Would catch a rule that is simulated to be worse than it is: on a machine that
/// never changes it is right more often than not.
#[test]
fn a_threshold_names_others() {
    for (name, disturbed) in [("3 % at 3 %", 0.0), ("a fifth disturbed", 0.2)] {
        for machine in [Machine::Steady, Machine::OfExecution, Machine::OfSeries] {
            // Ten as benchstat asks for, and as many as a bisection in blocks takes.
            for each in [10, 36] {
                let right = (0..EXPERIMENTS).filter(|seed| {
                    let mut random = Random::new(*seed as u64).stream(21);
                    let (mut series, places) = Series::new(&mut random, &[0.03], 0.03);
                    series.disturbed = disturbed;
                    series.by_rule(&mut random, each, machine) == places[0]
                });
                let right = right.count();
                let executions = 7 * each;
                eprintln!(
                    "git bisect run, {name}, {machine:?}: right {right} of {EXPERIMENTS}, {executions} executions"
                );
                let is_best = machine == Machine::Steady && disturbed == 0.0 && each == 36;
                assert!(!is_best || right >= 20, "{right}");
            }
        }
    }
}

#[test]
fn without_a_step_none_is_named() {
    let mut named = 0;
    for seed in 0..EXPERIMENTS {
        let mut random = Random::new(seed as u64).stream(23);
        let (series, _) = Series::new(&mut random, &[], 0.03);
        let (ending, _) = series.bisected(&mut random, 2);
        named += usize::from(matches!(&ending, Ending::Found(Answer::Steps(_))));
    }
    eprintln!("no step: named in {named} of {EXPERIMENTS}");
    assert!(named <= 2, "{named}");
}

/// Would catch a second build that moves by as much as the commits do and is not said.
#[test]
fn a_layout_is_no_commit() {
    let (mut named, mut said) = (0, 0);
    for seed in 0..EXPERIMENTS {
        let mut random = Random::new(seed as u64).stream(25);
        let (mut series, _) = Series::new(&mut random, &[], 0.01);
        series.layout = 0.02;
        let (ending, _) = series.bisected(&mut random, 2);
        named += usize::from(matches!(&ending, Ending::Found(Answer::Steps(_))));
        said += usize::from(matches!(&ending, Ending::Undermined));
    }
    eprintln!("layouts of 2 %, no step: named in {named}, said in {said} of {EXPERIMENTS}");
    assert!(said >= 20, "{said}");
}

#[test]
fn two_steps_have_true_shares() {
    let (mut right, mut both, mut executions) = (0, 0, 0);
    for seed in 0..EXPERIMENTS {
        let mut random = Random::new(seed as u64).stream(27);
        let (series, places) = Series::new(&mut random, &[0.015, 0.015], 0.03);
        let (ending, taken) = series.bisected(&mut random, 2);
        executions += taken;
        let steps = match &ending {
            Ending::Found(Answer::Steps(steps) | Answer::Spread { steps, .. }) => &steps[..],
            _ => &[],
        };
        let truth =
            |it: &Culprit| places.iter().filter(|place| holds(it, **place)).count() as f64 / 2.0;
        let are_true = |it: &Culprit| it.share.lo <= truth(it) && truth(it) <= it.share.hi;
        right += usize::from(steps.iter().all(are_true));
        both += usize::from(places.iter().all(|place| steps.iter().any(|it| holds(it, *place))));
    }
    let each = executions / EXPERIMENTS;
    eprintln!(
        "two steps: shares right in {right} of {EXPERIMENTS}, both named in {both}, {each} executions"
    );
    assert!(right >= 36, "{right}");
}

/// Would catch a bound below the steps that there are.
#[test]
fn a_drift_has_a_bound_for_each_commit() {
    let (mut named, mut executions) = (0, 0);
    for seed in 0..EXPERIMENTS {
        let mut random = Random::new(seed as u64).stream(29);
        let (mut series, _) = Series::new(&mut random, &[], 0.01);
        (0..=64).for_each(|commit| series.levels[commit] = 0.03 * commit as f64 / 64.0);
        let (ending, taken) = series.bisected(&mut random, 2);
        executions += taken;
        named += usize::from(matches!(&ending, Ending::Found(Answer::Steps(_))));
    }
    eprintln!("drift: named in {named} of {EXPERIMENTS}, {} executions", executions / EXPERIMENTS);
    assert!(named <= 2, "{named}");
}

/// Readings decide the course: a record says what was said live, and one that was cut short goes on.
#[test]
fn a_course_follows_from_its_readings() {
    let rules = Rules {
        last: 9,
        confidence: 0.98,
        alpha: 0.05,
        proving: 15,
        builds: 2,
        whatever_it_takes: false,
        counting: None,
    };
    let (mut one, mut other) = (Course::new(rules).unwrap(), Course::new(rules).unwrap());
    let mut random = Random::new(3);
    for _ in 0..2000 {
        let step = one.step();
        assert_eq!(step, one.step());
        assert_eq!(step, other.step());
        let Step::Block(members) = step else {
            let Step::Over(Ending::Found(Answer::Steps(steps))) = step else { panic!("{step:?}") };
            assert_eq!((steps[0].before, steps[0].at), (5, 6));
            let named = one.named(steps[0]);
            assert_eq!(named.controls.len(), 2);
            assert!((named.change.unwrap().estimate - 0.3).abs() < 0.02);
            return;
        };
        let level = |commit: usize| if commit >= 6 { 0.3 } else { 0.0 };
        let value = |random: &mut Random, commit| level(commit) + 0.01 * random.uniform();
        let readings: Vec<_> = members.iter().map(|it| (*it, value(&mut random, it.0))).collect();
        // Half a block says nothing.
        assert!(!one.add(&readings[1..]));
        assert!(one.add(&readings) && other.add(&readings));
    }
    panic!("no end");
}
