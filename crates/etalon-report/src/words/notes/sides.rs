//! Notes on two sides of a project, in words.

use etalon_core::notes::{
    BenchmarksOf, BuiltSide, KeptBuilds, ListedFiles, Moved, OpenedFiles, SidesNote, Visible,
};

use crate::figures::{BEYOND, changed};
use crate::number::{counted, share};

/// A note on two sides; each names its subject.
pub(super) fn sides(note: &SidesNote) -> String {
    match note {
        SidesNote::Moved(moved) => differs(moved),
        SidesNote::MoreMoved { count } => format!("Withheld: and {count} more"),
        SidesNote::ManyMoved { unit, moved, rows } => format!(
            "Withheld: all of {unit}: in {moved} of {rows} rows a side differs from its own second build"
        ),
        SidesNote::Repeat => {
            "Withheld again when repeated: building alone changes it; if not, something disturbed one build".to_owned()
        }
        SidesNote::BuildsAgree { compared, moved, visible } => {
            agree((*compared, *moved), visible.as_ref())
        }
        SidesNote::BuildsUnchecked { compared, blocks, whole } => {
            unchecked((*compared, *blocks), whole.as_ref())
        }
        SidesNote::BuildsAveraged => {
            "A value is the mean of a side's builds in a block; builds are compared in pairs. What follows both, such \
             as where the compiler puts its code, is part of what is compared"
                .to_owned()
        }
        SidesNote::Layouts { each, scatter } => layouts(*each, *scatter),
        SidesNote::BuiltOnce => {
            "Each side was built once: a difference that building alone makes is not seen".to_owned()
        }
        SidesNote::Untraced { why } => format!("Could not look at which files are read: {why}"),
        SidesNote::SameBytes => "Both sides execute the same bytes".to_owned(),
        SidesNote::NothingOpenedDiffers { opened, listed } => nothing_differs(*opened, listed),
        SidesNote::OthersAsked { programs } => {
            format!("Others were asked over sockets ({programs}): what they read was not looked at")
        }
        SidesNote::BenchmarksDiffer { which, executed } => benchmarks_differ(which, *executed),
        SidesNote::Made { sides, built } => made(sides, built.as_ref()),
    }
}

/// How layouts were compared, and what placement alone does.
fn layouts(each: usize, scatter: Option<f64>) -> String {
    let layouts = counted(each, "layout", "layouts");
    let scatter = scatter
        .map_or_else(String::new, |it| format!("; those of one side scatter by {}", share(it)));
    format!(
        "Each side has {layouts} (ETALON_LAYOUT=1 … {each}), and a value is their mean in a block{scatter}; the answer \
         compares layouts by their medians over blocks, none with another by its number"
    )
}

fn differs(Moved { unit, side, row, ratio }: &Moved) -> String {
    let row = match row {
        Some(row) => row.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" "),
        None => "all rows together".to_owned(),
    };
    let by = ratio.map_or(String::new(), |ratio| format!(" by {}", changed(ratio - 1.0)));
    format!("Withheld: {side} differs from its own second build{by} ({unit}, {row})")
}

/// Of a coarser check it is said that it is one. Because: what building alone changes (where code is put, the order of
/// symbols) makes some percent.
const COARSE: f64 = 0.1;

fn agree((compared, moved): (usize, usize), visible: Option<&Visible>) -> String {
    let compared = counted(compared - moved, "comparison", "comparisons");
    let elsewhere = if moved > 0 { "elsewhere " } else { "" };
    let finest = |it: &Visible| it.whole.map_or(it.row, |whole| whole.min(it.row));
    match visible {
        Some(visible) if finest(visible) >= BEYOND => format!(
            "Controls: {elsewhere}not checked: no side differs from its own second build, but no change of {} would have been \
             seen ({compared})",
            visible.unit
        ),
        Some(visible) if finest(visible) > COARSE => format!(
            "Controls: {elsewhere}not checked finely: no side differs from its own second build, but that of {} by less than {} \
             would not have been seen ({compared})",
            visible.unit,
            changed(finest(visible))
        ),
        _ => format!(
            "Controls: {elsewhere}each side agrees with its own second build ({compared}{})",
            visible.map_or_else(String::new, would_be_seen)
        ),
    }
}

fn unchecked((compared, blocks): (usize, u32), whole: Option<&(String, f64)>) -> String {
    let comparisons = counted(compared, "comparison", "comparisons");
    let blocks = counted(blocks as usize, "block", "blocks");
    match whole {
        Some((unit, change)) if *change <= COARSE => format!(
            "Controls: over all rows each side agrees with its own second build (a change of {unit} by {} would have \
             been seen); row by row not checked: {comparisons} together take {blocks}",
            changed(*change)
        ),
        _ => format!(
            "Controls: not checked: so few blocks show no difference between the builds of a side ({comparisons} \
             together take {blocks})"
        ),
    }
}

fn would_be_seen(Visible { unit, row: smallest, whole }: &Visible) -> String {
    let row = changed(*smallest);
    // Serial dependence may make it the larger one.
    let whole = whole.filter(|whole| whole < smallest);
    let by = whole.map_or(row.clone(), |whole| {
        format!("{} in all rows, or by {row} in one,", changed(whole))
    });
    format!("; a change of {unit} by {by} would have been seen")
}

fn nothing_differs(opened: OpenedFiles, listed: &ListedFiles) -> String {
    let opened = match opened {
        OpenedFiles::Some => "No file of the sides that was opened differs between them",
        OpenedFiles::None => "No file of the sides was opened",
    };
    match listed {
        ListedFiles::Differs(names) => {
            format!("{opened}; what was listed or asked about differs: {names}")
        }
        ListedFiles::Same => {
            format!("{opened}; what was listed or asked about is the same on both")
        }
        ListedFiles::Unknown => format!("{opened}; names, links and rights of files may"),
    }
}

fn benchmarks_differ(which: &str, executed: BenchmarksOf) -> String {
    let how = match executed {
        BenchmarksOf::Head => {
            "both sides executed the head's (--bench-from own has each side execute its own)"
        }
        BenchmarksOf::Own => {
            "each side executed its own, which may do other work (--bench-from head has both execute the head's)"
        }
        BenchmarksOf::OwnForWant => {
            "the head's do not build on the base, so that each side executed its own, which may do other work"
        }
    };
    format!("Benchmarks differ between the sides, {which}: {how}")
}

fn made(sides: &[BuiltSide; 2], built: Option<&(String, Option<String>)>) -> String {
    let [base, head] = sides.each_ref().map(|BuiltSide { asked, revision, .. }| {
        let short = |text: &String| format!(" ({})", text.chars().take(10).collect::<String>());
        format!("{asked}{}", revision.as_ref().map_or_else(String::new, short))
    });
    let built = built.map_or_else(String::new, |(command, seconds)| {
        let seconds = match seconds.as_deref() {
            None => String::new(),
            Some("0.0") => " in less than 0.1 s".to_owned(),
            Some(seconds) => format!(" in {seconds} s"),
        };
        format!("; built with `{command}`{seconds}")
    });
    let kept = sides.iter().filter_map(|side| {
        let KeptBuilds { seconds, some } = side.kept.as_ref()?;
        let some = some.as_ref().map_or_else(String::new, |some| format!(" ({some} builds)"));
        Some(format!("; {}: built {} earlier{some}", side.side, rough(*seconds)))
    });
    format!("Sides: {base} and {head}{built}{}", kept.collect::<String>())
}

/// A time in the largest unit of which there are two.
fn rough(seconds: u64) -> String {
    let units = [(86_400, "days"), (3_600, "hours"), (60, "minutes"), (2, "seconds")];
    match units.into_iter().find(|(size, _)| seconds >= 2 * size) {
        Some((2, unit)) => format!("{seconds} {unit}"),
        Some((size, unit)) => format!("{} {unit}", seconds / size),
        None => "a moment".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch builds that agree because nothing could have been seen.
    #[test]
    fn a_coarse_check_is_called_one() {
        let of = |row, whole| {
            let visible = Visible { unit: "sec/op".to_owned(), row, whole };
            sides(&SidesNote::BuildsAgree { compared: 4, moved: 0, visible: Some(visible) })
        };
        let fine = of(0.02, None);
        assert!(
            fine.contains("agrees") && fine.contains("by 2.0 % would have been seen"),
            "{fine}"
        );
        let coarse = of(0.81, None);
        assert!(coarse.contains("not checked finely") && coarse.contains("81 %"), "{coarse}");
        assert!(!coarse.contains("agrees"), "{coarse}");
        assert!(of(0.81, Some(0.03)).contains("agrees"), "all rows together are fine enough");
        let blind = of(1200.0, None);
        assert!(blind.contains("no change of sec/op would have been seen"), "{blind}");
        let unit = "sec/op".to_owned();
        let of = |whole| sides(&SidesNote::BuildsUnchecked { compared: 4, blocks: 19, whole });
        for none in [of(None), of(Some((unit.clone(), 0.5)))] {
            assert!(none.contains("not checked") && !none.contains("agrees"), "{none}");
            assert!(none.contains("4 comparisons together take 19 blocks"), "{none}");
        }
        let whole = of(Some((unit, 0.02)));
        assert!(whole.contains("over all rows each side agrees"), "{whole}");
        assert!(whole.contains("row by row not checked"), "{whole}");
    }
}
