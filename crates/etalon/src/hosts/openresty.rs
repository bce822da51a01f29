//! Where OpenResty is: which nginx `--lua openresty` means.
//!
//! Owns the order in which programs are looked for. Refuses to know what an nginx is made of (`etalon_lua::Nginx`).

use std::path::{Path, PathBuf};

use etalon_probe::launcher::ResolveError;

/// The name of OpenResty after `--lua`.
pub(super) const NAME: &str = "openresty";

/// The program that executes scripts in an nginx, which it knows the place of.
const RESTY: &str = "resty";

/// The names of nginx: as it is, and by OpenResty's packages.
const NGINX: [&str; 2] = ["openresty", "nginx"];

/// Where it is where users have no `sbin` in their `PATH`, and where OpenResty installs itself.
const USUAL_PLACES: [&str; 3] =
    ["/usr/local/openresty/nginx/sbin/nginx", "/usr/local/sbin/nginx", "/usr/sbin/nginx"];

/// How a program is looked for.
type Find = fn(&str) -> Result<PathBuf, ResolveError>;

/// The nginx of `resty`, else an nginx by its names.
pub(super) fn nginx(find: Find) -> Result<PathBuf, String> {
    if let Ok(resty) = find(RESTY) {
        return nginx_of_resty(&resty, find);
    }
    let found = NGINX.iter().chain(&USUAL_PLACES).find_map(|name| find(name).ok());
    found.ok_or_else(|| {
        "there is neither resty nor nginx in PATH: install OpenResty, or Debian's nginx and libnginx-mod-http-lua"
            .to_owned()
    })
}

/// The nginx that a program is, or that it starts; `None` for a program that is something else.
pub(super) fn nginx_of(program: &Path, find: Find) -> Option<Result<PathBuf, String>> {
    let name = program.file_name()?.to_str()?;
    if name == RESTY {
        return Some(nginx_of_resty(program, find));
    }
    NGINX.contains(&name).then(|| Ok(program.to_owned()))
}

/// Where `resty` looks for it, too: below the directory it was installed in, beside itself, in `PATH`.
fn nginx_of_resty(resty: &Path, find: Find) -> Result<PathBuf, String> {
    let real = resty.canonicalize().unwrap_or_else(|_| resty.to_owned());
    let directory = real.parent().unwrap_or(Path::new("/"));
    let own = directory.parent().map(|above| above.join("nginx/sbin/nginx"));
    let places = own.into_iter().chain([directory.join("nginx")]);
    let beside = places.into_iter().find(|path| path.is_file());
    beside.or_else(|| find("nginx").ok()).ok_or_else(|| {
        format!("{} has no nginx: it is neither beside it nor in PATH", resty.display())
    })
}
