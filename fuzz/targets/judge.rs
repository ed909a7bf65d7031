//! The judge on whatever it may be given.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(
    init: ptodiff_fuzz::corpus::ready(),
    |bytes: &[u8]| ptodiff_fuzz::target::JUDGE.fuzz(bytes)
);

#[cfg(not(fuzzing))]
fn main() {}
