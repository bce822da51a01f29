//! Every test of the real binary, as one program: `cargo test -p etalon --test black_box MODULE::`
//! executes one room of it. `support` is the laboratory they share, `suites` what Lua suites need.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, start processes and touch files"
)]

mod ab;
mod ab_experiments;
mod ab_kept;
mod ab_origins;
mod altered;
mod base_first;
mod benchstat;
mod bestguess;
mod book;
mod bundles;
mod cannot_start;
mod checks;
mod compare;
mod control;
mod copies;
mod data;
mod disk;
mod doctor;
mod earlier;
mod experiments;
mod exports;
mod failures;
mod go;
mod go_files;
mod habits;
mod help;
mod hidden;
mod hooks;
mod hostile;
mod hostile_names;
mod html;
mod interruption;
mod leftovers;
mod live;
mod locks;
mod lua_cases;
mod lua_channel;
mod lua_compiling;
mod lua_discovery;
mod lua_examples;
mod lua_failures;
mod lua_hooks;
mod lua_hosts;
mod lua_interruption;
mod lua_jobs;
mod lua_loading;
mod lua_options;
mod lua_record;
mod lua_reports;
mod lua_resume;
mod lua_schedule;
mod lua_script;
mod lua_surroundings;
mod many;
mod mistakes;
mod noise;
mod object_store;
mod one_answer;
mod one_axis;
mod openresty;
mod pages;
mod placeholders;
mod planning;
mod published;
mod readme;
mod report;
mod resume;
mod runs;
mod runs_list;
mod scans;
mod scripts;
mod sections;
mod seed;
mod serializers;
mod services;
mod shell_syntax;
mod sides;
mod streams;
mod suites;
mod support;
mod surroundings;
mod suspension;
mod unsaved;
mod until_decided;
mod verdict_words;
mod verdicts;
mod words;
