//! The case reader on any text.
#![cfg_attr(any(fuzzing, feature = "libfuzzer"), no_main)]

ptodiff_fuzz::glue!(CASE_READER);
