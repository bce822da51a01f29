//! Schedules, looks, budgets, failures and resuming, as event logs.

use etalon_core::plan::{Order, Stopping};
use etalon_core::run_set::StoppedBy;

use crate::script::{Script, Watching, done, experiment};

/// Half-width over median that no interval of steady values reaches here.
const NEVER: f64 = 1e-9;

fn steady(_: usize, block: u32) -> i64 {
    1_000_000 + i64::from(block % 2)
}

fn doubled(subject: usize, block: u32) -> i64 {
    steady(subject, block) * (i64::try_from(subject).expect("small") + 1)
}

fn budget(seconds: f64) -> Stopping {
    Stopping::Precision { target: NEVER, budget: seconds }
}

/// Would catch a stage without its hooks, a cleanup before the last block, and warm-ups that count.
#[test]
fn a_stage_is_set_up_warmed_up_executed_and_cleaned_up() {
    let mut asked = experiment(2, Order::Sequential, Stopping::Runs(2));
    asked.plan.warmup = 1;
    let (mut script, mut watching) = (Script::new(steady), Watching::default());
    let done = done(&asked, &mut script, &mut watching);
    assert_eq!(done.finished.stopped_by, StoppedBy::Runs);
    let expected = [
        "start",
        "set up [0]",
        "warm-up 0:0",
        "measured 0:0",
        "measured 1:0",
        "clean up [0]",
        "set up [1]",
        "warm-up 1:1",
        "measured 2:1",
        "measured 3:1",
        "clean up [1]",
    ];
    assert_eq!(script.log, expected);
    assert_eq!(watching.stages_done, 1, "the last is for whoever called");
}

/// Would catch a schedule that depends on how many blocks are handed over at once.
#[test]
fn the_schedule_is_the_plans() {
    let asked = experiment(3, Order::Blocks, Stopping::Runs(25));
    let schedule = |batch| {
        let mut script = Script::new(steady);
        script.batch = batch;
        done(&asked, &mut script, &mut Watching::default());
        script.executed()
    };
    assert_eq!(schedule(1).len(), 75);
    assert_eq!(schedule(1), schedule(1000));
    let abba = experiment(2, Order::Abba, Stopping::Runs(2));
    let mut script = Script::new(steady);
    done(&abba, &mut script, &mut Watching::default());
    assert_eq!(script.executed(), ["0:0", "0:1", "1:1", "1:0"]);
}

/// Would catch looks at other blocks, a look at data that was looked at, and a block begun when the time
/// was spent.
#[test]
fn looks_are_at_the_documented_blocks_until_the_budget_is_spent() {
    // Two subjects, 1 ms each: a block takes 2 ms, and 0.03 s for each are 30 blocks.
    let asked = experiment(2, Order::Blocks, budget(0.03));
    let mut script = Script::new(steady);
    let done = done(&asked, &mut script, &mut Watching::default());
    assert_eq!(done.finished.stopped_by, StoppedBy::Budget);
    assert_eq!(done.looks(), [10, 15, 23, 30]);
    assert_eq!(script.executed().len(), 60);
}

/// Would catch a budget that is that of a stage, or of everything.
#[test]
fn the_budget_is_per_subject() {
    for subjects in 1..5 {
        for order in [Order::Blocks, Order::Sequential] {
            let asked = experiment(subjects, order, budget(0.04));
            let mut script = Script::new(steady);
            done(&asked, &mut script, &mut Watching::default());
            assert_eq!(script.executed().len(), 40 * subjects, "{order:?}");
        }
    }
}

/// Would catch a budget that ends what has too few blocks for an interval, and silence about it.
#[test]
fn ten_blocks_are_executed_however_long_they_take() {
    let asked = experiment(1, Order::Blocks, budget(0.001));
    let (mut script, mut watching) = (Script::new(steady), Watching::default());
    let done = done(&asked, &mut script, &mut watching);
    assert_eq!(done.finished.stopped_by, StoppedBy::Budget);
    assert_eq!((script.executed().len(), done.looks()), (10, vec![10]));
    assert_eq!(watching.warned.len(), 1);
}

/// The script's seconds with blocks that take so long, in a minute, on two subjects.
fn in_a_minute(warmup: u32, order: Order, takes_ns: fn(u32) -> u64) -> (f64, Vec<u32>) {
    let mut asked = experiment(2, order, Stopping::Runs(1000));
    asked.plan.limits.within = Some(60);
    asked.plan.warmup = warmup;
    let (mut script, mut watching) = (Script::new(steady), Watching::default());
    script.takes_ns = takes_ns;
    done(&asked, &mut script, &mut watching);
    (script.seconds(), watching.allowed)
}

/// Would catch a last block that begins before the end and ends far behind it (two of 47 s took 94 s of 60), and warm-ups
/// and stages that nobody counts.
#[test]
fn a_limited_time_ends_within_a_quarter_of_it() {
    let takes: [fn(u32) -> u64; 6] = [
        |_| 50_000_000,
        |_| 2_500_000_000,
        |_| 6_000_000_000,
        |_| 9_000_000_000,
        |_| 15_000_000_000,
        |_| 23_500_000_000,
    ];
    for takes_ns in takes {
        let warmups = if takes_ns(0) < 5_000_000_000 { [0, 5] } else { [0, 0] };
        for warmup in warmups {
            for order in [Order::Blocks, Order::Sequential] {
                let (seconds, allowed) = in_a_minute(warmup, order, takes_ns);
                let told = (warmup, takes_ns(0), seconds);
                assert!((45.0..=75.0).contains(&seconds), "{order:?} {told:?}");
                assert!(!allowed.is_empty(), "{told:?}");
            }
        }
    }
    // A first block that is longer than all of the time is told by that.
    let (seconds, allowed) = in_a_minute(0, Order::Blocks, |_| 50_000_000_000);
    assert_eq!((seconds, &allowed[..]), (100.0, &[1][..]));
}

/// Would catch a time that was announced and is not held, without a word, whether it is longer or shorter; and a word about
/// a first block that has more to do than the others, or about seconds.
#[test]
fn what_takes_longer_or_shorter_than_announced_is_told() {
    let told = |promised, takes_ns: fn(u32) -> u64| {
        let asked = experiment(2, Order::Blocks, Stopping::Runs(10));
        let mut script = Script::new(steady);
        script.takes_ns = takes_ns;
        let mut watching = Watching { promised, ..Watching::default() };
        done(&asked, &mut script, &mut watching);
        watching.warned
    };
    let second: fn(u32) -> u64 = |_| 500_000_000;
    assert_eq!(told(Some(3.0), second), [10.0], "by the first block");
    assert_eq!(told(Some(7.0), second), [10.0], "by the first three");
    assert_eq!([told(Some(9.0), second), told(None, second)], [[0.0; 0], [0.0; 0]]);
    assert_eq!(told(Some(50.0), second), [10.0], "five times too long");
    assert_eq!([told(Some(12.0), second), told(Some(2.0), |_| 10_000_000)], [[0.0; 0], [0.0; 0]]);
    let slow_first: fn(u32) -> u64 = |block| if block == 0 { 1_000_000_000 } else { 500_000_000 };
    assert_eq!(told(Some(10.0), slow_first), [0.0; 0]);
}

#[test]
fn precision_stops_at_the_first_look_that_finds_it() {
    let stopping = Stopping::Precision { target: 0.01, budget: 10.0 };
    let asked = experiment(2, Order::Blocks, stopping);
    let mut script = Script::new(steady);
    let done = done(&asked, &mut script, &mut Watching::default());
    assert_eq!(done.finished.stopped_by, StoppedBy::Precision);
    assert_eq!((script.executed().len(), done.looks()), (20, vec![10]));
}

/// Would catch a verdict that nobody looks for, and looks that spend no alpha.
#[test]
fn verdicts_stop_when_all_are_decided() {
    let asked = experiment(2, Order::Blocks, Stopping::Decided { budget: 10.0 });
    let mut script = Script::new(doubled);
    let done = done(&asked, &mut script, &mut Watching::default());
    assert_eq!(done.finished.stopped_by, StoppedBy::Decided);
    let looks = done.data().run_sets.remove(0).looks;
    assert!(looks.iter().all(|look| look.alpha.is_some_and(|alpha| alpha < 0.05)), "{looks:?}");
    assert!(looks.last().is_some_and(|look| look.blocks <= 23), "{looks:?}");
}

/// Would catch a broken subject that is executed on and on, or waited for at every look.
#[test]
fn a_subject_that_is_given_up_is_left_out() {
    let stopping = Stopping::Precision { target: 0.01, budget: 10.0 };
    let asked = experiment(3, Order::Blocks, stopping);
    let mut script = Script::new(steady);
    script.fails = vec![(1, 0)];
    let finished = done(&asked, &mut script, &mut Watching::default());
    assert_eq!(finished.finished.stopped_by, StoppedBy::Precision);
    let of_it = script.executed().iter().filter(|line| line.ends_with(":1")).count();
    assert_eq!((of_it, script.executed().len()), (1, 1 + 2 * 10));
    let mut all = Script::new(steady);
    all.fails = vec![(0, 0), (1, 0), (2, 0)];
    done(&asked, &mut all, &mut Watching::default());
    assert_eq!(all.executed().len(), 3, "nobody is left after the first block");
}

/// Would catch stages that go on being compared with what does not work.
#[test]
fn the_next_takes_the_place_of_a_first_subject_that_is_given_up() {
    let mut asked = experiment(4, Order::Blocks, Stopping::Runs(2));
    let stage = |subjects: &[usize]| etalon_core::plan::Stage { subjects: subjects.to_vec() };
    asked.stages = vec![stage(&[0, 1]), stage(&[0, 2]), stage(&[0, 3])];
    let mut script = Script::new(steady);
    script.fails = vec![(0, 0)];
    done(&asked, &mut script, &mut Watching::default());
    let set_up: Vec<&str> =
        script.log.iter().filter_map(|line| line.strip_prefix("set up ")).collect();
    assert_eq!(set_up, ["[0, 1]", "[1, 2]", "[1, 3]"]);
}

/// Would catch an interrupt that leaves the cleanup out, or goes on to the next stage.
#[test]
fn an_interrupt_ends_with_the_cleanup() {
    let asked = experiment(2, Order::Sequential, Stopping::Runs(50));
    let mut script = Script::new(steady);
    let mut watching = Watching { interrupts_at: Some(20), ..Watching::default() };
    let done = done(&asked, &mut script, &mut watching);
    assert_eq!(done.finished.stopped_by, StoppedBy::Interrupt);
    assert_eq!(script.log.last().map(String::as_str), Some("clean up [0]"));
    assert!(!script.log.iter().any(|line| line == "set up [1]"));
}

/// Would catch a block executed twice or not at all, a budget or looks that begin again, and another
/// schedule, wherever the first sitting ended.
#[test]
fn what_is_resumed_is_the_same_experiment() {
    for (order, stopping) in [
        (Order::Blocks, Stopping::Runs(20)),
        (Order::Sequential, Stopping::Runs(9)),
        (Order::Abba, budget(0.04)),
        (Order::Blocks, budget(0.04)),
    ] {
        let asked = || experiment(3, order, stopping);
        let mut whole = Script::new(steady);
        let reference = done(&asked(), &mut whole, &mut Watching::default());
        for at in [1, 2, 3, 7, 31, 40, 64] {
            let mut first = Script::new(steady);
            let mut watching = Watching { interrupts_at: Some(at), ..Watching::default() };
            let cut = done(&asked(), &mut first, &mut watching);
            if cut.finished.stopped_by != StoppedBy::Interrupt {
                continue;
            }
            let mut second = Script::new(steady);
            let resumed = etalon_run::Experiment { resumed: Some(cut.resumed()), ..asked() };
            let end = done(&resumed, &mut second, &mut Watching::default());
            assert_eq!(end.finished.stopped_by, reference.finished.stopped_by);
            let both = [first.executed(), second.executed()].concat();
            assert!(
                both.len() >= whole.executed().len().saturating_sub(3),
                "{order:?} {stopping:?} {at}: {} of {}",
                both.len(),
                whole.executed().len()
            );
            // At most one block more, the one that was cut.
            assert!(both.len() <= whole.executed().len() + 3, "{order:?} {stopping:?} {at}");
            let mut once = both.clone();
            once.sort();
            once.dedup();
            assert_eq!(once.len(), both.len(), "a number is used once");
            let rows = end.data().groups().iter().map(|group| group.rows.len()).sum::<usize>();
            assert_eq!(rows, both.len());
        }
    }
}

/// Would catch a resumed experiment that looks again at what was looked at, or starts its looks over.
#[test]
fn looks_go_on_where_they_were() {
    let asked = || experiment(1, Order::Blocks, budget(0.04));
    let mut first = Script::new(steady);
    let mut watching = Watching { interrupts_at: Some(25), ..Watching::default() };
    let cut = done(&asked(), &mut first, &mut watching);
    let looked = cut.looks();
    assert_eq!(looked, [10, 15]);
    let resumed = etalon_run::Experiment { resumed: Some(cut.resumed()), ..asked() };
    let end = done(&resumed, &mut Script::new(steady), &mut Watching::default());
    assert_eq!(end.looks(), [10, 15, 23, 34, 40]);
    assert_eq!(end.data().groups()[0].rows.len(), 40);
}
