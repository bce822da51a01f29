//! The loop, with an executor that follows a script: no process, no clock, the same every time.

mod loops;
mod script;
