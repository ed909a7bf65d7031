//! One way to declare an enum of the ISA's words.

/// Declares an enum whose variants are words: they print, parse, list and
/// serialise under their own names.
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($body:tt)* }) => {
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug,
            serde::Serialize, serde::Deserialize,
            strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray, strum::VariantNames,
        )]
        $(#[$meta])*
        pub enum $name { $($body)* }
    };
}
