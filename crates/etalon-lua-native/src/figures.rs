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

/// `write_figures(texts, figures, last)`: sends one line of `texts[1]`, `figures[1]`, `texts[2]` and so on, and `last`,
/// which has the newline. A text whose figure is nil, or not finite, is left out with it. Tables, because a call of
/// thirty arguments makes Lua's stack grow again after every collection.
///
/// # Safety
/// As for every function that Lua calls: `state` is valid.
pub unsafe extern "C-unwind" fn lua_write_figures(state: *mut State) -> c_int {
    let mut room = [0_u8; ROOM];
    let mut line = Cursor::new(&mut room[..]);
    let mut fits = true;
    // SAFETY: the state is valid; `luaL_checktype` and `luaL_checknumber` raise an error, and nothing here has to be
    // dropped. Lua gives a text's length, and keeps the text while its table, or the call, has it.
    unsafe {
        api::luaL_checktype(state, 1, api::TABLE);
        api::luaL_checktype(state, 2, api::TABLE);
        for index in 1.. {
            api::lua_settop(state, 3);
            api::lua_rawgeti(state, 1, index);
            if api::lua_type(state, 4) == api::NIL {
                break;
            }
            api::lua_rawgeti(state, 2, index);
            if api::lua_type(state, 5) == api::NIL {
                continue;
            }
            let figure = api::luaL_checknumber(state, 5);
            if figure.is_finite() {
                fits &=
                    line.write_all(text(state, 4)).and_then(|()| put(&mut line, figure)).is_ok();
            }
        }
        fits &= line.write_all(text(state, 3)).is_ok();
        if !fits {
            return api::luaL_error(state, c"a line of figures is too long".as_ptr());
        }
    }
    let length = usize::try_from(line.position()).unwrap_or(0);
    channel::send(&room[..length]);
    0
}

/// A text on the stack, or an error of Lua's.
///
/// # Safety
/// `state` is valid, and keeps the text for as long as it is looked at.
unsafe fn text<'a>(state: *mut State, index: c_int) -> &'a [u8] {
    let mut length = 0;
    // SAFETY: the state is valid; what is not null has so many bytes.
    unsafe {
        let text = api::luaL_checklstring(state, index, &raw mut length);
        std::slice::from_raw_parts(text.cast::<u8>(), length)
    }
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
