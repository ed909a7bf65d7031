//! The assembly reader on any text, and on the forms of any call.
#![cfg_attr(any(fuzzing, feature = "libfuzzer"), no_main)]

ptodiff_fuzz::glue!(ASM, ptodiff_fuzz::corpus::ready());
