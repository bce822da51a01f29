//! The way over ssh: a connection, and over it a session for each thing that is done.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, empty};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use etalon_probe::far::{Closer, Connection, FarError, Ground, Host, Session};

use super::{Input, NAME, Route, WORKER};

/// A host.
#[derive(Debug)]
pub(in crate::nodes) struct BySsh {
    pub(in crate::nodes) host: Host,
    /// A directory for its sockets.
    pub(in crate::nodes) sockets: PathBuf,
    /// Where ssh is looked for.
    pub(in crate::nodes) path: Option<OsString>,
    /// How long the machine may be silent until its worker is there.
    pub(in crate::nodes) patience: Duration,
    pub(in crate::nodes) closer: Arc<OnceLock<Closer>>,
    /// Once it is connected to.
    pub(in crate::nodes) reached: Option<(Connection, Ground)>,
    /// Once its worker is started.
    pub(in crate::nodes) session: Option<Session>,
}

fn unfit(why: &str) -> FarError {
    FarError::Unfit(why.to_owned())
}

impl Route for BySsh {
    fn name(&self) -> String {
        self.host.name().to_owned()
    }

    fn reach(&mut self, is_unwanted: &dyn Fn() -> bool) -> Result<(String, Ground), FarError> {
        fs::create_dir_all(&self.sockets).map_err(FarError::Ssh)?;
        let (asked, path) = ((&self.host, self.patience), self.path.as_deref());
        let mut connection = Connection::open(asked, &self.sockets, path, is_unwanted)?;
        let _first = self.closer.set(connection.closer());
        let ground = connection.prepare()?;
        self.reached = Some((connection, ground.clone()));
        Ok((self.name(), ground))
    }

    fn start(&mut self, program: &Path, is_unwanted: &dyn Fn() -> bool) -> Result<Input, FarError> {
        let Some((connection, ground)) = &self.reached else {
            return Err(unfit("it is not connected to"));
        };
        connection.send(ground, (program, NAME), is_unwanted)?;
        let mut session = connection.execute(ground, NAME, WORKER)?;
        let input = session.input().ok_or_else(|| unfit("its worker has no streams"))?;
        self.session = Some(session);
        Ok(Box::new(input))
    }

    fn answers<'a>(&'a mut self, _: &'a dyn Fn() -> bool) -> Box<dyn BufRead + 'a> {
        match self.session.as_mut().and_then(Session::output) {
            Some(output) => Box::new(output),
            None => Box::new(empty()),
        }
    }

    fn why_ended(&mut self) -> (String, Option<Box<dyn Route>>) {
        let why = match (&self.reached, &mut self.session) {
            (Some((connection, _)), Some(session)) => connection.why_ended(session),
            _ => "its worker has no streams".to_owned(),
        };
        (why, None)
    }
}
