//! TSCATTER by mask (002, Mask Scatter).

use ptodiff_isa::{
    End, Fault, How, MaskAxis, MaskPadding, MaskPattern, Memory, Region, Role, Schedule, Space,
    TscatterMask,
};

use crate::access::{Port, Sink, operands};
use crate::extent::{Steps, Valid};
use crate::order;
use crate::view::View;

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

    /// Destination column of a source column.
    fn column(self, col: u32) -> u32 {
        self.factor * col + self.lane
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
    let job = Job {
        valid,
        src: Steps::new(src, valid)?,
        dst: Steps::new(dst, wide)?,
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
    let mut dst = View::<W>::new(dst, Space::Ub);
    let src = View::<W>::new(src, Space::Ub);
    if job.zeroed > 0 {
        port.fill(&mut dst, job.zeroed, None);
    }
    order::lanes(job.schedule, job.valid.count(), |start, len| {
        for lane in start..start + len {
            let (row, col) = job.valid.position(lane);
            let cell = port.load(&src, job.src.at(row, col));
            port.store(&mut dst, job.dst.at(row, job.group.column(col)), cell);
        }
    });
}
