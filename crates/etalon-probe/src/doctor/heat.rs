//! Temperatures, and how often CPUs were slowed down because of them.

use crate::machine::bounded::Tree;

/// Temperatures and throttling.
#[derive(Debug, Clone, PartialEq)]
pub struct Heat {
    /// Sensors that have a temperature.
    pub zones: Vec<Zone>,
    /// How often cores were slowed down since the start of the machine; absent where nobody counts.
    pub throttled: Option<u64>,
}

/// A sensor.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone {
    /// The driver's name for it, `x86_pkg_temp`.
    pub kind: String,
    /// Degrees Celsius.
    pub celsius: f64,
    /// Where the kernel begins to slow down, the lowest such point; absent without one.
    pub slowed_at: Option<f64>,
}

const ZONES: &str = "sys/class/thermal";
const CPUS: &str = "sys/devices/system/cpu";

/// Kinds of trip points at which something is slowed down.
const SLOWING: [&str; 2] = ["passive", "hot"];

pub(super) fn read(tree: &Tree<'_>) -> Heat {
    let mut names = tree.names(ZONES);
    names.retain(|name| name.starts_with("thermal_zone"));
    names.sort();
    let zones = names.iter().filter_map(|name| zone(tree, &format!("{ZONES}/{name}")));
    let is_cpu =
        |name: &String| name.strip_prefix("cpu").is_some_and(|rest| rest.parse::<u32>().is_ok());
    let counts = tree.names(CPUS).into_iter().filter(is_cpu).filter_map(|name| {
        let file = format!("{CPUS}/{name}/thermal_throttle/core_throttle_count");
        tree.value(&file)?.parse::<u64>().ok()
    });
    Heat { zones: zones.collect(), throttled: counts.reduce(u64::saturating_add) }
}

fn zone(tree: &Tree<'_>, path: &str) -> Option<Zone> {
    let points = tree.names(path).into_iter().filter_map(|name| {
        let point = name.strip_suffix("_type").filter(|point| point.starts_with("trip_point_"))?;
        let kind = tree.value(&format!("{path}/{name}"))?;
        SLOWING.contains(&kind.as_str()).then(|| degrees(tree, &format!("{path}/{point}_temp")))?
    });
    Some(Zone {
        kind: tree.value(&format!("{path}/type"))?,
        celsius: degrees(tree, &format!("{path}/temp"))?,
        slowed_at: points.filter(|degrees| *degrees > 0.0).min_by(f64::total_cmp),
    })
}

/// In files: thousandths.
fn degrees(tree: &Tree<'_>, name: &str) -> Option<f64> {
    let thousandths: f64 = tree.value(name)?.parse().ok()?;
    thousandths.is_finite().then_some(thousandths / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::fixture::fixture;

    /// Catches a point at which the machine shuts down taken for one at which it slows down, and counts of one core.
    #[test]
    fn the_lowest_slowing_point_and_all_cores_count() {
        let zone = "sys/class/thermal/thermal_zone0";
        let dir = fixture(&[
            (&format!("{zone}/type"), "x86_pkg_temp"),
            (&format!("{zone}/temp"), "61500"),
            (&format!("{zone}/trip_point_0_type"), "critical"),
            (&format!("{zone}/trip_point_0_temp"), "50000"),
            (&format!("{zone}/trip_point_1_type"), "passive"),
            (&format!("{zone}/trip_point_1_temp"), "95000"),
            (&format!("{zone}/trip_point_2_type"), "hot"),
            (&format!("{zone}/trip_point_2_temp"), "90000"),
            ("sys/class/thermal/thermal_zone1/type", "no sensor"),
            ("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3"),
            ("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "4"),
        ]);
        let kind = "x86_pkg_temp".to_owned();
        let zones = vec![Zone { kind, celsius: 61.5, slowed_at: Some(90.0) }];
        assert_eq!(read(&Tree::new(dir.path())), Heat { zones, throttled: Some(7) });
    }
}
