//! The relations hold on the models, bind often enough, catch wrong models,
//! and say nothing where the documents do not.

mod holds;
mod noise;
mod often;
mod silent;
mod survey;
mod written;
mod wrong;
