//! What may stand in the destination after TSCATTER by mask.

use ptodiff_isa::{BLayout, MaskAxis, MaskPadding, MaskPattern, Readings, Role, TscatterMask};

use crate::{
    coord::Plane,
    operands::{Steps, bytes},
    promise::{Unusable, Written},
    runs::{Runs, Why},
};

/// Lanes of a group (TSCATTER-MASK-02).
pub(crate) const fn factor(pattern: MaskPattern) -> usize {
    match pattern {
        MaskPattern::P1111 => 1,
        MaskPattern::P0101 | MaskPattern::P1010 => 2,
        MaskPattern::P0001 | MaskPattern::P0010 | MaskPattern::P0100 | MaskPattern::P1000 => 4,
    }
}

/// The lane of a group that takes the source element (TSCATTER-MASK-03 to -09).
const fn lane(pattern: MaskPattern) -> usize {
    match pattern {
        MaskPattern::P0101 | MaskPattern::P0001 | MaskPattern::P1111 => 0,
        MaskPattern::P1010 | MaskPattern::P0010 => 1,
        MaskPattern::P0100 => 2,
        MaskPattern::P1000 => 3,
    }
}

/// Where source position (i, j) goes (TSCATTER-MASK-01).
pub(crate) const fn goes_to(call: &TscatterMask, i: usize, j: usize) -> (usize, usize) {
    let (factor, lane) = (factor(call.pattern), lane(call.pattern));
    match call.axis {
        MaskAxis::Row => (i, factor * j + lane),
        MaskAxis::Col => (factor * i + lane, j),
    }
}

/// Puts the elements of `source` where they go in `image`, in elements: `to` is
/// where the first goes, and how much further those below and beside it.
fn fill<const SIZE: usize>(
    image: &mut [u8],
    [to, down, across]: [usize; 3],
    source: &[u8],
    src: &Plane,
) {
    let (image, source) = (
        image.as_chunks_mut::<SIZE>().0,
        source.as_chunks::<SIZE>().0,
    );
    for i in 0..src.rows {
        let (mut to, mut from) = (to + i * down, src.at(i, 0));
        for _ in 0..src.cols {
            image[to] = source[from];
            (to, from) = (to + across, from + src.col_step);
        }
    }
}

/// Fills `runs` for the destination.
pub(crate) fn permits(
    call: &TscatterMask,
    steps: &Steps<'_>,
    readings: &Readings,
    runs: &mut Runs,
) -> Result<Written, Unusable> {
    let src = Plane::of(&call.src).ok_or(Unusable::TooLarge)?;
    let dst = Plane::of(&call.dst).ok_or(Unusable::TooLarge)?;
    let size = call.dst.dtype.size();
    let len = bytes(dst.elems, size)?;
    steps.loaded(Role::Destination, len)?;
    let source = steps.loaded(Role::Source, bytes(src.elems, size)?)?;
    let whole = call.pattern == MaskPattern::P1111;
    let groups = Why::by(if whole {
        "TSCATTER-MASK-09"
    } else {
        "TSCATTER-MASK-01"
    });
    let padding = match (whole, readings.mask_p1111_padding) {
        (true, MaskPadding::Kept) => None,
        (true, MaskPadding::Zero) => Some(Why::by("TSCATTER-GAP-13")),
        (false, _) => Some(Why::by("TSCATTER-MASK-11")),
    };
    // Rows or columns, whichever are contiguous.
    let (lines, valid) = match call.dst.blayout {
        BLayout::RowMajor => (dst.rows, dst.cols),
        BLayout::ColMajor => (dst.cols, dst.rows),
    };
    let padded = match call.dst.blayout {
        BLayout::RowMajor => dst.elems / dst.padded_rows.max(1),
        BLayout::ColMajor => dst.padded_rows,
    };
    runs.reserve(2 * lines + 1, len);
    // From one line to the next in the image.
    let pitch = if padding.is_some() { padded } else { valid };
    let image = runs.image(if padding.is_some() {
        len
    } else {
        lines * valid * size
    });
    let place = |(r, c): (usize, usize)| match call.dst.blayout {
        BLayout::RowMajor => r * pitch + c,
        BLayout::ColMajor => c * pitch + r,
    };
    let to = place(goes_to(call, 0, 0));
    let steps = [
        to,
        place(goes_to(call, 1, 0)) - to,
        place(goes_to(call, 0, 1)) - to,
    ];
    let bytes = runs.image_mut(image);
    match size {
        1 => fill::<1>(bytes, steps, source, &src),
        2 => fill::<2>(bytes, steps, source, &src),
        4 => fill::<4>(bytes, steps, source, &src),
        _ => fill::<8>(bytes, steps, source, &src),
    }
    // Lines that nothing parts are one.
    let (lines, valid, padded, pitch) = if valid == padded {
        (1, lines * valid, lines * padded, 0)
    } else {
        (lines, valid, padded, pitch)
    };
    for line in 0..lines {
        let (start, at) = (line * padded * size, image + line * pitch * size);
        runs.exactly_there(start, valid * size, at, groups);
        if let Some(why) = padding {
            let (valid, rest) = (valid * size, (padded - valid) * size);
            runs.exactly_there(start + valid, rest, at + valid, why);
        }
    }
    if let Some(why) = padding {
        let end = lines * padded * size;
        runs.exactly_there(end, len - end, image + end, why);
    }
    Ok(Written {
        placed: true,
        ..Written::default()
    })
}
