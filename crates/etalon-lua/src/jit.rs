//! JIT compilers of Luas, on or off.

/// The setting of a JIT compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Jit {
    /// The host's own.
    #[default]
    AsItIs,
    /// Off from the first instruction on. Only a LuaJIT can be started like that.
    Off,
}
