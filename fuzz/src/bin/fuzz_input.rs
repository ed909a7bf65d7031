//! Inputs of the fuzz targets, without a fuzzer.
#![cfg_attr(fuzzing, no_main)]

// `cargo fuzz build` builds this too, with counters: they need libFuzzer.
#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|_bytes: &[u8]| ());

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    ptodiff_fuzz::command::run()
}
