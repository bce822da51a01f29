//! An nginx with the Lua module as a worker: what there is of it, and what it is started with.
//!
//! Owns what `nginx -V` says of the Lua module, and the configuration of a worker. Refuses files on a disk, a prefix
//! directory and listening sockets: what nginx reads and writes is in memory only, so that no end of any
//! process leaves something behind. Settings are those that the `resty` program gives its nginx.

use std::fmt::Write as _;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::jit::Jit;

/// An nginx that can execute Lua.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nginx {
    /// The program.
    pub program: PathBuf,
    /// Modules that it has to load to know Lua, in this order; none where Lua is part of it.
    pub modules: Vec<PathBuf>,
    /// Whether it can be told on its command line where its log goes.
    pub names_log: bool,
}

/// Why an nginx cannot execute Lua.
#[derive(Debug, thiserror::Error)]
pub enum NginxError {
    /// It cannot be asked.
    #[error("cannot execute `{} -V`: {error}", program.display())]
    NotExecuted {
        /// The program.
        program: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is something else.
    #[error("`{} -V` does not say what an nginx says", program.display())]
    NoNginx {
        /// The program.
        program: PathBuf,
    },
    /// There is no Lua in it.
    #[error(
        "{} has no Lua module, neither built in nor in {}: install OpenResty, or Debian's libnginx-mod-http-lua",
        program.display(),
        listed(places)
    )]
    NoModule {
        /// The program.
        program: PathBuf,
        /// Where a module was looked for.
        places: Vec<PathBuf>,
    },
}

fn listed(places: &[PathBuf]) -> String {
    let places: Vec<_> = places.iter().map(|place| place.display().to_string()).collect();
    places.join(", ")
}

/// The module, and the one that it needs.
const LUA_MODULE: &str = "ngx_http_lua_module.so";
const NDK_MODULE: &str = "ndk_http_module.so";

/// Where distributions put modules, for an nginx that does not say.
const USUAL_PLACES: [&str; 4] = [
    "/usr/lib/nginx/modules",
    "/usr/lib64/nginx/modules",
    "/usr/share/nginx/modules",
    "/usr/local/nginx/modules",
];

/// The first version with `-e`: before, nginx opened the log that it was built with, whatever its configuration says.
const NAMES_LOG: [u32; 3] = [1, 19, 5];

impl Nginx {
    /// Asks an nginx what it is made of, and looks for its Lua module.
    ///
    /// # Errors
    /// If it cannot be asked, is no nginx or has no Lua.
    pub fn inspect(program: &Path) -> Result<Nginx, NginxError> {
        let program = program.to_owned();
        let asked = Command::new(&program).arg("-V").stdin(Stdio::null()).output();
        let said = match asked {
            Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
            Err(error) => return Err(NginxError::NotExecuted { program, error }),
        };
        let Some(build) = Build::read(&said) else { return Err(NginxError::NoNginx { program }) };
        let names_log = build.version >= NAMES_LOG;
        if build.has_lua {
            return Ok(Nginx { program, modules: Vec::new(), names_log });
        }
        let places = build.places();
        let with_lua = places.iter().find(|place| place.join(LUA_MODULE).is_file());
        let Some(place) = with_lua else { return Err(NginxError::NoModule { program, places }) };
        let needed = Some(place.join(NDK_MODULE)).filter(|ndk| !build.has_ndk && ndk.is_file());
        let modules = needed.into_iter().chain([place.join(LUA_MODULE)]).collect();
        Ok(Nginx { program, modules, names_log })
    }

    /// The arguments of a worker, whose configuration is at this path.
    pub(crate) fn arguments(&self, configuration: &str) -> Vec<String> {
        // No directory, so that nothing relative can be created anywhere.
        let mut words = vec!["-p", "/dev/null/", "-c", configuration];
        if self.names_log {
            words.extend(["-e", "stderr"]);
        }
        words.into_iter().map(str::to_owned).collect()
    }
}

/// The answer of `nginx -V`, as far as it matters here.
#[derive(Debug, PartialEq)]
struct Build {
    version: [u32; 3],
    prefix: Option<PathBuf>,
    modules: Option<PathBuf>,
    /// Whether these are part of the program.
    has_lua: bool,
    has_ndk: bool,
}

impl Build {
    /// Reads it; `None` if it is something else.
    fn read(said: &str) -> Option<Build> {
        let version = said.lines().find_map(|line| line.strip_prefix("nginx version: "))?;
        let number = version.split_once('/')?.1.split_whitespace().next()?;
        let mut numbers = number.split(['.', '-']).map(|part| part.parse().unwrap_or(0));
        let version = [(); 3].map(|()| numbers.next().unwrap_or(0));
        let configured = said.lines().find_map(|line| line.strip_prefix("configure arguments:"));
        // Values in quotation marks hold no option that is looked for.
        let words = || configured.unwrap_or_default().split_whitespace();
        let path =
            |option: &str| words().find_map(|word| word.strip_prefix(option)).map(PathBuf::from);
        let mut built_in = words().filter_map(|word| word.strip_prefix("--add-module="));
        let is = |path: &str, names: [&str; 2]| {
            let directory = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            names.iter().any(|name| without_version(directory) == *name)
        };
        Some(Build {
            version,
            prefix: path("--prefix="),
            modules: path("--modules-path="),
            has_lua: built_in.clone().any(|path| is(path, ["ngx_lua", "lua-nginx-module"])),
            has_ndk: built_in.any(|path| is(path, ["ngx_devel_kit", "ndk"])),
        })
    }

    /// Where its modules may be.
    fn places(&self) -> Vec<PathBuf> {
        let own = self.prefix.as_ref().map(|prefix| prefix.join("modules"));
        let own = self.modules.clone().or(own);
        let usual = USUAL_PLACES.iter().map(PathBuf::from);
        let mut places: Vec<PathBuf> = own.into_iter().collect();
        for place in usual {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }
}

/// `ngx_lua` of `ngx_lua-0.10.26`.
fn without_version(directory: &str) -> &str {
    match directory.rsplit_once('-') {
        Some((name, version)) if version.starts_with(|c: char| c.is_ascii_digit() || c == 'v') => {
            name
        }
        _ => directory,
    }
}

/// The descriptors of what a worker reads and writes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Descriptors {
    /// The driver.
    pub(crate) driver: i32,
    /// The native module.
    pub(crate) module: i32,
    /// For answers without the native module.
    pub(crate) answers: i32,
    /// The file that nginx writes its process number to.
    pub(crate) pid: i32,
    /// This configuration.
    pub(crate) configuration: i32,
}

/// The Lua code in place of a client, by which nginx gets to the driver.
const CONSOLE: &str = include_str!("../lua/nginx/console.lua");
const START: &str = include_str!("../lua/nginx/start.lua");

/// Turns the compiler off before there is any code of a suite.
const JIT_OFF: &str = "jit.off() jit.flush()\n";

/// The configuration of a worker. `environment` are the names of variables that its Lua may see; `resolvers` the
/// contents of `/etc/resolv.conf`.
pub(crate) fn configuration<'n>(
    nginx: &Nginx,
    jit: Jit,
    open: Descriptors,
    surroundings: (impl Iterator<Item = &'n [u8]>, &str),
) -> Vec<u8> {
    let (environment, resolvers) = surroundings;
    let Descriptors { driver, module, answers, pid, configuration } = open;
    let mut text = format!(
        "daemon off; master_process off; worker_processes 1;\n\
         pid /proc/self/fd/{pid};\nerror_log stderr warn;\n"
    )
    .into_bytes();
    for path in &nginx.modules {
        text.extend([b"load_module ", &quoted(path.as_os_str().as_bytes())[..], b";\n"].concat());
    }
    for name in environment {
        text.extend([b"env ", &quoted(name)[..], b";\n"].concat());
    }
    let mut rest = String::from("events { worker_connections 64; }\nhttp {\n");
    rest.push_str(
        "access_log off; lua_socket_log_errors off; lua_regex_cache_max_entries 40960;\n",
    );
    let resolvers = nameservers(resolvers);
    if !resolvers.is_empty() {
        let _infallible = writeln!(rest, "resolver {} ipv6=off;", resolvers.join(" "));
    }
    let jit = if jit == Jit::Off { JIT_OFF } else { "" };
    let _infallible = writeln!(
        rest,
        "init_by_lua_block {{\n{jit}{CONSOLE}}}\n\
         init_worker_by_lua_block {{\n(function(...)\n{START}\nend)(\"/proc/self/fd/{driver}\", \
         \"/proc/self/fd/{module}\", \"/proc/self/fd/{answers}\", \
         \"{driver} {module} {answers} {pid} {configuration}\")\n}}\n}}"
    );
    text.extend(rest.as_bytes());
    text
}

/// A word of the configuration.
fn quoted(word: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'"'];
    for &byte in word {
        if matches!(byte, b'"' | b'\\') {
            quoted.push(b'\\');
        }
        quoted.push(byte);
    }
    quoted.push(b'"');
    quoted
}

/// The name servers that nginx can ask: those with an address of IPv4.
fn nameservers(resolvers: &str) -> Vec<String> {
    let address = |line: &str| {
        let mut words = line.split_whitespace();
        let address = words.next().filter(|word| *word == "nameserver").and(words.next())?;
        address.parse::<std::net::Ipv4Addr>().ok().map(|address| address.to_string())
    };
    resolvers.lines().filter_map(address).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a module that is loaded twice or not at all, and an option that an old nginx does not know.
    #[test]
    fn builds_are_read_from_what_nginx_says() {
        let debian = Build::read(
            "nginx version: nginx/1.22.1\nbuilt with OpenSSL 3.0.22\nconfigure arguments: \
             --with-cc-opt='-g -O2 -fPIC' --prefix=/usr/share/nginx --modules-path=/usr/lib/nginx/modules \
             --add-dynamic-module=debian/modules/http-lua\n",
        );
        let expected = Build {
            version: [1, 22, 1],
            prefix: Some("/usr/share/nginx".into()),
            modules: Some("/usr/lib/nginx/modules".into()),
            has_lua: false,
            has_ndk: false,
        };
        assert_eq!(debian, Some(expected));
        let openresty = Build::read(
            "nginx version: openresty/1.19.3.2 (no pool)\nconfigure arguments: \
             --prefix=/usr/local/openresty/nginx --add-module=../ngx_devel_kit-0.3.1 \
             --add-module=../ngx_lua-0.10.19 --add-module=../ngx_lua_upstream-0.07",
        )
        .unwrap();
        assert!(openresty.has_lua && openresty.has_ndk && openresty.version < NAMES_LOG);
        assert_eq!(openresty.places()[0], Path::new("/usr/local/openresty/nginx/modules"));
        let other = "nginx version: nginx/1.25.0\nconfigure arguments: --add-module=/s/ngx_lua_upstream-v1/";
        assert!(!Build::read(other).unwrap().has_lua);
        assert_eq!(Build::read("Apache/2.4"), None);
    }

    /// Would catch a name or a path that ends its own word, and addresses that nginx refuses.
    #[test]
    fn configurations_hold_what_they_are_given() {
        let modules = vec!["/a b/\"lua\".so".into()];
        let nginx = Nginx { program: "/n".into(), modules, names_log: false };
        let open = Descriptors { driver: 3, module: 4, answers: 5, pid: 6, configuration: 7 };
        let names = [&b"A\\B"[..], b"PATH"];
        let resolvers = "# none\nnameserver 10.0.0.1\nnameserver fe80::1%eth0\nsearch x\n";
        let written = |jit, resolvers| {
            let text = configuration(&nginx, jit, open, (names.into_iter(), resolvers));
            String::from_utf8(text).unwrap()
        };
        let text = written(Jit::Off, resolvers);
        for part in [
            "load_module \"/a b/\\\"lua\\\".so\";",
            "env \"A\\\\B\";\nenv \"PATH\";",
            "resolver 10.0.0.1 ipv6=off;",
            "jit.off()",
            "pid /proc/self/fd/6;",
            "\"3 4 5 6 7\"",
        ] {
            assert!(text.contains(part), "no {part} in {text}");
        }
        assert!(!nginx.arguments("c").contains(&"-e".to_owned()));
        let plain = written(Jit::AsItIs, "");
        assert!(!plain.contains("jit.off()") && !plain.contains("resolver"));
    }
}
