//! Lines of services.

use etalon_core::model::{Outcome, Service, ServiceEnd};
use etalon_record::raw::write_record;
use etalon_record::{Strictness, raw};

const RECORD: &str = r#"{"type":"header","format":"etalon","version":1,"tool":"t","argv":[],"context":{}}
{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy"}
{"type":"benchmark","name":"a","command":"a"}
{"type":"observation","benchmark":0,"block":0,"values":{"wall":5}}
{"type":"service","name":"s3","start":"minio server","version":"minio 7","ended":"stopped","outcome":{"killed":15},"log_bytes":70000,"log":"bye\n"}
{"type":"service","name":"db","start":"db","ended":"killed","outcome":{"killed":9},"killed":3,"log_bytes":3,"log":{"bytes":"ff0a"}}
{"type":"service","name":"q","start":"q","ended":"itself","later":"a field of another version"}
{"type":"end","stopped_by":"runs","at":"2026-11-21T03:11:22Z"}
"#;

/// Would catch what is recorded of services lost, or changed, on the way into a report or through a conversion.
#[test]
fn services_are_read_and_converted() {
    let data = raw::read(RECORD.as_bytes(), "r", Strictness::Strict).unwrap();
    let mut bytes = Vec::new();
    write_record(&data, "t", &mut bytes).unwrap();
    let again = raw::read(&bytes[..], "r", Strictness::Strict).unwrap();
    let text = |text: &str| text.to_owned();
    let expected = [
        Service {
            name: text("s3"),
            start: text("minio server"),
            version: Some(text("minio 7")),
            ended: ServiceEnd::Stopped,
            outcome: Outcome::Killed { signal: 15 },
            killed: 0,
            log_bytes: 70_000,
            log: text("bye\n"),
        },
        Service {
            name: text("db"),
            start: text("db"),
            version: None,
            ended: ServiceEnd::Killed,
            outcome: Outcome::Killed { signal: 9 },
            killed: 3,
            log_bytes: 3,
            log: text("\u{fffd}\n"),
        },
        Service {
            name: text("q"),
            start: text("q"),
            version: None,
            ended: ServiceEnd::Itself,
            outcome: Outcome::Ok,
            killed: 0,
            log_bytes: 0,
            log: text(""),
        },
    ];
    assert_eq!(data.run_sets[0].services, expected);
    assert_eq!(again.run_sets[0].services, expected);
}

/// Would catch a line that says nothing of use taken for a service.
#[test]
fn a_service_has_an_end() {
    let record = RECORD.replace("\"ended\":\"itself\",", "");
    let error = raw::read(record.as_bytes(), "r", Strictness::Strict).unwrap_err();
    assert!(error.to_string().contains("missing field `ended`"), "{error}");
}
