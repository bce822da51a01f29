//! Lines of nodes, and observations that name theirs.

use etalon_core::model::{Context, Coordinates, Node};
use etalon_record::raw::{Event, read_unfinished, write, write_record};
use etalon_record::{ReadError, Strictness, raw};

const RECORD: &str = r#"{"type":"header","format":"etalon","version":1,"tool":"t","argv":[],"context":{"os":"linux"}}
{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy"}
{"type":"benchmark","name":"a","command":"a"}
{"type":"node","name":"n1.example","boot":"b1","context":{"cpu.model":"x","machine.host":"n1"}}
{"type":"node","name":"n2"}
{"type":"observation","benchmark":0,"node":1,"phase":"warmup","block":0,"values":{"wall":5}}
{"type":"observation","benchmark":0,"node":0,"phase":"warmup","block":0,"values":{"wall":5}}
{"type":"observation","benchmark":0,"node":1,"block":0,"at":9,"values":{"wall":5}}
{"type":"observation","benchmark":0,"block":1,"node":0,"at":7,"values":{"wall":6}}
{"type":"observation","benchmark":0,"node":1,"block":2,"at":11,"values":{"wall":7}}
"#;

fn nodes() -> [Node; 2] {
    let facts = [("cpu.model", "x"), ("machine.host", "n1")];
    let context: Context = facts.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    [
        Node { name: "n1.example".to_owned(), boot: Some("b1".to_owned()), context },
        Node { name: "n2".to_owned(), ..Node::default() },
    ]
}

/// Would catch nodes lost, or blocks credited to another node, on the way into a report, through a conversion, or where
/// a run is resumed.
#[test]
fn nodes_are_read_converted_and_resumed() {
    let data = raw::read(RECORD.as_bytes(), "r", Strictness::Strict).unwrap();
    let mut bytes = Vec::new();
    write_record(&data, "t", &mut bytes).unwrap();
    let again = raw::read(&bytes[..], "r", Strictness::Strict).unwrap();
    for data in [data, again] {
        let of = &data.run_sets[0].nodes;
        assert_eq!(of.all(), nodes());
        assert_eq!([0, 1, 2, 3].map(|block| of.of(block)), [Some(1), Some(0), Some(1), None]);
    }
    let unfinished = read_unfinished(RECORD.as_bytes(), "r").unwrap();
    assert_eq!(unfinished.nodes, nodes());
    let Some(Event::Observed(last)) = unfinished.events.last() else { panic!("no observation") };
    let coordinates = Coordinates { node: Some(1), block: Some(2), turn: None, at_ns: Some(11) };
    assert_eq!(last.coordinates, coordinates);
    let mut written = Vec::new();
    nodes().iter().for_each(|node| write::node(&mut written, node));
    write::observation(&mut written, last, &unfinished.metrics, None);
    for line in std::str::from_utf8(&written).unwrap().lines() {
        assert!(RECORD.lines().any(|known| known == line), "{line}");
    }
}

/// Would catch a block whose readings on one machine are compared with readings on another.
#[test]
fn a_block_of_two_nodes_is_refused_with_its_line() {
    let second = r#"{"type":"observation","benchmark":0,"node":0,"block":2,"values":{"wall":8}}"#;
    let error = raw::read(format!("{RECORD}{second}\n").as_bytes(), "r", Strictness::Lenient);
    let error = error.unwrap_err();
    let (first, second) = ("n2".to_owned(), "n1.example".to_owned());
    let source = "r".to_owned();
    assert_eq!(error, ReadError::BlockOfTwo { source, line: 11, block: 2, first, second });
    assert!(error.to_string().starts_with("r:11: block 2 is of node `n1.example`"), "{error}");
}

/// Would catch an observation of no node, or of one that nobody declared, among those of nodes.
#[test]
fn an_observation_names_a_node_that_is_known() {
    for (node, reason) in [("", "it names no node"), ("\"node\":2,", "it refers to node 2, and 2")]
    {
        let line = format!(
            r#"{{"type":"observation","benchmark":0,{node}"block":9,"values":{{"wall":8}}}}"#
        );
        let record = format!("{RECORD}{line}\n");
        let strict = raw::read(record.as_bytes(), "r", Strictness::Strict).unwrap_err();
        assert!(strict.to_string().contains(reason), "{strict}");
        let lenient = raw::read(record.as_bytes(), "r", Strictness::Lenient).unwrap();
        assert!(
            lenient.run_sets[0].notes[0].text.contains(reason),
            "{:?}",
            lenient.run_sets[0].notes
        );
        assert_eq!(lenient.len(), 3);
    }
    let failed =
        r#"{"type":"observation","benchmark":0,"block":9,"outcome":{"failed":1},"values":{}}"#;
    let record = format!("{RECORD}{failed}\n");
    let strict = raw::read(record.as_bytes(), "r", Strictness::Strict).unwrap();
    assert_eq!(strict.len(), 4, "what is known to fail is of no node");
}
