//! The modules of this crate import each other as a tree: words and layout below, renderings above.

#![allow(clippy::disallowed_methods, reason = "reads the crate's own sources")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

type Imports = BTreeMap<String, BTreeSet<String>>;

/// Would catch a rendering that takes its words from another one, which takes its layout from the first.
#[test]
fn no_module_imports_one_that_imports_it() {
    let mut imports = Imports::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), None, &mut imports);
    assert!(imports["json"].contains("words") && imports["terminal"].contains("table"));
    for module in imports.keys() {
        let mut beyond = BTreeSet::new();
        let mut next: Vec<&String> = imports[module].iter().collect();
        while let Some(used) = next.pop() {
            if beyond.insert(used) {
                next.extend(imports.get(used).into_iter().flatten());
            }
        }
        assert!(!beyond.contains(module), "{module} imports itself by way of {beyond:?}");
    }
}

/// Adds what each file below a directory says `crate::…` of to the module it belongs to.
fn read(directory: &Path, module: Option<&str>, imports: &mut Imports) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let module = module.unwrap_or(&name);
        if path.is_dir() {
            read(&path, Some(module), imports);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let used = code.flat_map(|line| line.split("crate::").skip(1)).map(|rest| {
            rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
        });
        let others = used.filter(|used| used != module);
        imports.entry(module.to_owned()).or_default().extend(others);
    }
}
