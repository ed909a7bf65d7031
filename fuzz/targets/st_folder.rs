//! The files of a data folder, filled with any bytes.
#![cfg_attr(any(fuzzing, feature = "libfuzzer"), no_main)]

ptodiff_fuzz::glue!(ST_FOLDER, ptodiff_fuzz::corpus::ready());
