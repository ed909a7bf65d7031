//! Every rule of the judge, with what it accepts and what it rejects.

mod agreement;
mod blame;
mod coordinate;
mod described;
mod expectation;
mod images;
mod implementation;
mod legality;
mod map;
mod mutants;
mod operands;
mod permit;
mod scene;
mod sheet;
mod unseen;
mod value;
