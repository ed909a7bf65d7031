//! The answer of an implementation is the same however it comes, and reads back once written.

use ptodiff_impl::{
    BadFrame,
    frame::{self, Collector},
    message::Reply,
};

use super::{Finding, plain};

/// Raw bytes that an answer may have here.
pub const ROOM: u64 = 4096;

/// What came of bytes: how many were taken, whether it is whole, the line, the raw bytes.
type Collected = Result<(usize, bool, Result<Reply, BadFrame>, Vec<u8>), BadFrame>;

/// Takes in bytes in pieces of this many.
pub type Take = fn(&mut Collector, &[u8], usize) -> Result<usize, BadFrame>;

/// In pieces, as a pipe gives them.
///
/// # Errors
/// If they cannot become a frame.
pub fn in_pieces(into: &mut Collector, bytes: &[u8], size: usize) -> Result<usize, BadFrame> {
    let mut taken = 0;
    for piece in bytes.chunks(size) {
        let now = into.take(piece, ROOM)?;
        taken += now;
        if now < piece.len() {
            break;
        }
    }
    Ok(taken)
}

/// Holds the reader of frames to account on any bytes.
///
/// # Errors
/// If the size of the pieces matters, there is more than there may be, a
/// message hides something, or an answer is another once written.
pub fn any_bytes(bytes: &[u8], take: Take) -> Finding {
    let whole = collected(bytes, usize::MAX, take);
    for size in [1, 2, 7] {
        let pieces = collected(bytes, size, take);
        if pieces != whole {
            return Err(format!(
                "in pieces of {size} bytes it is {pieces:?}, not {whole:?}"
            ));
        }
    }
    let (_, complete, reply, payload) = match whole {
        Ok(collected) => collected,
        Err(bad) => return plain(&bad),
    };
    if payload.len() as u64 > ROOM {
        return Err(format!("{} raw bytes were taken", payload.len()));
    }
    let reply = match reply {
        Ok(reply) if complete => reply,
        Ok(_) => return Ok(()),
        Err(bad) => return plain(&bad),
    };
    let mut written = Vec::new();
    frame::write(&mut written, &reply, &[&payload]).map_err(|e| e.to_string())?;
    match collected(&written, usize::MAX, take) {
        Ok((_, true, Ok(again), raw)) if again == reply && raw == payload => Ok(()),
        other => Err(format!("{reply:?} is {other:?} once written")),
    }
}

fn collected(bytes: &[u8], size: usize, take: Take) -> Collected {
    let mut into = Collector::default();
    let taken = take(&mut into, bytes, size)?;
    let (reply, payload) = (into.header(), into.payload().to_vec());
    Ok((taken, into.is_complete(), reply, payload))
}
