//! How a call is spelled.
//!
//! [`forms`] writes a call in every assembly form that the documents have for
//! it, [`parse`] reads such a form back to the same call, and [`cpp`] writes
//! the C++ intrinsic with the declarations it needs; [`pieces`] gives the parts
//! of it.
//!
//! # What is ptodiff's own
//!
//! The documents abbreviate their types (`!pto.tile<...>`) and have no place
//! for much of what makes a call. Nothing may be lost on the way through a
//! text, so these spellings were added:
//!
//! - A tile type has the eight parameters of MGATHER-ASM-05 by position, then
//!   `valid = RxC`; without that field the tile is full (MGATHER-GAP-67). No
//!   document gives `pad` a value: it always reads `none`.
//! - A tensor type has its five extents in the place of `MxN`, then `stride`
//!   and `layout`. `MxN` itself is read: extents of 1 stand before it, and
//!   without the other two the tensor is packed, and ND.
//! - A dynamic extent or stride is `?` in the type. The values it has at run
//!   time stand in the dictionary that ends the form, by operand and in the
//!   order of the question marks: `{%src = [1, 9]}`.
//! - Of the element types only `i32` is documented (MSCATTER-GAP-73,
//!   MGATHER-GAP-34). The others have the names of MLIR's builtin types.
//! - Forms without a mode suffix carry `mode`, `oob` and `atomic` in the
//!   dictionary (MSCATTER-GAP-73, MGATHER-GAP-34). `atomic_max` and
//!   `atomic_min` go by the pattern of `atomic_add`; `conflict` stands in the
//!   dictionary in every form (MSCATTER-GAP-84). A policy that is not spelled
//!   has the default of its C++ template parameter.
//! - `revision = first` tells a call of document 003 from one of 000, which
//!   share a mnemonic.
//! - A gather to L1 extends the forms of the gather to UB: a tensor for an
//!   index, a scratch operand after it, `exec` (MGATHERL1-GAP-21).
//! - A masked TSCATTER has one input, `maskPattern` and `maskAxis`
//!   (TSCATTER-GAP-16).
//! - `offset` holds the type of TGATHERB's offsets in the one form that lists
//!   a single type for two operands (TGATHERB-GAP-11). Two types are read too.
//! - `dynUBufSize`, `dispatch` and `flush` tell how the kernel around the call
//!   was started and ended, which no assembly form has.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod attribute;
mod cpp;
mod cursor;
mod dims;
mod error;
mod form;
mod grammar;
mod parse;
mod place;
mod policy;
mod resolve;
mod statement;
mod types;
mod word;
mod write;

pub use cpp::{NoForm, Piece, PieceKind, Pieces, cpp, pieces, suite_pieces};
pub use dims::extent;
pub use error::ParseError;
pub use form::{Form, Level, forms};
pub use parse::parse;
pub use word::{element, element_word, element_words};
