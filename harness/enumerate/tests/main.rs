//! What the tests of the contract, which hold it to this account call by call, do not show
//! of the account: their comparisons find every fault of one of the two.

mod alone;
mod common;
mod declined;
