//! Lines of numbers, written without memory of Lua's.
//!
//! Owns `write_figures`: the line of a sample, put together on the stack. Because such a line comes between two
//! timed batches, and strings and tables made for it become garbage among that of the timed calls: where they are
//! freed, glibc's allocator merges all small blocks it holds, and the next calls that allocate take a fifth longer.
//! Refuses to know what a line says.

use std::ffi::c_int;
use std::io::{Cursor, Write as _};

use crate::api::{self, State};
use crate::channel;

/// Room for a line: a sample has a dozen numbers of at most 25 characters, with names of at most 20.
const ROOM: usize = 2048;

/// Whole numbers below this are written as such, as the record wants them; because a double tells them apart.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// A finite number in the record's spelling: an integer without a point, another with the fewest digits that
/// read back as the same double.
#[allow(clippy::cast_possible_truncation)] // whole and within 2^53
fn put(line: &mut Cursor<&mut [u8]>, number: f64) -> std::io::Result<()> {
    if number.fract() == 0.0 && number.abs() <= WHOLE {
        write!(line, "{}", number as i64)
    } else {
        write!(line, "{number}")
    }
}

/// `write_figures(text, number, text, number, …, last)`: sends one line, in which a text whose number is nil, or
/// not finite, is left out with it; the last text has the newline.
///
/// # Safety
/// As for every function that Lua calls: `state` is valid.
pub unsafe extern "C-unwind" fn lua_write_figures(state: *mut State) -> c_int {
    let mut room = [0_u8; ROOM];
    let mut line = Cursor::new(&mut room[..]);
    let mut fits = true;
    // SAFETY: the state is valid; `luaL_checknumber` raises an error where there is no number, and nothing here has to
    // be dropped. Lua gives a text's length, and keeps the text while it is an argument.
    unsafe {
        let top = api::lua_gettop(state);
        let mut index = 1;
        while index <= top {
            let number = index + 1;
            let figure = if number > top {
                None
            } else if api::lua_type(state, number) == api::NIL {
                index += 2;
                continue;
            } else {
                Some(api::luaL_checknumber(state, number))
            };
            let mut length = 0;
            let text = api::lua_tolstring(state, index, &raw mut length);
            if text.is_null() {
                return api::luaL_error(state, c"a text is a string".as_ptr());
            }
            if figure.is_none_or(f64::is_finite) {
                let text = std::slice::from_raw_parts(text.cast::<u8>(), length);
                fits &= line.write_all(text).is_ok();
                fits &= figure.is_none_or(|figure| put(&mut line, figure).is_ok());
            }
            index += 2;
        }
        if !fits {
            return api::luaL_error(state, c"a line of figures is too long".as_ptr());
        }
    }
    let length = usize::try_from(line.position()).unwrap_or(0);
    channel::send(&room[..length]);
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelt(number: f64) -> String {
        let mut room = [0_u8; 400];
        let mut line = Cursor::new(&mut room[..]);
        put(&mut line, number).expect("there is room");
        let length = usize::try_from(line.position()).expect("it is short");
        String::from_utf8(room[..length].to_vec()).expect("it is ASCII")
    }

    /// Catches a point in an integer, a minus before zero, and digits that read back as another double.
    #[test]
    fn numbers_are_spelt_as_the_record_wants_them() {
        assert_eq!(spelt(0.0), "0");
        assert_eq!(spelt(-0.0), "0");
        assert_eq!(spelt(2_313_288.0), "2313288");
        assert_eq!(spelt(-12.0), "-12");
        assert_eq!(spelt(9_007_199_254_740_992.0), "9007199254740992");
        for number in [0.1, 1.0 / 3.0, 5.046_75, 1e-7, 1e300] {
            assert_eq!(spelt(number).parse::<f64>().map(f64::to_bits), Ok(number.to_bits()));
        }
    }
}
