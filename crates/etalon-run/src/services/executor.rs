//! Services around any executor.

use std::cell::RefCell;
use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::rc::Rc;

use etalon_core::model::{Observation, Outcome};
use etalon_core::plan::Stage;
use etalon_record::Text;

use super::Services;
use super::spec::ServiceSpec;
use crate::error::RunError;
use crate::executor::{Batch, Executed, Executor, Flow, Stop};
use crate::experiment::Experiment;
use crate::monitor::Monitor;
use crate::record::Records;
use crate::state::{FailedSubject, Started};

/// An executor with services around it: they are started before it starts, looked after while blocks are executed, and
/// stopped when all is executed, cleanups included. Without services it is the executor.
pub struct WithServices<E> {
    executor: E,
    specs: Vec<ServiceSpec>,
    environment: Vec<Text>,
    cwd: PathBuf,
    interrupted: Box<dyn FnMut() -> bool>,
    services: Rc<RefCell<Services>>,
}

impl<E> WithServices<E> {
    /// Nothing is started yet. `environment` is etalon's own, relative names are in the absolute directory `cwd`;
    /// `interrupted` says whether the user has asked to stop since it was called last.
    pub fn new(
        executor: E,
        specs: Vec<ServiceSpec>,
        environment: Vec<Text>,
        cwd: PathBuf,
        interrupted: impl FnMut() -> bool + 'static,
    ) -> WithServices<E> {
        let (interrupted, services) = (Box::new(interrupted), Rc::default());
        WithServices { executor, specs, environment, cwd, interrupted, services }
    }

    fn check(&self) -> Result<(), RunError> {
        self.services.borrow_mut().check().map_err(RunError::Service)
    }
}

impl<E: fmt::Debug> fmt::Debug for WithServices<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WithServices { executor, specs, services, .. } = self;
        let mut all = f.debug_struct("WithServices");
        all.field("executor", executor).field("specs", specs).field("services", services);
        all.finish_non_exhaustive()
    }
}

impl<E: Executor> Executor for WithServices<E> {
    fn begin(
        &mut self,
        experiment: &Experiment,
        records: &Records<'_>,
        started_ns: u64,
    ) -> Result<(), RunError> {
        self.executor.begin(experiment, records, started_ns)
    }

    fn start(
        &mut self,
        experiment: &Experiment,
        records: &Records<'_>,
        started_ns: u64,
    ) -> Result<Started, RunError> {
        let WithServices { specs, environment, cwd, interrupted, .. } = self;
        let started = Services::start(specs, environment, cwd, interrupted);
        self.services.replace(started.map_err(RunError::Service)?);
        let started = self.executor.start(experiment, records, started_ns);
        if started.is_err() {
            self.services.borrow_mut().stop(false, &mut self.interrupted);
        }
        started
    }

    fn now_ns(&self) -> u64 {
        self.executor.now_ns()
    }

    fn batch_size(&self, stage: &Stage) -> u32 {
        self.executor.batch_size(stage)
    }

    fn set_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        self.check()?;
        self.executor.set_up(stage, monitor)
    }

    fn execute(&mut self, batch: &Batch, monitor: &mut Monitor<'_>) -> Result<Executed, RunError> {
        self.check()?;
        if !self.specs.is_empty() {
            let services = Rc::clone(&self.services);
            monitor.alarm = Some(Box::new(move || services.borrow_mut().check().is_err()));
        }
        let executed = self.executor.execute(batch, monitor);
        monitor.alarm = None;
        // A failure of what is measured is told beside that of a service, when everything is put away.
        match &executed {
            Ok(Executed { flow: ControlFlow::Break(Stop { failure: None, .. }), .. }) => {
                self.check().and(executed)
            }
            _ => executed,
        }
    }

    fn clean_up(&mut self, stage: &Stage, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        self.executor.clean_up(stage, monitor)
    }

    /// Stops and records the services. One that has ended by itself may have done so while something was measured.
    /// The last executions may need them.
    fn put_away(&mut self, monitor: &mut Monitor<'_>) -> Result<Flow, RunError> {
        let put_away = self.executor.put_away(monitor);
        let checked = self.check();
        let was_interrupted = monitor.was_interrupted;
        let mut services = self.services.borrow_mut();
        let reports = services.stop(was_interrupted, &mut || monitor.interrupted());
        drop(services);
        for report in &reports {
            monitor.records.service(&report.service)?;
            if let Some(remark) = &report.remark {
                monitor.records.note(remark)?;
            }
        }
        put_away.and_then(|flow| checked.map(|()| flow))
    }

    fn end(&mut self) {
        self.executor.end();
    }

    fn known_failures(&self) -> Vec<FailedSubject> {
        self.executor.known_failures()
    }

    fn gives_up(&self, outcome: &Outcome, first_block: bool) -> bool {
        self.executor.gives_up(outcome, first_block)
    }

    fn completes(&self, observation: &Observation) -> bool {
        self.executor.completes(observation)
    }
}
