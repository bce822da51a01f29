//! Arguments of `execve`: strings that end in NUL, and arrays of pointers to them that end in NULL.
//!
//! Owns: those arrays, made before anything is measured, and the one entry of the environment that
//! changes from block to block. Refuses: to allocate between two executions of a block.

use std::ffi::{CStr, CString, NulError, c_char};
use std::ptr;

/// The variable whose length differs from block to block, where that is asked for
/// ([`super::super::protocol::PADDING_VARIABLE`]), as it begins in an environment.
const PADDING: &[u8] = b"ETALON_PAD=";

/// A program with its arguments, ready for `execve`.
pub(in crate::launcher) struct Program {
    path: CString,
    arguments: Strings,
    /// Variables of its own.
    variables: Vec<CString>,
    /// The directory it is executed in, if that is one of its own.
    directory: Option<CString>,
}

/// NUL-terminated strings and the NULL-terminated array of pointers to them.
struct Strings {
    pointers: Vec<*const c_char>,
    /// The strings that `pointers` points into; a CString's bytes do not move with it.
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
        let (path, arguments) = (CString::new(path)?, Strings::new(arguments)?);
        Ok(Program { path, arguments, variables: Vec::new(), directory: None })
    }

    /// With these variables, and in this directory if one is given.
    pub(in crate::launcher) fn surrounded(
        self,
        variables: &[Vec<u8>],
        directory: Option<&[u8]>,
    ) -> Result<Program, NulError> {
        let variables = variables.iter().map(|v| CString::new(v.clone()));
        Ok(Program {
            variables: variables.collect::<Result<_, _>>()?,
            directory: directory.map(CString::new).transpose()?,
            ..self
        })
    }

    /// NULL where it is executed in the launcher's.
    pub(super) fn directory(&self) -> *const c_char {
        self.directory.as_ref().map_or(ptr::null(), |directory| directory.as_ptr())
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
    /// The pointers with variables of a program's own, see [`Environment::with`].
    own: Vec<*const c_char>,
    /// The strings that the others point into; a CString's bytes do not move with it.
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
        Ok(Environment { pointers, given, padding, end, own: Vec::new(), _owned: owned })
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

    /// The NULL-terminated array for a program, valid until this is changed or dropped and as long as the program
    /// is there: its own variables take the place of others of their names.
    pub(super) fn with(&mut self, program: &Program) -> *const *const c_char {
        if program.variables.is_empty() {
            return self.pointers();
        }
        let own = program.variables.iter().map(|variable| variable.as_c_str());
        let is_own = |at: *const c_char| {
            // SAFETY: all but the last pointer are to strings that end in NUL: those of `_owned`, and the padding.
            let known = unsafe { CStr::from_ptr(at) };
            own.clone().any(|variable| name(variable) == name(known))
        };
        self.own.clear();
        let known = self.pointers.iter().copied().filter(|at| !at.is_null());
        self.own.extend(known.filter(|at| !is_own(*at)));
        self.own.extend(own.clone().map(CStr::as_ptr));
        self.own.push(ptr::null());
        self.own.as_ptr()
    }

    /// The NULL-terminated array, valid until this is changed or dropped.
    fn pointers(&self) -> *const *const c_char {
        let first = usize::from(self.pointers[0].is_null());
        self.pointers[first..].as_ptr()
    }
}

/// The name of a variable: everything before the first `=`.
fn name(variable: &CStr) -> &[u8] {
    let bytes = variable.to_bytes();
    bytes.split(|byte| *byte == b'=').next().unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(environment: &Environment) -> Vec<String> {
        strings(environment.pointers())
    }

    fn strings(mut at: *const *const c_char) -> Vec<String> {
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

    /// Would catch a variable that is there twice, one that stays for the next program, and padding that is lost.
    #[test]
    fn a_program_has_variables_of_its_own() {
        let mut environment = Environment::new(&[b"A=1".to_vec(), b"AB=2".to_vec()]).unwrap();
        let program = |variables: &[&str]| {
            let variables: Vec<Vec<u8>> = variables.iter().map(|v| v.as_bytes().to_vec()).collect();
            Program::new(b"", &[]).unwrap().surrounded(&variables, None).unwrap()
        };
        let (own, plain) = (program(&["A=x=y", "C="]), program(&[]));
        assert_eq!(strings(environment.with(&own)), ["AB=2", "A=x=y", "C="]);
        assert_eq!(strings(environment.with(&plain)), ["A=1", "AB=2"]);
        environment.pad(Some(2));
        assert_eq!(strings(environment.with(&own)), ["ETALON_PAD=xx", "AB=2", "A=x=y", "C="]);
        let padded = program(&["ETALON_PAD=mine"]);
        assert_eq!(strings(environment.with(&padded)), ["A=1", "AB=2", "ETALON_PAD=mine"]);
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
