//! Plainer settings, template arguments, layouts and element types.

use ptodiff_case::Case;
use ptodiff_isa::reading::{GAPS, Gap};
use ptodiff_isa::{
    Argument, BLayout, CacheFlush, Call, Clause, Coalesce, DType, Dim, Dispatch, GlobalTensor,
    Launch, Layout, MgatherL1, Role, SLayout, Target, TargetReadings, Tile, TileType,
};

use super::measure::{plain_layout, rank, simpler_types};
use super::operands::{data_role, pack, roles};
use super::search::{Edit, edit};
use crate::dims::product;

/// One target, else one less.
pub(super) fn targets(case: &Case) -> Vec<Edit> {
    let all = &case.targets;
    let alone = all.iter().map(|target| vec![*target]);
    let without = all.iter().map(|target| {
        let mut left = all.clone();
        left.retain(|one| one != target);
        left
    });
    let on = |left: Vec<Target>| {
        edit(move |case| {
            for list in expectations(case) {
                list.retain(|(target, _)| left.contains(target));
            }
            case.targets.clone_from(&left);
        })
    };
    alone.chain(without).map(on).collect()
}

/// What is expected of a target, a list for each kind.
const fn expectations(case: &mut Case) -> [&mut Vec<(Target, Clause)>; 3] {
    [&mut case.rejected, &mut case.undefined, &mut case.hangs]
}

/// One thing less that is expected.
pub(super) fn expected(case: &Case) -> Vec<Edit> {
    let counts = [&case.rejected, &case.undefined, &case.hangs].map(Vec::len);
    let each = counts.into_iter().enumerate();
    let each = each.flat_map(|(kind, count)| (0..count).map(move |at| (kind, at)));
    let less = each.map(|(kind, at)| {
        edit(move |case| {
            expectations(case)[kind].remove(at);
        })
    });
    less.collect()
}

/// All readings at their defaults, else one more.
pub(super) fn readings(case: &Case) -> Vec<Edit> {
    let one = |gap: &Gap| {
        let mut readings = case.readings;
        // The default of a gap is its first choice.
        let set = readings.set(gap.name, gap.choices[0]);
        (set.is_ok() && readings != case.readings).then_some(readings)
    };
    let all = [TargetReadings::default()].into_iter();
    let all = all.chain(GAPS.iter().filter_map(one));
    all.map(|readings| edit(move |case| case.readings = readings))
        .collect()
}

/// The default launch, else one parameter more as it is there.
pub(super) fn launch(_: &Case) -> Vec<Edit> {
    let changes: [fn(&mut Launch); 4] = [
        |launch| *launch = Launch::default(),
        |launch| launch.dyn_ub_bytes = None,
        |launch| launch.dispatch = Dispatch::default(),
        |launch| launch.flush = CacheFlush::default(),
    ];
    let on = |change: fn(&mut Launch)| {
        edit(move |case| case.call.launch_mut().into_iter().for_each(change))
    };
    changes.map(on).into()
}

/// Simpler template arguments, one parameter at a time, and no scratch.
pub(super) fn policies(case: &Case) -> Vec<Edit> {
    let mut all = Vec::new();
    for own in case.call.arguments() {
        let rank = |value: &&'static str| rank(&Argument { value, ..own });
        let mut simpler = own.words.to_vec();
        simpler.retain(|word| rank(word) < rank(&own.value));
        simpler.sort_by_key(rank);
        for word in simpler {
            all.push(edit(move |case| {
                case.call.set_argument(own.key, word);
            }));
        }
    }
    if let Call::MgatherL1(call) = case.call {
        for mode in [call.mode, Coalesce::Row] {
            let scratch = None;
            let call = MgatherL1 {
                mode,
                scratch,
                ..call
            };
            all.push(edit(move |case| case.call = Call::MgatherL1(call)));
        }
    }
    all
}

/// Plainer layouts, of all operands together and one by one, of a tile in each property.
pub(super) fn layouts(case: &Case) -> Vec<Edit> {
    let plain_layout = plain_layout(&case.call);
    let mut all = vec![edit(move |case| {
        for role in roles(&case.call) {
            case.call.tensor_mut(role).into_iter().for_each(by_rows);
            for property in &OF_TILE {
                case.call
                    .tile_mut(role)
                    .into_iter()
                    .for_each(|t| property(t, plain_layout));
            }
        }
    })];
    for role in roles(&case.call) {
        let of_tensor: [fn(&mut GlobalTensor); 2] = [by_rows, |tensor| tensor.layout = Layout::ND];
        all.extend(of_tensor.map(|change| {
            edit(move |case| case.call.tensor_mut(role).into_iter().for_each(change))
        }));
        all.extend(OF_TILE.map(|property| {
            edit(move |case| {
                let tile = case.call.tile_mut(role).into_iter();
                tile.for_each(|tile| property(tile, plain_layout));
            })
        }));
    }
    all
}

/// Makes a property of a tile as it is where the form's tiles stand plainly.
type Plain = fn(&mut Tile, (BLayout, SLayout));

const OF_TILE: [Plain; 4] = [
    |tile, (_, slayout)| tile.slayout = slayout,
    |tile, (blayout, _)| tile.blayout = blayout,
    |tile, _| tile.fractal = 512,
    |tile, (_, slayout)| {
        // One in L1 by its form has no other place, so it stays.
        if slayout == SLayout::NoneBox {
            tile.location = TileType::Vec;
        }
    },
];

/// By rows, with the data in the order that it has: an NZ tensor as the table that its
/// blocks make up.
fn by_rows(tensor: &mut GlobalTensor) {
    if tensor.layout == Layout::NZ {
        let [s0, s1, s2, s3, s4] = tensor.shape;
        let one = Dim::Static(1);
        let [rows, cols] = [product(&[s2, s3]), product(&[s0, s1, s4])].map(Dim::Static);
        tensor.shape = [one, one, one, rows, cols];
        pack(tensor);
    }
    tensor.layout = Layout::ND;
}

/// A simpler type of data for all operands together, then for one of those
/// that differ, then one of indices.
pub(super) fn types(case: &Case) -> Vec<Edit> {
    let call = &case.call;
    let own = call.data_tile().dtype;
    let mut data = roles(call);
    data.retain(|role| *role != Role::Index);
    let type_of = |role| call.operand(role).map_or(own, |operand| operand.dtype());
    let mut all = Vec::new();
    let mut add = |roles: &[Role], dtype: DType| {
        let roles = roles.to_vec();
        all.push(edit(move |case| {
            roles
                .iter()
                .for_each(|role| case.call.set_dtype(*role, dtype));
        }));
    };
    let simpler = |role| simpler_types(call, role, type_of(role)).into_iter();
    simpler(data_role(call)).for_each(|dtype| add(&data, dtype));
    for role in data.iter().filter(|role| type_of(**role) != own) {
        add(&[*role], own);
        add(&data, type_of(*role));
        simpler(*role).for_each(|dtype| add(&[*role], dtype));
    }
    if call.operand(Role::Index).is_some() {
        simpler(Role::Index).for_each(|dtype| add(&[Role::Index], dtype));
    }
    all
}
