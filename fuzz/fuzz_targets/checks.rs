//! A project's file of checks: any text gives an error with a line of it, or entries that can be written and compared.
#![no_main]

use etalon_record::checks::parse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match parse(text) {
        Ok(checks) => {
            assert!(checks.thresholds.len() + checks.waivers.len() > 0);
            let row = vec![Some("Sum/large-8".to_owned()), None];
            for threshold in &checks.thresholds {
                assert!(threshold.at_most.is_none_or(|share| share > 0.0));
                let _ = (threshold.about.is_of("sec/op", &row), threshold.to_string());
            }
            for waiver in &checks.waivers {
                assert!(waiver.up_to > 0.0 && !waiver.reason.trim().is_empty());
                let _ = (waiver.about.is_of("sec/op", &row), waiver.to_string());
            }
        }
        Err(error) => assert!((1..=text.lines().count().max(1) + 1).contains(&error.line)),
    }
});
