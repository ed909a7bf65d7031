//! The contract against every order of stores, on small legal cases.
#![cfg_attr(any(fuzzing, feature = "libfuzzer"), no_main)]

ptodiff_fuzz::glue!(CONTRACT, ptodiff_fuzz::corpus::ready());
