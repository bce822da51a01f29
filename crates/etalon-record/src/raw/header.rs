//! The header line: what a record is, and how it came to be.
//!
//! Owns its fields in the order they are written. Refuses to decide whether a file is an etalon
//! record: that is [`mod@super::read`]'s first step.

use etalon_core::model::{Bisection, Context, Harness, Sides};
use etalon_core::run_set::{ChecksFile, ExperimentFile};
use serde::{Deserialize, Serialize};

use crate::text::Text;

/// Facts about one execution, known when it starts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HeaderLine {
    /// Its id, from [`crate::store::make_id`]; absent where a source has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The tool that wrote it and its version.
    #[serde(default)]
    pub tool: String,
    /// When it started, as an RFC 3339 time in UTC; absent where a source does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// The command line that produced it.
    #[serde(default)]
    pub argv: Vec<Text>,
    /// Facts about machine, tool and environment.
    #[serde(default)]
    pub context: Context,
    /// The file that the experiment was declared in, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "experiment")]
    pub experiment: Option<ExperimentFile>,
    /// The file that its checks were declared in, if they were.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "checks")]
    pub checks: Option<ChecksFile>,
    /// That it measured two states of a project, and where its benchmarks say which.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "sides")]
    pub sides: Option<Sides>,
    /// The commits that it searched, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "bisection")]
    pub bisection: Option<Bisection>,
    /// The harness that timed its benchmarks, where etalon executed one.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "harness")]
    pub harness: Option<Harness>,
    /// Losses of the source it was converted from: no check passes on such data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
}

impl HeaderLine {
    /// That it measured two states of a project: as the header says, or facts of records from before it did.
    #[must_use]
    pub fn sides(&self) -> Option<Sides> {
        self.sides.or_else(|| Sides::from_facts(&self.context))
    }

    /// The harness that timed its benchmarks: as the header says, or facts of records from before it did.
    #[must_use]
    pub fn harness(&self) -> Option<Harness> {
        self.harness.or_else(|| Harness::from_facts(&self.context))
    }
}

/// `sides` as written: the key of queries that tells them apart, and which value of it is which.
mod sides {
    use etalon_core::model::{BASE, HEAD, SaidBy};
    use serde::{Deserializer, Serializer, de};

    use super::{Deserialize, Serialize, Sides};

    #[derive(Serialize, Deserialize)]
    struct Wire {
        key: String,
        base: String,
        head: String,
    }

    pub(super) fn serialize<S: Serializer>(
        sides: &Option<Sides>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let wire = |sides: &Sides| Wire {
            key: sides.key().to_owned(),
            base: BASE.to_owned(),
            head: HEAD.to_owned(),
        };
        sides.as_ref().map(wire).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Sides>, D::Error> {
        let Some(Wire { key, base, head }) = Option::deserialize(deserializer)? else {
            return Ok(None);
        };
        let all = [SaidBy::Parameter, SaidBy::Fact].map(|said_by| Sides { said_by });
        let known = all.into_iter().find(|sides| sides.key() == key);
        // Taken for none, a side would be ranked beside the other.
        match known.filter(|_| [base.as_str(), &head] == Sides::ORDER) {
            Some(sides) => Ok(Some(sides)),
            None => Err(de::Error::custom("`sides` names none that this version knows")),
        }
    }
}

/// `bisection` as written: both ends as typed, the commits in their order, and what was asked for.
mod bisection {
    use etalon_core::model::Commit;
    use serde::{Deserializer, Serializer};

    use super::{Bisection, Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    struct Wire {
        good: String,
        bad: String,
        confidence: f64,
        proving: u32,
        builds: usize,
        #[serde(default)]
        whatever_it_takes: bool,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        counts: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        follows: Option<String>,
        commits: Vec<(String, String)>,
    }

    pub(super) fn serialize<S: Serializer>(
        bisection: &Option<Bisection>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let wire = |it: &Bisection| Wire {
            good: it.asked[0].clone(),
            bad: it.asked[1].clone(),
            confidence: it.confidence,
            proving: it.proving,
            builds: it.builds,
            whatever_it_takes: it.whatever_it_takes,
            counts: it.counts,
            follows: it.follows.clone(),
            commits: it.commits.iter().map(|it| (it.id.clone(), it.subject.clone())).collect(),
        };
        bisection.as_ref().map(wire).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Bisection>, D::Error> {
        let Some(wire) = Option::<Wire>::deserialize(deserializer)? else { return Ok(None) };
        let commits = wire.commits.into_iter().map(|(id, subject)| Commit { id, subject });
        Ok(Some(Bisection {
            asked: [wire.good, wire.bad],
            commits: commits.collect(),
            confidence: wire.confidence,
            proving: wire.proving,
            builds: wire.builds,
            whatever_it_takes: wire.whatever_it_takes,
            counts: wire.counts,
            follows: wire.follows,
        }))
    }
}

/// `harness` as written: its name. One that this version does not know is taken for none: what it printed is read all the
/// same.
mod harness {
    use serde::{Deserializer, Serializer};

    use super::{Deserialize, Harness, Serialize};

    pub(super) fn serialize<S: Serializer>(
        harness: &Option<Harness>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        harness.map(Harness::word).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Harness>, D::Error> {
        let word = Option::<String>::deserialize(deserializer)?;
        Ok(word.as_deref().and_then(Harness::from_word))
    }
}

/// `checks` as written: `path`, and the text on each side.
mod checks {
    use serde::{Deserializer, Serializer};

    use super::{ChecksFile, Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "ChecksFile")]
    struct Wire {
        #[serde(default)]
        path: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        base: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        head: Option<String>,
    }

    #[derive(Deserialize)]
    struct Owned(#[serde(with = "Wire")] ChecksFile);

    #[derive(Serialize)]
    struct Borrowed<'a>(#[serde(with = "Wire")] &'a ChecksFile);

    pub(super) fn serialize<S: Serializer>(
        file: &Option<ChecksFile>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        file.as_ref().map(Borrowed).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<ChecksFile>, D::Error> {
        Ok(Option::<Owned>::deserialize(deserializer)?.map(|Owned(file)| file))
    }
}

/// `experiment` as written: `path`, `text`, and by command what it printed.
mod experiment {
    use serde::{Deserializer, Serializer};

    use super::{Deserialize, ExperimentFile, Serialize};

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "ExperimentFile")]
    struct Wire {
        #[serde(default)]
        path: String,
        text: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        outputs: Vec<(String, String)>,
    }

    #[derive(Deserialize)]
    struct Owned(#[serde(with = "Wire")] ExperimentFile);

    #[derive(Serialize)]
    struct Borrowed<'a>(#[serde(with = "Wire")] &'a ExperimentFile);

    pub(super) fn serialize<S: Serializer>(
        file: &Option<ExperimentFile>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        file.as_ref().map(Borrowed).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<ExperimentFile>, D::Error> {
        Ok(Option::<Owned>::deserialize(deserializer)?.map(|Owned(file)| file))
    }
}
