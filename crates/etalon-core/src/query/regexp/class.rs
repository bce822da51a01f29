//! Classes of characters, as escapes (`\d`, `\pL`) and in brackets.
//!
//! Every character of a class is written as itself or as its number, so nothing the regex crate
//! gives a meaning inside brackets (`[`, `&&`, `--`, `~~`) is left. Go's Perl classes are ASCII, and
//! its `\s` has no vertical tab.

use super::{Translator, literal};

impl Translator<'_> {
    /// `\d`, `\pL` and the like, as a class of its own; none if the escape is something else.
    pub(super) fn class_escape(&mut self) -> Result<Option<String>, String> {
        let Some(c) = self.rest.as_str().chars().next() else { return Ok(None) };
        let inside = match c.to_ascii_lowercase() {
            'd' => "0-9".to_owned(),
            's' => "\\t\\n\\x0C\\r ".to_owned(),
            'w' => "0-9A-Za-z_".to_owned(),
            'p' => {
                self.rest.next();
                return self.property(c == 'P').map(Some);
            }
            _ => return Ok(None),
        };
        self.rest.next();
        Ok(Some(format!("[{}{inside}]", if c.is_ascii_uppercase() { "^" } else { "" })))
    }

    /// The class behind `\p`, or `\P` if it is `negated`.
    fn property(&mut self, negated: bool) -> Result<String, String> {
        let name: String = if self.take("{") {
            let (name, rest) =
                self.rest.as_str().split_once('}').ok_or("a character class \\p{ is not closed")?;
            let name = name.to_owned();
            self.rest = rest.chars();
            name
        } else {
            self.rest.next().ok_or("\\p needs the name of a character class")?.into()
        };
        let (negated, name) = match name.strip_prefix('^') {
            Some(name) => (!negated, name),
            None => (negated, name.as_str()),
        };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(format!("there is no character class \\p{{{name}}}"));
        }
        Ok(format!("\\{}{{{name}}}", if negated { 'P' } else { 'p' }))
    }

    /// A class whose bracket was just read.
    pub(super) fn class(&mut self) -> Result<(), String> {
        let mut class = String::from(if self.take("^") { "[^" } else { "[" });
        let mut first = true;
        while first || !self.take("]") {
            first = false;
            if let Some(named) = self.named_class()? {
                class.push_str(&named);
                continue;
            }
            if self.take("\\") {
                if let Some(nested) = self.class_escape()? {
                    class.push_str(&nested);
                    continue;
                }
                let lo = self.escaped_character()?;
                self.range(lo, &mut class)?;
            } else {
                let lo = self.rest.next().ok_or("a bracket is not closed")?;
                self.range(lo, &mut class)?;
            }
        }
        class.push(']');
        self.write(&class);
        Ok(())
    }

    /// `[:alpha:]` inside brackets.
    fn named_class(&mut self) -> Result<Option<String>, String> {
        const NAMES: [&str; 14] = [
            "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print",
            "punct", "space", "upper", "word", "xdigit",
        ];
        let inside = self.rest.as_str().strip_prefix("[:").and_then(|ahead| ahead.split_once(":]"));
        let Some((name, rest)) = inside else { return Ok(None) };
        if !NAMES.contains(&name.strip_prefix('^').unwrap_or(name)) {
            return Err(format!("there is no character class [:{name}:]"));
        }
        let class = format!("[:{name}:]");
        self.rest = rest.chars();
        Ok(Some(class))
    }

    /// The character `lo`, or the range that it begins.
    fn range(&mut self, lo: char, class: &mut String) -> Result<(), String> {
        literal(class, lo);
        let ahead = self.rest.as_str();
        if !ahead.starts_with('-') || ahead.starts_with("-]") || ahead == "-" {
            return Ok(());
        }
        self.rest.next();
        let hi = match self.rest.next() {
            Some('\\') => self.escaped_character()?,
            Some(c) => c,
            None => return Err("a bracket is not closed".to_owned()),
        };
        if hi < lo {
            return Err(format!("the range {lo}-{hi} is not in order"));
        }
        class.push('-');
        literal(class, hi);
        Ok(())
    }
}
