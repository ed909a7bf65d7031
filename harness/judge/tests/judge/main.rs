//! Every rule of the judge, with what it accepts and what it rejects.

mod agreement;
mod coordinate;
mod described;
mod expectation;
mod failure_group;
mod fixture;
mod implementation;
mod legality;
mod mutants;
mod outlier;
mod permit;
mod unused_freedom;
mod value;
