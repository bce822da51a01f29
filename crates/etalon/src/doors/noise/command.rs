//! A command by itself, or twice: what an A/A experiment executes.

use etalon_core::noise::{TWIN, TWINS};
use etalon_run::{CommandSetup, Experiment};

use crate::cases::Twins;
use crate::cli::Noise;
use crate::commands::experiment::{self, Request};
use crate::commands::texts::Texts;
use crate::commands::{Subject, Subjects};
use crate::failure::Failure;

/// The experiment on a command, or on two of it, and how they are executed. By itself it is called as `etalon cmd` would
/// call it.
///
/// # Errors
/// If it cannot be executed.
pub(super) fn assembled(
    options: &Noise,
    request: &Request<'_>,
    text: &[u8],
    twins: Twins,
) -> Result<(Experiment, CommandSetup), Failure> {
    let subject = |twin: Option<&str>| Subject {
        texts: Texts {
            command: text.to_vec(),
            name: options.name.clone(),
            ..Texts::of(&options.control, options.shell.as_deref())
        },
        params: twin.map(|twin| (TWIN.to_owned(), twin.to_owned())).into_iter().collect(),
        place: None,
        directory: None,
        to_come: None,
    };
    let all = match twins {
        Twins::Two => TWINS.map(|twin| subject(Some(twin))).to_vec(),
        Twins::None => vec![subject(None)],
    };
    experiment::assembled(request, &Subjects { all, reference: None, remarks: Vec::new() })
}
