//! Every model against the contract and the others, on any case.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(
    init: ptodiff_fuzz::corpus::ready(),
    |bytes: &[u8]| ptodiff_fuzz::target::DIFFERENTIAL.fuzz(bytes)
);

#[cfg(not(fuzzing))]
fn main() {}
