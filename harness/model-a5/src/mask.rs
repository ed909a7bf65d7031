//! TSCATTER by mask (002, Mask Scatter).

use ptodiff_isa::{
    End, Fault, How, MaskAxis, MaskPadding, MaskPattern, Memory, Region, Role, Schedule, Space,
    TscatterMask,
};

use crate::access::{Port, Sink, operands};
use crate::extent::{Steps, Valid};
use crate::order;
use crate::view::{View, ViewMut};

/// Lanes of a group and the one of them that is written
/// (TSCATTER-MASK-02 to -09).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Group {
    /// `F_P`.
    pub(crate) factor: u32,
    /// `pos_P`.
    lane: u32,
}

impl Group {
    /// The group of a pattern.
    pub(crate) fn of(pattern: MaskPattern) -> Self {
        let (factor, lane) = match pattern {
            MaskPattern::P1111 => (1, 0),
            MaskPattern::P0101 => (2, 0),
            MaskPattern::P1010 => (2, 1),
            MaskPattern::P0001 => (4, 0),
            MaskPattern::P0010 => (4, 1),
            MaskPattern::P0100 => (4, 2),
            MaskPattern::P1000 => (4, 3),
        };
        Self { factor, lane }
    }

    /// Writes each of `cells` to its lane of the group of slots that it fills.
    #[inline(always)]
    fn spread<const W: usize>(self, slots: &mut [[u8; W]], cells: &[[u8; W]]) {
        match self.factor {
            1 => self.spread_by::<1, W>(slots, cells),
            2 => self.spread_by::<2, W>(slots, cells),
            _ => self.spread_by::<4, W>(slots, cells),
        }
    }

    /// The same with a factor that the compiler knows.
    #[inline(always)]
    fn spread_by<const F: usize, const W: usize>(self, slots: &mut [[u8; W]], cells: &[[u8; W]]) {
        let (groups, _) = slots.as_chunks_mut::<F>();
        // Below `F` as it is; said here, it is not checked group by group.
        let lane = self.lane as usize % F;
        for (group, cell) in groups.iter_mut().zip(cells) {
            group[lane] = *cell;
        }
    }
}

/// A call's run-time values.
struct Job {
    /// Of the source.
    valid: Valid,
    src: Steps,
    dst: Steps,
    group: Group,
    /// Elements of the destination to set to zero first.
    zeroed: u32,
    schedule: Schedule,
}

/// Runs one call in place.
///
/// # Errors
/// If an operand is missing, a tile could stand in no memory or the axis is
/// one that the check refuses.
pub(crate) fn run<S: Sink>(
    call: &TscatterMask,
    memory: &mut Memory,
    how: &How,
    port: Port<'_, S>,
) -> Result<End, Fault> {
    let regions = operands(memory, [Role::Destination, Role::Source])?;
    let TscatterMask { dst, src, .. } = call;
    if call.axis == MaskAxis::Col {
        return Err(Fault("A5 expands along rows only".into()));
    }
    let valid = Valid::of(src)?;
    let group = Group::of(call.pattern);
    let wide = Valid::new(
        valid.rows.into(),
        u64::from(valid.cols) * u64::from(group.factor),
    )?;
    // TSCATTER-MASK-11, TSCATTER-GAP-13.
    let keeps =
        call.pattern == MaskPattern::P1111 && how.readings.mask_p1111_padding == MaskPadding::Kept;
    let (from, to) = (Steps::new(src, valid)?, Steps::new(dst, wide)?);
    let dense = from.is_dense(valid) && to.is_dense(wide);
    let job = Job {
        // No row ends where neither tile has padding.
        valid: if dense { valid.flat() } else { valid },
        src: from,
        dst: to,
        group,
        zeroed: if keeps {
            0
        } else {
            Valid::padded(dst)?.count()
        },
        schedule: how.schedule,
    };
    match dst.dtype.size() {
        1 => scatter::<S, 1>(&job, regions, port),
        2 => scatter::<S, 2>(&job, regions, port),
        4 => scatter::<S, 4>(&job, regions, port),
        _ => scatter::<S, 8>(&job, regions, port),
    }
    Ok(End::Finished)
}

/// Writes each element to its lane of its group (TSCATTER-MASK-01).
fn scatter<S: Sink, const W: usize>(
    job: &Job,
    [dst, src]: [&mut Region; 2],
    mut port: Port<'_, S>,
) {
    let mut dst = ViewMut::<W>::new(dst, Space::Ub);
    let src = View::<W>::new(src, Space::Ub);
    if job.zeroed > 0 {
        port.fill(&mut dst, job.zeroed, None);
    }
    if !S::ON && at_once(job, &mut dst, &src).is_some() {
        return;
    }
    let Group {
        factor,
        lane: place,
    } = job.group;
    order::lanes(job.schedule, job.valid, |row, col, len| {
        let (from, to) = (job.src.at(row, col), job.dst.at(row, factor * col));
        for lane in 0..i64::from(len) {
            let cell = port.load(&src, from + lane * job.src.col);
            let column = lane * i64::from(factor) + i64::from(place);
            port.store(&mut dst, to + column * job.dst.col, cell);
        }
    });
}

/// All elements one after the other; none, with some of them written, where two of
/// them share a slot or an access would be a stray. Otherwise the order shows in
/// traces and strays only.
#[inline(always)]
fn at_once<const W: usize>(job: &Job, dst: &mut ViewMut<'_, W>, src: &View<'_, W>) -> Option<()> {
    let Group {
        factor,
        lane: place,
    } = job.group;
    let Valid { rows, cols } = job.valid;
    let wide = Valid {
        rows,
        cols: factor * cols,
    };
    if !job.dst.is_apart(wide) {
        return None;
    }
    for row in 0..rows {
        if job.src.col == 1 && job.dst.col == 1 {
            let cells = src.strip(job.src.at(row, 0), cols as usize)?;
            let slots = dst.strip_mut(job.dst.at(row, 0), wide.cols as usize)?;
            job.group.spread(slots, cells);
            continue;
        }
        for col in 0..cols {
            let slot = dst.get_mut(job.dst.at(row, factor * col + place))?;
            *slot = *src.get(job.src.at(row, col))?;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extent::tests::tile;
    use ptodiff_isa::BLayout;

    /// Two rows of two, as P1010 writes them at once to two rows of four; the tiles are
    /// `from` and `to` wide.
    fn written(blayout: BLayout, from: u64, to: u64, bytes: &[u8]) -> Option<Vec<u8>> {
        let (valid, wide) = (Valid { rows: 2, cols: 2 }, Valid { rows: 2, cols: 4 });
        let job = Job {
            valid,
            src: Steps::new(&tile(blayout, 2, from), valid).unwrap(),
            dst: Steps::new(&tile(blayout, 2, to), wide).unwrap(),
            group: Group::of(MaskPattern::P1010),
            zeroed: 0,
            schedule: Schedule::InOrder,
        };
        let src = Region::new(Role::Source, bytes.to_vec(), 0..bytes.len());
        let area = 2 * to as usize;
        let mut dst = Region::new(Role::Destination, vec![0; area], 0..area);
        let mut slots = ViewMut::<1>::new(&mut dst, Space::Ub);
        at_once(&job, &mut slots, &View::new(&src, Space::Ub))?;
        Some(dst.into_bytes())
    }

    #[test]
    fn elements_are_written_at_once_in_both_layouts() {
        let (by_row, by_col) = (BLayout::RowMajor, BLayout::ColMajor);
        // The second of each pair of columns is written.
        let all = written(by_row, 2, 4, &[1, 2, 3, 4]);
        assert_eq!(all, Some(vec![0, 1, 0, 2, 0, 3, 0, 4]));
        let all = written(by_row, 3, 5, &[1, 2, 9, 3, 4, 9]);
        assert_eq!(all, Some(vec![0, 1, 0, 2, 0, 0, 3, 0, 4, 0]));
        let all = written(by_col, 2, 4, &[1, 2, 3, 4]);
        assert_eq!(all, Some(vec![0, 0, 1, 2, 0, 0, 3, 4]));
        // An element less than the tile has; a row ends where the next one begins.
        assert_eq!(written(by_row, 2, 4, &[1, 2, 3]), None);
        assert_eq!(written(by_col, 2, 4, &[1, 2, 3]), None);
        assert_eq!(written(by_row, 2, 3, &[1, 2, 3, 4]), None);
    }
}
