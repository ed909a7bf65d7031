//! Another call in place of the one that was given.

use std::collections::BTreeSet;

use ptodiff_case::Form;
use ptodiff_isa::{
    BLayout, Call, DType, Dim, GatherOob, Role, SLayout, ScatterAtomicOp, ScatterOob, Tile,
};
use ptodiff_mutants::is_row;
use strum::VariantArray;

use super::{Known, Twist};

fn call(name: &str, sentence: &str, f: impl Fn(&mut Call) + Send + Sync + 'static) -> Known {
    (
        name.to_owned(),
        sentence.to_owned(),
        Twist::Call(Box::new(f)),
    )
}

/// What holds data has one type.
const DATA: [Role; 3] = [Role::Source, Role::Destination, Role::Table];

fn less(dim: Dim) -> Dim {
    Dim::Dynamic(dim.get().saturating_sub(1))
}

/// What the tile of this role is called where calls are of these forms.
fn tile_of(role: Role, forms: &[Form]) -> String {
    let mut keys = forms.iter().map(|form| form.key(role));
    let first = keys.next().unwrap_or(role.into());
    match keys.all(|key| key == first) {
        true if first == "tile" => first.to_owned(),
        true => format!("{first} tile"),
        false => format!("{role} tile"),
    }
}

/// So many bytes of a row at a time: the rest is left out, or what stands behind it taken, too.
fn by_pieces(bytes: u64, piece: &str) -> [Known; 2] {
    let cut = move |call: &mut Call, is_over: bool| {
        let piece = bytes / call.data_tile().dtype.size() as u64;
        tiles(call, |tile| {
            let own = tile.valid_col.get();
            let whole = match is_over {
                true => own.next_multiple_of(piece).min(tile.cols),
                false => own - own % piece,
            };
            tile.valid_col = Dim::Dynamic(whole);
        });
    };
    [
        call(
            &format!("rest-of-{bytes}-bytes-left-out"),
            &format!("leaves out what stands behind the last whole {piece} of a row"),
            move |call| cut(call, false),
        ),
        call(
            &format!("whole-{bytes}-bytes"),
            &format!("runs to the end of the last {piece} of a row, beyond the valid columns"),
            move |call| cut(call, true),
        ),
    ]
}

pub(super) fn known(forms: &[Form]) -> Vec<Known> {
    let mut all = vec![
        call("last-row-left-out", "leaves out the last row", |call| {
            tiles(call, |tile| tile.valid_row = less(tile.valid_row));
        }),
        call(
            "last-column-left-out",
            "leaves out the last column",
            |call| {
                tiles(call, |tile| tile.valid_col = less(tile.valid_col));
            },
        ),
        call(
            "padding-too",
            "runs over the padded tile, not over its valid region",
            |call| {
                tiles(call, |tile| {
                    tile.valid_row = Dim::Dynamic(tile.rows);
                    tile.valid_col = Dim::Dynamic(tile.cols);
                });
            },
        ),
        call(
            "strides-ignored",
            "takes the table for packed: its strides are not read",
            |call| {
                if let Some(table) = call.tensor_mut(Role::Table) {
                    let mut pitch = 1;
                    for dim in (0..5).rev() {
                        table.stride[dim] = Dim::Dynamic(pitch);
                        pitch = pitch.saturating_mul(table.shape[dim].get());
                    }
                }
            },
        ),
        call(
            "table-transposed",
            "exchanges rows and columns of the table",
            |call| {
                if let Some(table) = call.tensor_mut(Role::Table) {
                    table.shape.swap(3, 4);
                    table.stride.swap(3, 4);
                }
            },
        ),
        call(
            "capacity-one-less",
            "takes the table for one slot, or one row, smaller than it is",
            |call| {
                resized(call, |n| n.saturating_sub(1));
            },
        ),
        call(
            "lane-after",
            "writes the lane of a group after the one that the pattern says",
            |call| lanes(call, |digits| digits.rotate_left(1)),
        ),
        call(
            "lanes-reversed",
            "counts the lanes of a pattern from the other end",
            |call| lanes(call, |digits| digits.reverse()),
        ),
        call(
            "index-pitch-of-data",
            "takes the distance of the data tile's rows for that of the index tile's",
            |call| {
                let (rows, cols) = (call.data_tile().rows, call.data_tile().cols);
                if let Some(index) = call.tile_mut(Role::Index) {
                    (index.rows, index.cols) = (rows, cols);
                }
            },
        ),
        call(
            "data-pitch-of-index",
            "takes the distance of the index tile's rows for that of the data tile's",
            |call| {
                let Some(&mut Tile { rows, cols, .. }) = call.tile_mut(Role::Index) else {
                    return;
                };
                for role in [Role::Source, Role::Destination] {
                    if let Some(tile) = call.tile_mut(role) {
                        (tile.rows, tile.cols) = (rows, cols);
                    }
                }
            },
        ),
        call(
            "index-sign-exchanged",
            "takes signed indices for unsigned ones, or the reverse",
            |call| retype(call, &[Role::Index], other_sign),
        ),
        call(
            "data-sign-exchanged",
            "takes signed elements for unsigned ones, or the reverse",
            |call| retype(call, &DATA, other_sign),
        ),
        call(
            "half-is-bfloat16",
            "takes half for bfloat16, or the reverse",
            |call| {
                retype(call, &DATA, |dtype| match dtype {
                    DType::Half => DType::Bfloat16,
                    DType::Bfloat16 => DType::Half,
                    other => other,
                });
            },
        ),
    ];
    all.extend(by_pieces(32, "block of 32 bytes"));
    all.extend(by_pieces(256, "vector of 256 bytes"));
    for (key, sentence) in [
        ("mode", "takes Row for Elem, or Elem for Row"),
        (
            "conflict",
            "takes the conflict policy Last for Default, or Default for Last",
        ),
        (
            "exec",
            "takes the scalar way for the SIMT one, or the reverse",
        ),
        ("axis", "puts the pattern along the other axis"),
    ] {
        let name = format!("{key}-exchanged");
        all.push(call(&name, sentence, move |call| exchange(call, key)));
    }
    for roles in [
        &[Role::Index][..],
        &[Role::Source],
        &[Role::Destination],
        // What finds the way in tiles may be one function for all.
        &[Role::Index, Role::Source, Role::Destination],
    ] {
        all.extend(match roles {
            [role] => layouts(
                &role.to_string(),
                &format!("the {}", tile_of(*role, forms)),
                roles,
            ),
            _ => layouts("all", "a tile", roles),
        });
    }
    for &op in ScatterAtomicOp::VARIANTS {
        let what = match op {
            ScatterAtomicOp::None => "replaces where the call has an atomic operation".to_owned(),
            op => format!("does {op} whatever the call's atomic operation is"),
        };
        all.push(call(
            &format!("atomic-is-{}", lower(op)),
            &what,
            move |call| _ = call.set_argument("atomic", op.into()),
        ));
    }
    let gather = GatherOob::VARIANTS.iter().map(|&oob| oob.into());
    let scatter = ScatterOob::VARIANTS.iter().map(|&oob| oob.into());
    // What both may be is one function for both.
    let oobs: BTreeSet<&'static str> = gather.chain(scatter).collect();
    for oob in oobs {
        all.push(call(
            &format!("oob-is-{}", lower(oob)),
            &format!("treats indices out of bounds as {oob} does, whatever the call says"),
            move |call| _ = call.set_argument("oob", oob),
        ));
    }
    all
}

/// Gives the table of `call` another number of rows in Row mode, of slots in Elem; how many it
/// had, if it has a table.
pub(super) fn resized(call: &mut Call, size: fn(u64) -> u64) -> Option<u64> {
    let is_row = is_row(call);
    let table = call.tensor_mut(Role::Table)?;
    if is_row {
        let rows = table.shape[3].get();
        table.shape[3] = Dim::Dynamic(size(rows));
        return Some(rows);
    }
    // The table is flat there.
    let all = table.shape.iter();
    let all = all.fold(1, |n: u64, dim| n.saturating_mul(dim.get()));
    table.shape = [1, 1, 1, 1, size(all)].map(Dim::Dynamic);
    Some(all)
}

/// Other ways through the tiles of these roles, which are called `tile`.
fn layouts(of: &str, tile: &str, roles: &'static [Role]) -> [Known; 4] {
    let each = |name: &str, sentence: &str, f: fn(&mut Tile)| {
        call(&format!("{name}-{of}"), sentence, move |call| {
            for role in roles {
                if let Some(tile) = call.tile_mut(*role) {
                    f(tile);
                }
            }
        })
    };
    [
        each(
            "column-major-ignored-of",
            &format!("takes {tile} for row-major where it is column-major"),
            |tile| {
                if tile.slayout == SLayout::NoneBox {
                    tile.blayout = BLayout::RowMajor;
                }
            },
        ),
        each(
            "layout-ignored-of",
            &format!("takes {tile} for plain rows, whatever its layout"),
            |tile| (tile.blayout, tile.slayout) = (BLayout::RowMajor, SLayout::NoneBox),
        ),
        each(
            "valid-width-is-pitch-of",
            &format!("takes the valid width of {tile} for the distance of its rows"),
            |tile| tile.cols = tile.valid_col.get().max(1),
        ),
        each(
            "packed-rows-of",
            &format!("takes the rows of {tile} for packed, without the padding between them"),
            |tile| {
                tile.cols = tile.valid_col.get().max(1);
                (tile.blayout, tile.slayout) = (BLayout::RowMajor, SLayout::NoneBox);
            },
        ),
    ]
}

/// Takes the other of the two values that a template argument may have.
fn exchange(call: &mut Call, key: &str) {
    let own = call.argument(key);
    let other = own.and_then(|own| own.words.iter().find(|word| **word != own.value));
    other.map(|word| call.set_argument(key, word));
}

fn lower(word: impl std::fmt::Display) -> String {
    word.to_string().to_lowercase()
}

/// Puts the lanes of the pattern, which its name spells, into another order.
fn lanes(call: &mut Call, order: fn(&mut [char])) {
    if let Call::TscatterMask(c) = call {
        let mut digits: Vec<char> = c.pattern.to_string().chars().skip(1).collect();
        order(&mut digits);
        let name = format!("P{}", String::from_iter(digits));
        c.pattern = name.parse().unwrap_or(c.pattern);
    }
}

/// The type that only a `u` before its name tells from `dtype`.
fn other_sign(dtype: DType) -> DType {
    let name = dtype.to_string();
    let other = match name.strip_prefix('u') {
        Some(signed) => signed.parse(),
        None => format!("u{name}").parse(),
    };
    other.unwrap_or(dtype)
}

/// Changes each tile.
fn tiles(call: &mut Call, change: impl Fn(&mut Tile)) {
    for role in [Role::Source, Role::Destination, Role::Index] {
        if let Some(tile) = call.tile_mut(role) {
            change(tile);
        }
    }
}

/// Changes the type of the operands of these roles.
fn retype(call: &mut Call, roles: &[Role], change: fn(DType) -> DType) {
    for role in roles {
        if let Some(operand) = call.operand(*role) {
            call.set_dtype(*role, change(operand.dtype()));
        }
    }
}
