//! Lanes that take what is another lane's, or do nothing.

use std::collections::BTreeMap;

use ptodiff_case::Form;
use ptodiff_isa::{BLayout, Call, DType, Memory, Operand, Region, Role, SLayout, ScatterOob, Tile};
use ptodiff_mutants::is_row;

use super::{Known, Twist, Wrote, calls, for_each, leaves::put_back, reads};

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
        for ((order, from), sentence) in orders.into_iter().zip(sentences) {
            let name = format!("{what}-{order}");
            all.push(reads(&name, &sentence, role, move |call, memory| {
                in_order(call, memory, role, from);
            }));
        }
    }
    let indices = |name, sentence, change: fn(&mut Call, &mut Memory)| {
        reads(name, sentence, Role::Index, change)
    };
    all.extend([
        indices(
            "index-zero-is-none",
            "takes an index of 0 for none",
            |call, memory| off(call, memory, |_, index| index == 0),
        ),
        indices(
            "index-negative-is-none",
            "takes a negative index for none",
            |call, memory| off(call, memory, |_, index| index < 0),
        ),
        indices(
            "end-is-inside",
            "takes the first index past the end for one inside",
            with_end_inside,
        ),
        indices(
            "negative-clamps-to-first",
            "clamps a negative index to 0, not to the last one inside",
            negative_to_first,
        ),
        indices(
            "offset-32-bits",
            "keeps the lower 32 bits of an offset in bytes",
            with_short_offsets,
        ),
        indices(
            "end-is-last",
            "takes the first index past the end for the last one inside",
            end_to_last,
        ),
    ]);
    // A warp, a vector of floats, a launch.
    all.extend([32, 64, 1024].map(|most| first_lanes(most, forms)));
    all
}

/// No lane behind the first `most` runs: of a scatter its index is off, of the others what it
/// would write stays.
fn first_lanes(most: usize, forms: &[Form]) -> Known {
    let name = format!("first-{most}-lanes-only");
    let sentence = format!("runs the first {most} lanes only");
    let scatters = [Form::Mscatter, Form::MscatterFirst, Form::TscatterIndex];
    if forms.iter().any(|form| scatters.contains(form)) {
        return reads(&name, &sentence, Role::Index, move |call, memory| {
            off(call, memory, |lane, _| lane >= most);
        });
    }
    let spoil = move |call: &Call, before: &[u8], after: &mut [u8], wrote: &Wrote| {
        if let Some(Operand::Tile(tile)) = call.operand(call.output())
            && tile.slayout == SLayout::NoneBox
        {
            for place in valid(tile).into_iter().skip(most) {
                put_back(before, after, wrote.place(place));
            }
        }
    };
    (name, sentence, Twist::Leaves(Box::new(spoil)))
}

/// Gives `call` a table with room for the first index past its end, and every other index the
/// place to which the policy takes it, as a check does that has `<=` for `<`.
fn with_end_inside(call: &mut Call, memory: &mut Memory) {
    let given = *call;
    let Some(capacity @ 1..) = calls::resized(call, |n| n.saturating_add(1)) else {
        return;
    };
    for_each_index(&given, memory, |index| {
        match index == u128::from(capacity) {
            true => index,
            false => effective(index, &given, capacity),
        }
    });
}

/// Gives each index the place where its offset in bytes leads that is cut to 32 bits.
fn with_short_offsets(call: &mut Call, memory: &mut Memory) {
    let Some(capacity @ 1..) = calls::resized(&mut call.clone(), |n| n) else {
        return;
    };
    let rows = call.table().filter(|_| is_row(call));
    let elements = rows.map_or(1, |table| table.stride[3].get().max(1));
    let bytes = u128::from(elements) * call.data_tile().dtype.size() as u128;
    for_each_index(call, memory, |index| {
        match effective(index, call, capacity) {
            inside if inside < u128::from(capacity) => inside * bytes % (1 << 32) / bytes,
            outside => outside,
        }
    });
}

/// Where the policy takes an index, if anywhere.
fn effective(index: u128, call: &Call, capacity: u64) -> u128 {
    match policy(call) {
        Some(ScatterOob::Clamp) => index.min(u128::from(capacity) - 1),
        Some(ScatterOob::Wrap) => index % u128::from(capacity),
        _ => index,
    }
}

/// Gives the first index past the end the last place, where the policy lets it have none.
fn end_to_last(call: &mut Call, memory: &mut Memory) {
    let capacity = calls::resized(&mut call.clone(), |n| n).unwrap_or(0);
    let is_none = policy(call) == Some(ScatterOob::Skip);
    for_each_index(call, memory, |index| {
        let is_end = is_none && capacity > 0 && index == u128::from(capacity);
        if is_end { index - 1 } else { index }
    });
}

/// Gives an index whose highest bit is set the first place where the policy is Clamp, as a check
/// does that compares signed numbers.
fn negative_to_first(call: &mut Call, memory: &mut Memory) {
    if policy(call) == Some(ScatterOob::Clamp) {
        let first_negative = 1 << (index_bits(call) - 1);
        for_each_index(
            call,
            memory,
            |index| {
                if index < first_negative { index } else { 0 }
            },
        );
    }
}

/// What becomes of indices out of bounds; Zero of a gather is the Skip of a scatter.
fn policy(call: &Call) -> Option<ScatterOob> {
    let own = call.argument("oob")?;
    Some(own.value.parse().unwrap_or(ScatterOob::Skip))
}

/// Changes each index, which is read without a sign.
fn for_each_index(call: &Call, memory: &mut Memory, change: impl Fn(u128) -> u128) {
    let mask = !(!0 << index_bits(call));
    for_each(call, memory, Role::Index, |index, _| {
        change(index.cast_unsigned() & mask).cast_signed()
    });
}

/// Bits of an index.
fn index_bits(call: &Call) -> u32 {
    let index = call.operand(Role::Index);
    index.map_or(0, |index| 8 * index.dtype().size() as u32)
}

/// Puts the elements of an operand, of a tile with lanes the valid ones, into another order.
fn in_order(call: &Call, memory: &mut Memory, role: Role, from: From) {
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

/// Makes indices of 16 bits such of 32: with the shorter ones no slot of a large tile is out of
/// reach.
fn widen(call: &mut Call, memory: &mut Memory) {
    let index = call.operand(Role::Index).map(|index| index.dtype());
    let region = memory.get_mut(Role::Index);
    if let (Some(DType::Uint16), Some(region)) = (index, region) {
        let wide = region.body().chunks_exact(2);
        let wide: Vec<u8> = wide.flat_map(|own| [own[0], own[1], 0, 0]).collect();
        let len = wide.len();
        *region = Region::new(Role::Index, wide, 0..len);
        call.set_dtype(Role::Index, DType::Uint32);
    }
}

/// Makes `call` one that drops indices out of bounds, and gives lanes of which `is_off` holds, by
/// their number and index, one that no operand reaches; nothing where the call does something
/// else with such.
fn off(call: &mut Call, memory: &mut Memory, is_off: impl Fn(usize, i128) -> bool) {
    match call {
        Call::Mscatter(c) if c.oob == ScatterOob::Undefined => c.oob = ScatterOob::Skip,
        Call::MscatterFirst(c) if c.oob == ScatterOob::Undefined => c.oob = ScatterOob::Skip,
        Call::Mscatter(c) if c.oob != ScatterOob::Skip => return,
        Call::MscatterFirst(c) if c.oob != ScatterOob::Skip => return,
        Call::Mgather(_) | Call::MgatherL1(_) | Call::Tgatherb(_) | Call::TscatterMask(_) => return,
        Call::Mscatter(_) | Call::MscatterFirst(_) | Call::TscatterIndex(_) => {}
    }
    let mut lanes = BTreeMap::new();
    if let Some(Operand::Tile(tile)) = call.operand(Role::Index) {
        lanes.extend(
            valid(tile)
                .into_iter()
                .enumerate()
                .map(|(lane, at)| (at, lane)),
        );
    }
    let mut at = 0;
    // A sign may be read where the type has none.
    let unused = 128 - index_bits(call);
    widen(call, memory);
    for_each(call, memory, Role::Index, |index, _| {
        let lane = lanes.get(&at);
        at += 1;
        match lane.is_some_and(|lane| is_off(*lane, index << unused >> unused)) {
            true => NOWHERE,
            false => index,
        }
    });
}
