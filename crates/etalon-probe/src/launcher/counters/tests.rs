//! Counting without a machine that counts: scripted readings and refusals.

use super::*;

fn reading(value: u64, enabled_ns: u64, running_ns: u64) -> Reading {
    Reading { value, enabled_ns, running_ns }
}

#[test]
fn a_shared_counter_is_scaled_and_said() {
    // Would catch a quarter of the instructions recorded as all of them.
    let counted = since(reading(1_000, 50, 50), reading(2_000, 450, 150));
    assert_eq!(counted, reading(1_000, 400, 100));
    assert_eq!((scaled(counted), percent(counted)), (Some(4_000), 25));
    assert_eq!(scaled(reading(10, 3, 2)), Some(15));
    assert_eq!(percent(reading(10, 1_000, 999)), 99, "100 means all of the time");
    // Would catch an overflow: 10^13 instructions over an hour on 64 CPUs.
    let long = reading(10_000_000_000_000, 230_400_000_000_000, 115_200_000_000_000);
    assert_eq!(scaled(long), Some(20_000_000_000_000));
}

#[test]
fn a_counter_of_its_own_is_taken_as_it_is() {
    assert_eq!(scaled(reading(7, 100, 100)), Some(7));
    assert_eq!(scaled(reading(0, 100, 100)), Some(0), "nothing happened, and that was counted");
    assert_eq!(scaled(reading(7, 100, 101)), Some(7));
}

#[test]
fn what_never_had_a_counter_is_absent() {
    // Would catch 0 for an event that was not counted, and a division by zero.
    assert_eq!(scaled(reading(0, 100, 0)), None);
    assert_eq!(scaled(reading(0, 0, 0)), None, "nothing was executed");
    assert_eq!(percent(reading(0, 0, 0)), 0);
}

#[test]
fn what_the_machine_does_not_have_is_named_with_the_reason() {
    // Would catch a column of zeros where there are no hardware counters.
    let attempts = attempt(
        |_| true,
        |event, _| {
            if is_hardware(event) {
                Err(io::Error::from_raw_os_error(libc::ENOENT))
            } else {
                Ok(())
            }
        },
    );
    assert_eq!(attempts.events, Events::Whole);
    assert_eq!(attempts.files.len(), 4);
    let names: Vec<&str> = attempts.unavailable.iter().map(|u| u.metric.as_str()).collect();
    let missing =
        ["cycles", "instructions", "cache_refs", "cache_misses", "branches", "branch_misses"];
    assert_eq!(names, [&missing[..], &["counted"]].concat());
    assert!(attempts.unavailable[0].why.contains("hypervisor"));
}

#[test]
fn a_forbidden_kernel_leaves_what_programs_do() {
    // Would catch 0 context switches in user mode, where none can happen.
    let attempts = attempt(
        |_| true,
        |_, scope| match scope {
            Scope::Whole => Err(io::Error::from_raw_os_error(libc::EACCES)),
            Scope::User => Ok(()),
        },
    );
    let Events::UserOnly { why } = &attempts.events else { panic!("{:?}", attempts.events) };
    assert!(why.contains("kernel.perf_event_paranoid"), "{why}");
    let names: Vec<&str> = attempts.unavailable.iter().map(|u| u.metric.as_str()).collect();
    assert_eq!(names, ["page_faults", "context_switches", "migrations"]);
    assert_eq!(attempts.files.len(), 7);
}

#[test]
fn where_nothing_may_be_counted_the_remedy_is_named() {
    let forbidden = || io::Error::from_raw_os_error(libc::EPERM);
    let attempts = attempt::<()>(|_| true, |_, _| Err(forbidden()));
    assert_eq!(attempts.events, Events::None);
    assert_eq!(attempts.unavailable.len(), EVENTS.len() + 1);
    assert!(attempts.unavailable.iter().take(10).all(|u| u.why.contains("CAP_PERFMON")));
}

#[test]
fn only_what_is_wanted_is_opened() {
    // Would catch a cost nobody asked for.
    let attempts = attempt(|source| source == Source::Cycles, |event, _| Ok(event.source));
    assert_eq!(attempts.files, [(Source::Cycles, Source::Cycles)]);
    assert!(attempts.unavailable.is_empty());
}

fn is_hardware(event: &Event) -> bool {
    event::is_hardware(event.source)
}
