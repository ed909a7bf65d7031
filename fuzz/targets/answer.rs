//! The reader of an implementation's answers on any bytes.
#![cfg_attr(any(fuzzing, feature = "libfuzzer"), no_main)]

ptodiff_fuzz::glue!(ANSWER);
