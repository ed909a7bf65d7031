//! Cases that break rules: a hole that shows must be known.
#![cfg_attr(any(fuzzing, feature = "libfuzzer"), no_main)]

ptodiff_fuzz::glue!(HOLES, ptodiff_fuzz::corpus::ready());
