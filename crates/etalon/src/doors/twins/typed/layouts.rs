//! Builds that place code by `$ETALON_LAYOUT`, for the projects of which it is known how.

/// The flags that have lld shuffle what it links.
const SHUFFLED: &str = "-fuse-ld=lld -Wl,--shuffle-sections=.text*=$ETALON_LAYOUT";

pub(super) fn cargo(program: &str) -> String {
    let flags: Vec<String> =
        SHUFFLED.split(' ').map(|flag| format!("-C link-arg={flag}")).collect();
    format!(
        "--layouts 4 --build 'CARGO_TARGET_DIR={{side}}/target cargo rustc --release -- {}' -- \
         {{side}}/target/release/{program}",
        flags.join(" ")
    )
}

pub(super) fn go(package: &str) -> String {
    format!(
        "--layouts 4 --build 'go build -ldflags=-randlayout=$ETALON_LAYOUT -o program {package}' -- ./program"
    )
}

pub(super) fn cmake(program: &str) -> String {
    format!(
        "--layouts 4 --build 'cmake -S . -B build -DCMAKE_BUILD_TYPE=Release \
         -DCMAKE_C_FLAGS=-ffunction-sections -DCMAKE_CXX_FLAGS=-ffunction-sections \
         -DCMAKE_EXE_LINKER_FLAGS=\"{SHUFFLED}\" && cmake --build build' -- build/{program}"
    )
}

/// Of a Makefile that takes the usual variables.
pub(super) fn make() -> String {
    format!(
        "--layouts 4 --build 'make CFLAGS=\"-O2 -ffunction-sections\" LDFLAGS=\"{SHUFFLED}\"' -- ./PROGRAM"
    )
}
