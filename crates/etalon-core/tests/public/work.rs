//! Counts of work: when they are more, less, the same, and when they say nothing.
//!
//! The rule is computed a second time here, slowly, by its words.

use etalon_core::compare::{Contrast, Origin, Scales, compare};
use etalon_core::criteria::Criteria;
use etalon_core::model::{Kind, Metric};
use etalon_core::random::Random;
use etalon_core::sample::Sample;
use etalon_core::verdict::{Moved, Reason, Verdict, assess_all};

fn metric() -> Metric {
    Metric { kind: Kind::Exact, ..Metric::new("instructions", "count") }
}

fn judged(base: &[f64], head: &[f64], criteria: &Criteria) -> (Verdict, Vec<Reason>) {
    let [base, head] = [base, head].map(|of| Sample::new(of.to_vec(), [].into()).unwrap());
    let metric = &metric();
    let (origin, scales) = (Origin::SameRunSet, Scales::Both);
    let contrast = Contrast {
        metric,
        base: &base,
        candidate: &head,
        origin,
        earlier: &[],
        dependence: None,
        scales,
    };
    let criteria = &criteria.for_metric(metric);
    let evidence = compare(&contrast, criteria).unwrap();
    let decision = assess_all(vec![evidence], criteria).remove(0).decision;
    (decision.verdict, decision.reasons)
}

/// Would catch the margin of times in place of that of counts, a difference of two counts a side, and one that is no
/// larger than what the counts of a side differ by.
#[test]
fn counts_are_told_apart_by_their_own_rule() {
    let usual = Criteria::default();
    let of = |base: &[f64], head: &[f64]| judged(base, head, &usual);
    assert_eq!(of(&[1e6; 2], &[1e6; 2]), (Verdict::Same, vec![Reason::WithinMargin]));
    assert_eq!(of(&[1e6; 2], &[1_000_100.0; 2]).0, Verdict::Same, "at the margin");
    let few = vec![Reason::Needs { at_least: 5 }];
    assert_eq!(of(&[1e6; 2], &[1_000_101.0; 2]), (Verdict::Unclear, few.clone()));
    assert_eq!(of(&[1e6; 5], &[1_000_200.0; 4]), (Verdict::Unclear, few));
    assert_eq!(of(&[1e6; 5], &[1_000_101.0; 5]), (Verdict::Slower, vec![Reason::BeyondChance]));
    assert_eq!(of(&[1_000_200.0; 5], &[1e6; 5]), (Verdict::Faster, vec![Reason::BeyondChance]));
    let varying = [1e6, 1_000_100.0, 1e6, 1e6, 1e6];
    let vary = vec![Reason::CountsVary];
    assert_eq!(
        of(&varying, &[1_000_299.0; 5]),
        (Verdict::Unclear, vary),
        "disjoint, within 3 × 100"
    );
    assert_eq!(of(&varying, &[1_000_301.0; 5]).0, Verdict::Slower);
    let wide = Criteria { count_margin: 0.001, ..usual };
    assert_eq!(judged(&[1e6; 5], &[1_000_900.0; 5], &wide).0, Verdict::Same);
    let check = |share| usual.for_metric(&metric()).one_sided(Some(share));
    let held = |share: f64| {
        let margin = etalon_core::criteria::Margin::Relative(share);
        judged(
            &[1e6; 5],
            &[1_002_000.0; 5],
            &Criteria { margin, count_margin: share, ..check(share) },
        )
        .0
    };
    assert_eq!([held(0.001), held(0.003)], [Verdict::Slower, Verdict::Same]);
}

/// Against the rule in words: beyond three times the larger spread, and beyond the margin. Would catch spreads that are
/// added, or taken of one side.
#[test]
fn random_counts_are_judged_as_the_words_say() {
    let mut random = Random::new(11);
    for _ in 0..2000 {
        let mut side = |from: f64| -> Vec<f64> {
            let wide = 400.0 * random.uniform() * random.uniform();
            (0..5).map(|_| (from + wide * random.uniform()).round()).collect()
        };
        let (base, head) = (side(1e6), side(1e6 + 500.0));
        let spread = |of: &[f64]| {
            of.iter().copied().fold(f64::MIN, f64::max)
                - of.iter().copied().fold(f64::MAX, f64::min)
        };
        let middle = |of: &[f64]| {
            let mut of = of.to_vec();
            of.sort_by(f64::total_cmp);
            of[2]
        };
        let (a, b) = (middle(&base), middle(&head));
        let reach = 3.0 * spread(&base).max(spread(&head));
        let ends = [(b - reach) / a, (b + reach) / a];
        let expected = if ends[0] >= 1.0 / 1.0001 && ends[1] <= 1.0001 {
            Verdict::Same
        } else if (b - a).abs() <= reach {
            Verdict::Unclear
        } else if b > a {
            Verdict::Slower
        } else {
            Verdict::Faster
        };
        let found = judged(&base, &head, &Criteria::default()).0;
        assert_eq!(found, expected, "{base:?} {head:?}");
    }
}

/// Would catch a word where the count says nothing, and time that is taken for the same because it is open.
#[test]
fn one_word_for_both() {
    use Verdict::{Faster, Same, Slower, Unclear};
    let names = |count, time| Moved::by_verdicts(count, time).map(Moved::name);
    for (count, time) in [(Slower, Slower), (Slower, Faster), (Faster, Slower)] {
        assert_eq!(names(count, time), Some("both"));
    }
    assert_eq!(names(Slower, Same), Some("count_only"));
    assert_eq!(names(Faster, Unclear), Some("count_first"));
    assert_eq!(names(Same, Slower), Some("time_only"));
    assert_eq!(names(Same, Same), Some("neither"));
    assert_eq!(names(Same, Unclear), None);
    for time in [Faster, Slower, Same, Unclear] {
        assert_eq!(names(Unclear, time), None);
    }
}
