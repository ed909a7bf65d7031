//! Elements as little-endian bytes.

/// Calls a function that is generic over the bytes of an element.
macro_rules! of_width {
    ($size:expr, $function:ident($($argument:expr),*)) => {
        match $size {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            4 => $function::<4>($($argument),*),
            _ => $function::<8>($($argument),*),
        }
    };
}
pub(crate) use of_width;

/// Fills `out` with elements of `size` bytes: what `next` gives, cut off where it does not fit.
pub(crate) fn pack(out: &mut [u8], size: usize, next: impl FnMut() -> u64) {
    of_width!(size, pack_wide(out, next));
}

fn pack_wide<const W: usize>(out: &mut [u8], mut next: impl FnMut() -> u64) {
    for slot in out.as_chunks_mut::<W>().0 {
        slot.copy_from_slice(&next().to_le_bytes()[..W]);
    }
}

/// Fills `out` with elements of `size` bytes: `value` of 0, 1, 2, ..., from 0 again after `period`.
pub(crate) fn cycle(out: &mut [u8], size: usize, period: u64, value: impl Fn(u64) -> u64) {
    let period = usize::try_from(period).unwrap_or(usize::MAX);
    let mut done = out.len().min(period.saturating_mul(size));
    let mut next = 0;
    pack(&mut out[..done], size, move || {
        next += 1;
        value(next - 1)
    });
    // Whole periods, until less than what is there is missing.
    while done < out.len() {
        let more = done.min(out.len() - done);
        out.copy_within(..more, done);
        done += more;
    }
}
