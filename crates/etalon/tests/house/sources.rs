//! The sources of every crate, as the fences look at them: module, length, types, functions, lines of documentation, and
//! which modules a file names.
//!
//! Owns: reading and parsing. Code of tests (`#[cfg(test)]`) does not count. Refuses: a file that does not parse.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;

/// A source file of a crate.
pub(crate) struct Source {
    /// Path from the root of the repository.
    pub(crate) path: String,
    /// Name of the crate's directory.
    pub(crate) krate: String,
    /// The module that the file is, from the root of its crate: no name for the root itself.
    pub(crate) module: Vec<String>,
    /// Lines, those of tests left out.
    pub(crate) lines: usize,
    /// Functions with the lines they take, signature included.
    pub(crate) functions: Vec<(String, usize)>,
    /// Names of structs, enums, traits and aliases of types.
    pub(crate) types: Vec<String>,
    /// Lines of documentation, without their slashes.
    pub(crate) docs: Vec<String>,
    /// Texts between quotes, as they are written.
    pub(crate) literals: Vec<String>,
    /// Modules and items of the crate that the file names, as paths from the root.
    pub(crate) names: Vec<Vec<String>>,
    /// The code, a blank between its tokens.
    pub(crate) tokens: String,
}

/// All sources below `crates/*/src`, in the order of their paths.
pub(crate) fn all() -> Vec<Source> {
    let root = root();
    let mut sources = Vec::new();
    for krate in children(&root.join("crates")) {
        let src = krate.join("src");
        if src.is_dir() {
            read_below(&src, &src, &root, &mut sources);
        }
    }
    assert!(sources.len() > 500, "only {} sources were found", sources.len());
    sources
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn children(directory: &Path) -> Vec<PathBuf> {
    let mut children: Vec<_> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    children.sort();
    children
}

fn read_below(directory: &Path, src: &Path, root: &Path, sources: &mut Vec<Source>) {
    for path in children(directory) {
        if path.is_dir() {
            read_below(&path, src, root, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(read(&path, src, root));
        }
    }
}

fn read(path: &Path, src: &Path, root: &Path) -> Source {
    let text = fs::read_to_string(path).unwrap();
    let mut file =
        syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut tests = Tests { lines: 0 };
    tests.visit_file_mut(&mut file);
    let mut functions = Functions(Vec::new());
    functions.visit_file(&file);
    let mut types = Types(Vec::new());
    types.visit_file(&file);
    let module = module(path.strip_prefix(src).unwrap());
    let (mut names, mut literals) = (Vec::new(), Vec::new());
    named(file.to_token_stream(), &module, &mut names);
    quoted(file.to_token_stream(), &mut literals);
    let krate = src.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
    Source {
        path: path.strip_prefix(root).unwrap().to_str().unwrap().to_owned(),
        krate,
        module,
        lines: text.lines().count() - tests.lines,
        functions: functions.0,
        types: types.0,
        docs: text.lines().filter_map(documentation).collect(),
        literals,
        names,
        tokens: file.to_token_stream().to_string(),
    }
}

/// The text of a line of documentation.
fn documentation(line: &str) -> Option<String> {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
    Some(text.trim().to_owned())
}

/// The module of a file: `a/b.rs` and `a/b/mod.rs` are `a::b`.
fn module(file: &Path) -> Vec<String> {
    let mut module: Vec<String> =
        file.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        module.pop();
    }
    module
}

/// Takes items of tests away and counts their lines.
struct Tests {
    lines: usize,
}

impl VisitMut for Tests {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        self.cut(&mut file.items);
        syn::visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            self.cut(items);
        }
        syn::visit_mut::visit_item_mod_mut(self, module);
    }
}

impl Tests {
    fn cut(&mut self, items: &mut Vec<syn::Item>) {
        items.retain(|item| {
            let is_test = attributes(item).iter().any(is_of_tests);
            self.lines += if is_test { lines_of(item) } else { 0 };
            !is_test
        });
    }
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        _ => &[],
    }
}

fn is_of_tests(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.to_token_stream().to_string().replace(' ', "") == "#[cfg(test)]"
}

fn lines_of(spanned: &impl Spanned) -> usize {
    let span = spanned.span();
    span.end().line - span.start().line + 1
}

/// Functions and methods with a body.
struct Functions(Vec<(String, usize)>);

impl Functions {
    fn add(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let lines = body.span().end().line - signature.span().start().line + 1;
        self.0.push((signature.ident.to_string(), lines));
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(&item.sig, &item.block);
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(&item.sig, &item.block);
        syn::visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.add(&item.sig, body);
        }
        syn::visit::visit_trait_item_fn(self, item);
    }
}

/// Structs, enums, traits and aliases of types.
struct Types(Vec<String>);

impl<'ast> Visit<'ast> for Types {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        match item {
            syn::Item::Struct(item) => self.0.push(item.ident.to_string()),
            syn::Item::Enum(item) => self.0.push(item.ident.to_string()),
            syn::Item::Trait(item) => self.0.push(item.ident.to_string()),
            syn::Item::Type(item) => self.0.push(item.ident.to_string()),
            _ => {}
        }
        syn::visit::visit_item(self, item);
    }
}

/// Adds each path that begins at `crate`, `self` or `super`, also of macros, as a path from the root.
fn named(tokens: TokenStream, module: &[String], names: &mut Vec<Vec<String>>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Ident(word) if word == "mod" => {
                if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(group))) =
                    (tokens.get(at + 1), tokens.get(at + 2))
                {
                    let within: Vec<_> = module.iter().cloned().chain([name.to_string()]).collect();
                    named(group.stream(), &within, names);
                    at += 2;
                }
            }
            TokenTree::Ident(word) => {
                let is_inner = at >= 2 && is_colons(&tokens, at - 2);
                if let Some(start) = (!is_inner).then(|| start(word, module)).flatten()
                    && is_colons(&tokens, at + 1)
                {
                    at = tree(&tokens, at + 3, start, names);
                    continue;
                }
            }
            TokenTree::Group(group) => named(group.stream(), module, names),
            _ => {}
        }
        at += 1;
    }
}

/// Adds each literal; documentation, which becomes attributes, is none.
fn quoted(tokens: TokenStream, literals: &mut Vec<String>) {
    let mut is_attribute = false;
    for token in tokens {
        match &token {
            TokenTree::Group(group) if !is_attribute => quoted(group.stream(), literals),
            TokenTree::Literal(literal) => literals.push(literal.to_string()),
            _ => {}
        }
        is_attribute = match &token {
            TokenTree::Punct(punct) => {
                punct.as_char() == '#' || is_attribute && punct.as_char() == '!'
            }
            _ => false,
        };
    }
}

fn start(word: &Ident, module: &[String]) -> Option<Vec<String>> {
    match () {
        () if word == "crate" => Some(Vec::new()),
        () if word == "self" => Some(module.to_vec()),
        () if word == "super" => Some(module[..module.len().saturating_sub(1)].to_vec()),
        () => None,
    }
}

fn is_colons(tokens: &[TokenTree], at: usize) -> bool {
    let colon = |at: usize| match tokens.get(at) {
        Some(TokenTree::Punct(punct)) if punct.as_char() == ':' => Some(punct.spacing()),
        _ => None,
    };
    colon(at) == Some(Spacing::Joint) && colon(at + 1).is_some()
}

/// Adds the paths of a tree of a `use`, or of a plain path, that goes on at `at`. Returns where it ends.
fn tree(
    tokens: &[TokenTree],
    mut at: usize,
    mut path: Vec<String>,
    names: &mut Vec<Vec<String>>,
) -> usize {
    loop {
        match tokens.get(at) {
            Some(TokenTree::Ident(word)) => {
                if word == "super" {
                    path.pop();
                } else {
                    path.push(word.to_string());
                }
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                branches(group.stream(), &path, names);
                return at + 1;
            }
            _ => {
                names.push(path);
                return at;
            }
        }
        at += 1;
        if !is_colons(tokens, at) {
            names.push(path);
            return at;
        }
        at += 2;
    }
}

fn branches(group: TokenStream, path: &[String], names: &mut Vec<Vec<String>>) {
    let tokens: Vec<TokenTree> = group.into_iter().collect();
    for branch in
        tokens.split(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ','))
    {
        if !branch.is_empty() {
            tree(branch, 0, path.to_vec(), names);
        }
    }
}
