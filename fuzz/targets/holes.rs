//! Cases that break rules: a hole that shows must be known.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(
    init: ptodiff_fuzz::corpus::ready(),
    |bytes: &[u8]| ptodiff_fuzz::target::HOLES.fuzz(bytes)
);

#[cfg(not(fuzzing))]
fn main() {}
