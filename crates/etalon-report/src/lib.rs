//! Rendering: an [`Analysis`](etalon_core::analysis::Analysis) for a terminal, as Markdown or JSON, or as files
//! for other programs.
//!
//! Computes nothing and decides nothing; what is shown is in the analysis. Writes to any
//! `io::Write`; knows neither stdout nor the environment. Names and messages from outside go
//! through [`text`], so nothing that was measured can break a table or drive the terminal.

#![forbid(unsafe_code)]

pub mod answer;
pub mod bisection;
mod cases;
pub mod compare;
pub mod doctor;
mod document;
mod drawn;
pub mod experiments;
pub mod export;
pub mod figures;
pub mod fleet;
pub mod history;
pub mod html;
pub mod json;
pub mod listings;
pub mod live;
pub mod markdown;
mod markup;
pub mod noise;
pub mod number;
pub mod planned;
pub mod runs;
mod screen;
pub mod steps;
mod style;
pub mod svg;
pub mod table;
pub mod terminal;
pub mod text;
mod tidied;
pub mod view;
mod words;

pub use words::{note_line, note_sentence};
