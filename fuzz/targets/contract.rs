//! The contract against every order of stores, on small legal cases.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(
    init: ptodiff_fuzz::corpus::ready(),
    |bytes: &[u8]| ptodiff_fuzz::target::CONTRACT.fuzz(bytes)
);

#[cfg(not(fuzzing))]
fn main() {}
