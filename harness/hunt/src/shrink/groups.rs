//! Which dimensions of a call's operands get smaller together.

use ptodiff_case::Case;
use ptodiff_isa::{Layout, Operand, Role};

use super::parts::{Axis, data_role, extent, roles, unit};

/// A dimension that gets smaller, by `each` entries for every one of its group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    /// The operand.
    pub(super) role: Role,
    /// Its dimension.
    pub(super) axis: Axis,
    /// Entries for each of the group's: 4 lanes of a mask, the elements of a block.
    pub(super) each: u64,
}

/// Dimensions that get smaller together; the first has one entry for each of
/// the group, and each has a different operand or axis.
pub(super) type Group = Vec<Part>;

/// The groups to try, those with most dimensions first: calls, rows and columns
/// of the data tile with what has as many of them elsewhere, blocks, and then
/// every dimension alone.
pub(super) fn groups(case: &Case) -> Vec<Group> {
    let data = data_role(&case.call);
    let mut all = vec![vec![part(data, Axis::Chunk)]];
    for base in [part(data, Axis::Row), part(data, Axis::Col)] {
        joined(base, &partners(case, base), &mut all);
    }
    // An offset that serves a block, and a block of an NZ table.
    for base in [
        part(Role::Index, Axis::Col),
        part(Role::Table, Axis::Dim(1)),
    ] {
        joined(base, &blocks(case, base), &mut all);
    }
    for role in roles(&case.call) {
        let alone = match case.call.operand(role) {
            Some(Operand::Tile(_)) => vec![Axis::Row, Axis::Col],
            Some(Operand::Tensor(_)) => (0..5).map(Axis::Dim).collect(),
            None => Vec::new(),
        };
        all.extend(alone.into_iter().map(|axis| vec![part(role, axis)]));
    }
    all
}

/// How many entries a group has.
pub(super) fn entries(case: &Case, group: &Group) -> u64 {
    let first = group
        .first()
        .and_then(|part| extent(case, part.role, part.axis));
    first.unwrap_or(0)
}

const fn part(role: Role, axis: Axis) -> Part {
    Part {
        role,
        axis,
        each: 1,
    }
}

/// `base` with all of its partners, and with one of each.
fn joined(base: Part, partners: &[Part], all: &mut Vec<Group>) {
    if partners.len() > 1 {
        all.push([&[base], partners].concat());
    }
    all.extend(partners.iter().map(|partner| vec![base, *partner]));
}

/// Dimensions elsewhere with as many entries as `base`, one of the data tile,
/// or with two or four for each.
fn partners(case: &Case, base: Part) -> Vec<Part> {
    let Some(count) = extent(case, base.role, base.axis) else {
        return Vec::new();
    };
    let axes = match base.axis {
        Axis::Row => [Axis::Row, Axis::Col, Axis::Dim(3), Axis::Dim(4)].as_slice(),
        _ => [Axis::Col, Axis::Dim(4)].as_slice(),
    };
    let mut all = Vec::new();
    for role in roles(&case.call) {
        if role == base.role || role == Role::Scratch {
            continue;
        }
        // A table has nothing to do with the rows of a tile.
        let mut axes = axes
            .iter()
            .filter(|_| role != Role::Table || base.axis == Axis::Col);
        let found = axes.find_map(|axis| {
            let other = extent(case, role, *axis)?;
            // Only the two tiles of a scatter by mask differ by a factor.
            let factors: &[u64] = match (role, *axis == base.axis) {
                (Role::Destination | Role::Source, true) => &[1, 2, 4],
                (Role::Destination | Role::Source, false) => return None,
                _ => &[1],
            };
            let each = factors
                .iter()
                .find(|each| count.checked_mul(**each) == Some(other))?;
            Some(Part {
                role,
                axis: *axis,
                each: *each,
            })
        });
        all.extend(found);
    }
    all
}

/// The columns of the data tile, where `base` has one entry for each 32 bytes of a row.
fn blocks(case: &Case, base: Part) -> Vec<Part> {
    let tile = case.call.data_tile();
    let each = unit(tile.dtype);
    let table = case.call.table();
    // Blocks of a table are as many as those of the padded tile.
    let columns = match table {
        Some(table) if table.layout == Layout::NZ => tile.cols,
        Some(_) => return Vec::new(),
        None => tile.valid_col.get(),
    };
    let counts = extent(case, base.role, base.axis) == Some(columns.div_ceil(each));
    let of_data = Part {
        role: data_role(&case.call),
        axis: Axis::Col,
        each,
    };
    // With one element a block it is a partner like the others.
    if counts && each > 1 && base.role != of_data.role {
        vec![of_data]
    } else {
        Vec::new()
    }
}
