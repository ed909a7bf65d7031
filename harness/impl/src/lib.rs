//! Implementations: implementations under test that run as processes of their own.
//!
//! A [`Implementation`] is started by a command and speaks the protocol of
//! `PROTOCOL.md` over its standard input and output: [`frame`] has its frames,
//! [`message`] and [`call`] what their lines say. Whatever an implementation does, it
//! crashes, hangs, writes without an end or grows, costs one question its
//! answer and nothing more.
//!
//! Each system starts, watches and ends processes in its own way: `system` has it.
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod call;
mod command;
mod failure;
pub mod frame;
mod greeting;
mod implementation;
mod limits;
pub mod message;
mod operand;
mod pages;
mod pool;
mod process;
mod reply;
mod starts;
mod system;
mod text;

pub use command::{check_name, split};
pub use failure::{Ended, Ends, Extra, Failure, StartError, Trouble};
pub use frame::BadFrame;
pub use implementation::{Ask, Implementation, InTurn};
pub use limits::Limits;
pub use message::{OLDEST, PROTOCOL};
pub use operand::{LaunchWords, TensorWords, TileWords};
pub use pool::Whom;
pub use process::Place;
pub use reply::Answered;
pub use starts::TRIES;
pub use system::end_all;
