//! The grammars of ST names on any text.
#![cfg_attr(any(fuzzing, feature = "libfuzzer"), no_main)]

ptodiff_fuzz::glue!(ST_NAME);
