//! All that the binary of a target is.

/// The binary of the target of this name in [`target`](crate::target), and what
/// it needs before the first input: for libFuzzer, or nothing without it.
#[macro_export]
macro_rules! glue {
    ($target:ident $(, $ready:expr)?) => {
        #[cfg(any(fuzzing, feature = "libfuzzer"))]
        libfuzzer_sys::fuzz_target!(
            init: { $($ready)? },
            |bytes: &[u8]| $crate::target::$target.fuzz(bytes)
        );

        #[cfg(not(any(fuzzing, feature = "libfuzzer")))]
        fn main() {}
    };
}
