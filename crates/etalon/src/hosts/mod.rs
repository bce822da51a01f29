//! Which Luas cases are executed on: `--lua` and `--jit`, as programs that were found and answered.
//!
//! Refuses what is no Lua before anything is loaded.

mod openresty;

use std::env;
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::PathBuf;

use etalon_lua::{Host, Interpreter, Jit, Nginx};
use etalon_probe::launcher::{ResolveError, installed, resolve};
use etalon_run::lua::{Discovery, Variant, ask};

use crate::cli;
use crate::cli::JitArg;
use crate::failure::Failure;
use crate::progress::Watch;

/// The parameter that says which Lua a case is executed on, and that which says what its JIT compiler does.
const LUA: &str = "lua";
const JIT: &str = "jit";

/// The name of the Lua inside etalon.
const EMBEDDED: &str = "embedded";

/// The names of interpreters where they are installed.
const INSTALLED: [&str; 7] = ["luajit", "lua5.1", "lua5.2", "lua5.3", "lua5.4", "lua", "luajit2"];

/// A Lua that was asked for, and whether it has a JIT compiler.
#[derive(Clone)]
pub(crate) struct LuaHost {
    pub(crate) host: Host,
    pub(crate) compiles: bool,
}

/// The Luas that are installed, to be asked what one that was asked for cannot read; etalon's own among them.
pub(crate) fn all_installed() -> Vec<Host> {
    let found = INSTALLED.iter().filter_map(|name| located(name).ok());
    let mut programs = Vec::new();
    let mut hosts = vec![Host::embedded()];
    for host in found {
        let Interpreter::Program(path) = &host.interpreter else { continue };
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        if !programs.contains(&real) {
            programs.push(real);
            hosts.push(host);
        }
    }
    hosts
}

/// The installed Luas with an nginx that knows Lua, if there is one.
pub(crate) fn here() -> Vec<Host> {
    all_installed().into_iter().chain(located(openresty::NAME).ok()).collect()
}

/// The Luas that are asked for, in the order typed, each with every way of its compiler that is asked for; breaks if the
/// user stops it before.
pub(crate) fn wanted(
    options: &cli::Run,
    spec: &Discovery<'_>,
    watch: &mut Watch<'_>,
) -> Result<ControlFlow<(), Vec<Variant>>, Failure> {
    let names = match &options.hosts.lua[..] {
        [] => vec![EMBEDDED.to_owned()],
        names => names.to_vec(),
    };
    let mut found: Vec<LuaHost> = Vec::new();
    for name in &names {
        if found.iter().any(|known| known.host.name == *name) {
            return Err(Failure::about(format!("--lua {name}"), "is asked for twice"));
        }
        match find(name, spec, watch)? {
            ControlFlow::Continue(Ok(host)) => found.push(host),
            ControlFlow::Continue(Err(why)) => {
                return Err(Failure::about(format!("--lua {name}"), why));
            }
            ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
        }
    }
    variants(&found, &options.hosts.jit).map(ControlFlow::Continue)
}

/// A Lua that was found and answered, or why there is none; breaks if the user stops it before.
pub(crate) fn find(
    name: &str,
    spec: &Discovery<'_>,
    watch: &mut Watch<'_>,
) -> Result<ControlFlow<(), Result<LuaHost, String>>, Failure> {
    let host = match located(name) {
        Ok(host) => host,
        Err(error) => return Ok(ControlFlow::Continue(Err(not_there(name, error)))),
    };
    if host.interpreter == Interpreter::Embedded {
        return Ok(ControlFlow::Continue(Ok(LuaHost { host, compiles: true })));
    }
    let ControlFlow::Continue(answer) = ask(&host, spec, watch).map_err(Failure::new)? else {
        return Ok(ControlFlow::Break(()));
    };
    Ok(ControlFlow::Continue(match answer {
        Ok(runtime) => Ok(LuaHost { host, compiles: runtime.jit != "none" }),
        Err(why) => Err(match host.interpreter {
            Interpreter::Nginx(_) => why,
            _ => format!("{why}; name an interpreter of Lua 5.1 to 5.4"),
        }),
    }))
}

/// All combinations. A Lua is a parameter where it is not etalon's own alone; its compiler where it is not simply on.
fn variants(found: &[LuaHost], jit: &[JitArg]) -> Result<Vec<Variant>, Failure> {
    if !jit.is_empty() && !found.iter().any(|found| found.compiles) {
        let names: Vec<&str> = found.iter().map(|found| found.host.name.as_str()).collect();
        let why = format!("there is no JIT compiler in {}: leave --jit out", names.join(", "));
        return Err(Failure::about("--jit", why));
    }
    let are_named =
        found.len() > 1 || found.iter().any(|it| it.host.interpreter != Interpreter::Embedded);
    let is_axis = jit.contains(&JitArg::Off);
    let ways = if jit.is_empty() { &[JitArg::On][..] } else { jit };
    let mut variants = Vec::new();
    for LuaHost { host, compiles } in found {
        let ways = if *compiles { ways } else { &ways[..1] };
        for way in ways {
            let lua = are_named.then(|| (LUA.to_owned(), host.name.clone()));
            let (said, jit) = match way {
                _ if !compiles => ("none", Jit::AsItIs),
                JitArg::On => ("on", Jit::AsItIs),
                JitArg::Off => ("off", Jit::Off),
            };
            let compiler = is_axis.then(|| (JIT.to_owned(), said.to_owned()));
            let params = lua.into_iter().chain(compiler).collect();
            variants.push(Variant::new(Host { jit, ..host.clone() }, params));
        }
    }
    Ok(variants)
}

/// Why there is no Lua.
enum NotThere {
    /// There is no such program.
    Program(ResolveError),
    /// The nginx that there is, or that there is not.
    Nginx(String),
}

/// The Lua of this name, or at this path.
fn located(name: &str) -> Result<Host, NotThere> {
    let host = |interpreter| Host::new(name, interpreter);
    if name == EMBEDDED {
        return Ok(Host::embedded());
    }
    let path = match name {
        openresty::NAME => openresty::nginx(resolved).map_err(NotThere::Nginx)?,
        name => resolved(name).map_err(NotThere::Program)?,
    };
    match openresty::nginx_of(&path, resolved) {
        Some(nginx) => {
            let nginx = Nginx::inspect(&nginx.map_err(NotThere::Nginx)?);
            let nginx = nginx.map_err(|error| NotThere::Nginx(error.to_string()))?;
            Ok(host(Interpreter::Nginx(nginx)))
        }
        None => Ok(host(Interpreter::Program(path))),
    }
}

/// The program of this name in `PATH`, or at this path. Some are looked for that nobody asked for.
fn resolved(name: &str) -> Result<PathBuf, ResolveError> {
    let here = env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    let path = match name.contains('/') {
        true => resolve(OsStr::new(name), None, &here)?,
        false => installed(OsStr::new(name), env::var_os("PATH").as_deref())?,
    };
    Ok(path.components().collect()) // without the `.` of `./lua`
}

/// `error` says what is wrong with what was found.
fn not_there(name: &str, error: NotThere) -> String {
    let error = match error {
        NotThere::Nginx(why) => return why,
        NotThere::Program(error) => error,
    };
    let names: Vec<String> = all_installed().into_iter().map(|host| host.name).collect();
    let names = names.join(", ");
    let several = if name.contains(',') { "; --lua is repeated for several" } else { "" };
    match error {
        ResolveError::NotFound { .. } if name.contains('/') => {
            format!("there is no such program; without a path there are {names}{several}")
        }
        ResolveError::NotFound { .. } => {
            format!("not found in PATH: write one of {names}, or the path of another{several}")
        }
        error => error.to_string(),
    }
}
