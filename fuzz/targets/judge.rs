//! The judge on whatever it may be given.
#![cfg_attr(any(fuzzing, feature = "libfuzzer"), no_main)]

ptodiff_fuzz::glue!(JUDGE, ptodiff_fuzz::corpus::ready());
