//! The reader of records on any text, and every face of what it reads.
#![cfg_attr(any(fuzzing, feature = "libfuzzer"), no_main)]

ptodiff_fuzz::glue!(RECORD);
