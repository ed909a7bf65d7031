//! What the system does for a process of an implementation.
//!
//! A `Peer` is a running process with whatever it started, and its three pipes, none
//! of which is ever waited for alone. All of it ends with the `Peer`, and with this
//! program however that ends.

#[cfg(unix)]
mod groups;
#[cfg(unix)]
mod resident;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use groups::end_all;
#[cfg(unix)]
pub(crate) use unix::{Peer, is_of_the_machine, name_of_end};
#[cfg(windows)]
pub use windows::end_all;
#[cfg(windows)]
pub(crate) use windows::{Peer, is_of_the_machine, name_of_end};

/// What is to be done with the pipes of a process, or can be without waiting.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ready {
    pub(crate) send: bool,
    pub(crate) receive: bool,
    pub(crate) listen: bool,
}

impl Ready {
    /// Whether there is anything.
    #[cfg(windows)]
    const fn has_something(self) -> bool {
        self.send || self.receive || self.listen
    }
}
