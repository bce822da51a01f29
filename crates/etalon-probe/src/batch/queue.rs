//! What Slurm says of the tasks of a job.

use std::collections::BTreeMap;

/// Where a task stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    /// It waits for a node: why, in Slurm's word.
    Waits(String),
    /// It is executed, or about to end.
    Runs,
    /// It is over: how, in Slurm's word.
    Ended(String),
}

/// The tasks that `squeue` printed, one a line: number, state, reason.
pub(super) fn fates(printed: &str) -> BTreeMap<u32, Fate> {
    let of_line = |line: &str| {
        let mut words = line.split('|');
        let (task, state) = (words.next()?.trim().parse::<u32>().ok()?, words.next()?.trim());
        let reason = words.next().unwrap_or_default().trim();
        let fate = match state {
            "PENDING" | "REQUEUED" | "REQUEUE_FED" | "REQUEUE_HOLD" | "SPECIAL_EXIT"
            | "CONFIGURING" => Fate::Waits(reason.to_owned()),
            "RUNNING" | "COMPLETING" | "SUSPENDED" | "STOPPED" | "SIGNALING" | "STAGE_OUT"
            | "RESIZING" => Fate::Runs,
            other => Fate::Ended(other.to_owned()),
        };
        Some((task, fate))
    };
    printed.lines().filter_map(of_line).collect()
}

/// The status with which a job ended, and its node, as `scontrol show job` prints them in a line.
pub(super) fn ending(printed: &str) -> (Option<u8>, Option<String>) {
    let of = |key: &str| printed.split_whitespace().find_map(|word| word.strip_prefix(key));
    let status = of("ExitCode=").and_then(|it| it.split(':').next()?.parse::<u8>().ok());
    let node = of("NodeList=").filter(|it| !it.starts_with('(')).map(str::to_owned);
    (status, node)
}

/// The end of a task in words.
pub(super) fn words(state: &str) -> String {
    match state {
        "TIMEOUT" | "DEADLINE" => "the time limit of its job is over".to_owned(),
        "PREEMPTED" => "Slurm gave its node to another job (preempted)".to_owned(),
        "NODE_FAIL" | "BOOT_FAIL" => "Slurm says that the node failed".to_owned(),
        "CANCELLED" | "REVOKED" => "somebody cancelled its job".to_owned(),
        "OUT_OF_MEMORY" => "its job took more memory than it may".to_owned(),
        "COMPLETED" => "its job is over".to_owned(),
        "unknown" => "Slurm knows nothing of its job any more".to_owned(),
        other => format!("Slurm says that its job is over ({other})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a task that waits and is taken for one that is over, and lines of something else.
    #[test]
    fn what_slurm_prints_is_read() {
        let printed = "1|RUNNING|None\n2|PENDING|Resources\n3|TIMEOUT|TimeLimit\nN/A|RUNNING|x\n\n";
        let fates = fates(printed);
        assert_eq!(fates.len(), 3);
        assert_eq!(fates[&1], Fate::Runs);
        assert_eq!(fates[&2], Fate::Waits("Resources".to_owned()));
        assert_eq!(fates[&3], Fate::Ended("TIMEOUT".to_owned()));
        let line =
            "JobId=18 JobState=FAILED ExitCode=71:0 ReqNodeList=(null) NodeList=n2 Command=x";
        assert_eq!(ending(line), (Some(71), Some("n2".to_owned())));
        assert_eq!(ending("NodeList=(null)"), (None, None));
    }
}
