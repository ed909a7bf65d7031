//! TSCATTER by mask (document 002).

use ptodiff_isa::{
    BLayout, MaskAxis, MaskPadding, MaskPattern, Memory, Readings, Role, Scope, Target,
    TscatterMask,
};

use crate::{
    image::Image,
    lanes::row_by_row,
    operand::Held,
    out::{Out, Stop},
    spots::Spots,
};

/// Lanes of a group, and the one that takes the source element.
const fn lanes(pattern: MaskPattern) -> [usize; 2] {
    match pattern {
        MaskPattern::P1111 => [1, 0],
        MaskPattern::P0101 => [2, 0],
        MaskPattern::P1010 => [2, 1],
        MaskPattern::P0001 => [4, 0],
        MaskPattern::P0010 => [4, 1],
        MaskPattern::P0100 => [4, 2],
        MaskPattern::P1000 => [4, 3],
    }
}

/// What the destination may hold after `steps`.
pub(crate) fn enumerate(
    call: &TscatterMask,
    steps: &[&Memory],
    target: Target,
    readings: &Readings,
) -> Result<Out, Stop> {
    let suite = readings.scope == Scope::AsTheSuite;
    let here = match call.axis {
        MaskAxis::Row => suite || target == Target::A5,
        MaskAxis::Col => suite && target == Target::Cpu,
    };
    if !here {
        return Err(Stop::NotCovered("the target has no such mask form"));
    }
    let (dst, src) = (Spots::of(&call.dst)?, Spots::of(&call.src)?);
    let size = call.dst.dtype.size();
    // TSCATTER-GAP-09: of padding and of other tiles CPU promises nothing.
    let cpu = target == Target::Cpu;
    let turned = [&call.dst, &call.src].map(|tile| tile.blayout == BLayout::ColMajor);
    if cpu && (!matches!(size, 2 | 4) || turned.contains(&true)) {
        return Err(Stop::Undefined);
    }
    let [group, lane] = lanes(call.pattern);
    let zeroed =
        call.pattern != MaskPattern::P1111 || readings.mask_p1111_padding == MaskPadding::Zero;
    let image = Image::after(steps, (dst.len(), size), |step, image| {
        let source = Held::of(step, Role::Source, size)?;
        if zeroed {
            (0..dst.len()).for_each(|slot| image.put(slot, 0));
        }
        for [r, c] in row_by_row(src.valid) {
            let [to_r, to_c] = match call.axis {
                MaskAxis::Row => [r, group * c + lane],
                MaskAxis::Col => [group * r + lane, c],
            };
            image.put(dst.at(to_r, to_c)?, source.at(src.at(r, c)?)?);
        }
        if cpu {
            dst.padding().for_each(|spot| image.open(spot));
        }
        Ok(())
    })?;
    Ok(Out::Of(image.reachable(Role::Destination)))
}
