//! Every rule of the judge, with what it accepts and what it rejects.

mod agreement;
mod blame;
mod coordinate;
mod expectation;
mod legality;
mod mutants;
mod permit;
mod scene;
mod sheet;
mod subject;
mod unseen;
mod value;
