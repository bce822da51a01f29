//! What `execve` takes: strings that end in NUL, and arrays of pointers to them that end in NULL.
//!
//! Owns: those arrays, made before anything is measured, and the one entry of the environment that
//! changes from block to block. Refuses: to allocate between two executions of a block.

use std::ffi::{CString, NulError, c_char};
use std::ptr;

/// The variable whose length differs from block to block, where that is asked for
/// ([`super::super::protocol::PADDING_VARIABLE`]), as it begins in an environment.
const PADDING: &[u8] = b"ETALON_PAD=";

/// A program with its arguments, ready for `execve`.
pub(in crate::launcher) struct Program {
    path: CString,
    arguments: Strings,
}

/// NUL-terminated strings and the NULL-terminated array of pointers to them.
struct Strings {
    pointers: Vec<*const c_char>,
    /// What `pointers` points into; a CString's bytes do not move with it.
    _owned: Vec<CString>,
}

impl Strings {
    fn new(strings: &[Vec<u8>]) -> Result<Strings, NulError> {
        let owned =
            strings.iter().map(|s| CString::new(s.clone())).collect::<Result<Vec<_>, _>>()?;
        let pointers = owned.iter().map(|s| s.as_ptr()).chain([ptr::null()]).collect();
        Ok(Strings { pointers, _owned: owned })
    }
}

impl Program {
    /// A program to be executed from `path` with these arguments, the first being its name.
    pub(in crate::launcher) fn new(
        path: &[u8],
        arguments: &[Vec<u8>],
    ) -> Result<Program, NulError> {
        Ok(Program { path: CString::new(path)?, arguments: Strings::new(arguments)? })
    }

    pub(super) fn path(&self) -> *const c_char {
        self.path.as_ptr()
    }

    pub(super) fn arguments(&self) -> *const *const c_char {
        self.arguments.pointers.as_ptr()
    }
}

/// The environment, padded or not.
pub(super) struct Environment {
    /// The padding, or a variable of that name that was given, or nothing; then the others.
    pointers: Vec<*const c_char>,
    /// The variable of the padding's name that was given; NULL if there is none.
    given: *const c_char,
    /// `ETALON_PAD=xxx…` as long as the longest padding so far, with a NUL where it ends now.
    padding: Vec<u8>,
    /// Where that NUL is.
    end: usize,
    /// What the others point into; a CString's bytes do not move with it.
    _owned: Vec<CString>,
}

impl Environment {
    pub(super) fn new(variables: &[Vec<u8>]) -> Result<Environment, NulError> {
        let owned = variables.iter().map(|v| CString::new(v.clone()));
        let owned = owned.collect::<Result<Vec<_>, _>>()?;
        let is_padding = |v: &&CString| v.to_bytes().starts_with(PADDING);
        let given = owned.iter().find(is_padding).map_or(ptr::null(), |v| v.as_ptr());
        let others = owned.iter().filter(|v| !is_padding(v)).map(|v| v.as_ptr());
        let pointers = [given].into_iter().chain(others).chain([ptr::null()]).collect();
        let padding = [PADDING, b"\0"].concat();
        let end = padding.len() - 1;
        Ok(Environment { pointers, given, padding, end, _owned: owned })
    }

    /// Makes the padding this long, or takes it away. Allocates only for one longer than any
    /// before.
    pub(super) fn pad(&mut self, length: Option<u32>) {
        let Some(length) = length else {
            self.pointers[0] = self.given;
            return;
        };
        let end = PADDING.len() + usize::try_from(length).unwrap_or(usize::MAX >> 1);
        self.padding[self.end] = b'x';
        if end >= self.padding.len() {
            self.padding.resize(end + 1, b'x');
        }
        self.padding[end] = 0;
        self.end = end;
        self.pointers[0] = self.padding.as_ptr().cast();
    }

    /// The NULL-terminated array, valid until this is changed or dropped.
    pub(super) fn pointers(&self) -> *const *const c_char {
        let first = usize::from(self.pointers[0].is_null());
        self.pointers[first..].as_ptr()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn seen(environment: &Environment) -> Vec<String> {
        let mut at = environment.pointers();
        let mut all = Vec::new();
        // SAFETY: the array is NULL-terminated, its strings are NUL-terminated and alive.
        unsafe {
            while !(*at).is_null() {
                all.push(CStr::from_ptr(*at).to_str().unwrap().to_owned());
                at = at.add(1);
            }
        }
        all
    }

    #[test]
    fn padding_grows_shrinks_and_goes() {
        // Would catch a NUL left in the middle, or a pointer into what has been moved.
        let mut environment = Environment::new(&[b"A=1".to_vec(), b"B=".to_vec()]).unwrap();
        assert_eq!(seen(&environment), ["A=1", "B="]);
        for length in [5, 2, 0, 3000, 5, 4000, 1] {
            environment.pad(Some(length));
            let pad = format!("ETALON_PAD={}", "x".repeat(length as usize));
            assert_eq!(seen(&environment), [pad.as_str(), "A=1", "B="]);
        }
        environment.pad(None);
        assert_eq!(seen(&environment), ["A=1", "B="]);
    }

    #[test]
    fn a_variable_of_that_name_gives_way_and_comes_back() {
        // Would catch the variable twice, the program taking the one that does not change.
        let given = [b"A=1".to_vec(), b"ETALON_PAD=mine".to_vec()];
        let mut environment = Environment::new(&given).unwrap();
        assert_eq!(seen(&environment), ["ETALON_PAD=mine", "A=1"]);
        environment.pad(Some(1));
        assert_eq!(seen(&environment), ["ETALON_PAD=x", "A=1"]);
        environment.pad(None);
        assert_eq!(seen(&environment), ["ETALON_PAD=mine", "A=1"]);
    }
}
