//! The assembly reader on any text, and on the forms of any call.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(
    init: ptodiff_fuzz::corpus::ready(),
    |bytes: &[u8]| ptodiff_fuzz::target::ASM.fuzz(bytes)
);

#[cfg(not(fuzzing))]
fn main() {}
