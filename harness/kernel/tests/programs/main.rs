//! Generated programs: compiled against stand-in declarations, run, asked.

mod build;
mod calls;
mod cmake;
mod lattice;
mod protocol;
mod rejections;
mod space;
mod talk;
mod toy;
