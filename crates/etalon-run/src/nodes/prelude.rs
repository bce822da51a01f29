//! The part of a stage before its first measured block, for nodes that come later.

use super::protocol::Request;

/// Requests to every node before the first measured block of a stage.
#[derive(Debug, Default)]
pub(super) struct Prelude(Vec<Request>);

impl Prelude {
    /// Takes down what all are asked for.
    pub(super) fn note(&mut self, request: &Request) {
        match request {
            Request::SetUp(_) => self.0 = vec![request.clone()],
            Request::Execute(work) if work.is_warmup => self.0.push(request.clone()),
            Request::CleanUp(_) | Request::PutAway => self.0.clear(),
            Request::Execute(_) | Request::Interrupt => {}
        }
    }

    /// The first requests to a node that comes later.
    pub(super) fn requests(&self) -> Vec<Request> {
        self.0.clone()
    }
}
