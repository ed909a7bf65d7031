//! The grammars of ST names on any text.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ptodiff_fuzz::target::ST_NAME.fuzz(bytes));

#[cfg(not(fuzzing))]
fn main() {}
