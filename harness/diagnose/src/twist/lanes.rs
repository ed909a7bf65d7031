//! Lanes that take what is another lane's, or do nothing.

use ptodiff_case::Form;
use ptodiff_isa::{BLayout, Call, Memory, Operand, Role, SLayout, ScatterOob, Tile};

use super::{Known, Twist, for_each};

/// Which of so many elements an element is taken from.
type From = fn(usize, usize) -> usize;

pub(super) fn known(forms: &[Form]) -> Vec<Known> {
    let mut all = Vec::new();
    let offsets = forms.iter().all(|form| *form == Form::Tgatherb);
    let of_lanes = |what: &str| {
        [
            format!("takes the {what} of the lane before"),
            format!("takes the {what} of the lane after"),
            format!("takes the {what} of the first lane for all"),
            format!("takes the {what} of the last lane for the first, and so on"),
        ]
    };
    // What an offset leads to is of no lane.
    let of_elements = [
        "takes the element of the source before the one that is due",
        "takes the element of the source after the one that is due",
        "takes the first element of the source for all",
        "takes the last element of the source for the first, and so on",
    ];
    let (index, value) = match offsets {
        true => (of_lanes("offset"), of_elements.map(str::to_owned)),
        false => (of_lanes("index"), of_lanes("value")),
    };
    let orders: [(&str, From); 4] = [
        ("of-lane-before", |n, _| n.saturating_sub(1)),
        ("of-lane-after", |n, of| (n + 1).min(of - 1)),
        ("of-first-lane", |_, _| 0),
        ("reversed", |n, of| of - 1 - n),
    ];
    for (role, what, sentences) in [
        (Role::Index, "index", index),
        (Role::Source, "value", value),
    ] {
        let known = orders.iter().zip(sentences);
        all.extend(known.map(|((order, from), sentence)| {
            (
                format!("{what}-{order}"),
                sentence,
                Twist::Order(role, *from),
            )
        }));
    }
    all.push((
        "index-zero-is-none".to_owned(),
        "takes an index of 0 for none".to_owned(),
        Twist::Off(|_, index| index == 0),
    ));
    all.push((
        "index-negative-is-none".to_owned(),
        "takes a negative index for none".to_owned(),
        Twist::Off(|_, index| index < 0),
    ));
    all.push((
        "first-32-lanes-only".to_owned(),
        "runs the first 32 lanes only".to_owned(),
        Twist::Off(|lane, _| lane >= 32),
    ));
    all
}

/// Puts the elements of an operand, of a tile with lanes the valid ones, into another order.
pub(super) fn in_order(call: &Call, memory: &mut Memory, role: Role, from: From) {
    let (Some(operand), Some(region)) = (call.operand(role), memory.get_mut(role)) else {
        return;
    };
    let size = operand.dtype().size();
    let own = region.body().to_vec();
    // Offsets lead anywhere in their source.
    let by_bytes = matches!((call, role), (Call::Tgatherb(_), Role::Source));
    let mut places: Vec<usize> = match operand {
        Operand::Tile(tile) if tile.slayout == SLayout::NoneBox && !by_bytes => valid(tile),
        _ => (0..own.len() / size).collect(),
    };
    places.retain(|place| (place + 1) * size <= own.len());
    let to = region.body_mut();
    for (n, place) in places.iter().enumerate() {
        let at = places[from(n, places.len()).min(places.len() - 1)] * size;
        to[place * size..][..size].copy_from_slice(&own[at..at + size]);
    }
}

/// Where the valid elements of a tile without boxes stand, row by row.
fn valid(tile: &Tile) -> Vec<usize> {
    let [rows, cols] = [tile.valid_row, tile.valid_col].map(|dim| dim.get());
    let place = |r, c| match tile.blayout {
        BLayout::RowMajor => r * tile.cols + c,
        BLayout::ColMajor => c * tile.rows + r,
    };
    let all = (0..rows).flat_map(|r| (0..cols).map(move |c| place(r, c)));
    all.map(|n| n as usize).collect()
}

/// An index that no operand reaches.
const NOWHERE: i128 = i64::MAX as i128;

/// Which lanes do nothing, by their number and index.
type IsOff = fn(usize, i128) -> bool;

/// Makes `call` one that drops indices out of bounds; gives those that are to be dropped, none
/// where the call does something else with such.
pub(super) fn dropped(call: &mut Call, is_off: IsOff) -> Option<IsOff> {
    match call {
        Call::Mscatter(c) if c.oob == ScatterOob::Undefined => c.oob = ScatterOob::Skip,
        Call::MscatterFirst(c) if c.oob == ScatterOob::Undefined => c.oob = ScatterOob::Skip,
        Call::Mscatter(c) if c.oob != ScatterOob::Skip => return None,
        Call::MscatterFirst(c) if c.oob != ScatterOob::Skip => return None,
        Call::Mgather(_) | Call::MgatherL1(_) | Call::Tgatherb(_) | Call::TscatterMask(_) => {
            return None;
        }
        Call::Mscatter(_) | Call::MscatterFirst(_) | Call::TscatterIndex(_) => {}
    }
    Some(is_off)
}

/// Gives lanes that are `off` an index that no operand reaches.
pub(super) fn turn_off(call: &Call, memory: &mut Memory, off: Option<IsOff>) {
    let Some(is_off) = off else { return };
    let mut lane = 0;
    for_each(call, memory, Role::Index, |index, _| {
        let off = is_off(lane, index);
        lane += 1;
        if off { NOWHERE } else { index }
    });
}
