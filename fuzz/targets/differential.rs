//! Every model against the contract and the others, on any case.
#![cfg_attr(any(fuzzing, feature = "libfuzzer"), no_main)]

ptodiff_fuzz::glue!(DIFFERENTIAL, ptodiff_fuzz::corpus::ready());
