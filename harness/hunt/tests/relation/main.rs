//! The relations hold on the models, bind often enough, catch wrong models,
//! and say nothing where the documents do not.

mod holds;
mod names;
mod noise;
mod often;
mod preconditions;
mod silent;
mod survey;
mod written;
mod wrong;
