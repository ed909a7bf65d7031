//! Operand types, spelled out so that nothing of a descriptor is lost but the
//! run-time values of its dynamic extents.

use ptodiff_isa::{BLayout, DType, Dim, GlobalTensor, Layout, Operand, SLayout, Tile, TileType};

use crate::{
    cursor::Cursor,
    dims,
    error::{At, Fault, Read},
    form::Level,
    word,
};

/// All that stands in the place of `pad`: no document gives it a value.
const NO_PAD: &str = "none";

/// The descriptor that a type spells.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Type {
    Tile(Tile),
    Tensor(GlobalTensor),
}

impl Type {
    /// The descriptor as an operand.
    pub(crate) const fn operand(&self) -> Operand<'_> {
        match self {
            Self::Tile(tile) => Operand::Tile(tile),
            Self::Tensor(tensor) => Operand::Tensor(tensor),
        }
    }

    /// Gives its dynamic extents their run-time values.
    ///
    /// # Errors
    /// How many it has, when that is not how many are given.
    pub(crate) fn fill(&mut self, values: &[u64]) -> Result<(), usize> {
        match self {
            Self::Tile(tile) => dims::fill([&mut tile.valid_row, &mut tile.valid_col], values),
            Self::Tensor(tensor) => {
                dims::fill(tensor.shape.iter_mut().chain(&mut tensor.stride), values)
            }
        }
    }
}

/// The run-time values of an operand in the order of its type's question marks.
pub(crate) fn run_time(operand: Operand<'_>) -> Vec<u64> {
    match operand {
        Operand::Tile(tile) => dims::run_time([tile.valid_row, tile.valid_col]),
        Operand::Tensor(tensor) => dims::run_time(tensor.shape.into_iter().chain(tensor.stride)),
    }
}

/// The type of an operand in a form of this `level`.
pub(crate) fn write(operand: Operand<'_>, level: Level) -> String {
    match operand {
        Operand::Tile(tile) => write_tile(tile, level.tile_word()),
        Operand::Tensor(tensor) => write_tensor(tensor, level.tensor_word()),
    }
}

fn write_tile(tile: &Tile, name: &str) -> String {
    let Tile {
        location,
        dtype,
        rows,
        cols,
        valid_row,
        valid_col,
        blayout,
        slayout,
        fractal,
    } = *tile;
    let dtype = word::bare(dtype);
    let (valid_row, valid_col) = (dims::extent(valid_row), dims::extent(valid_col));
    format!(
        "!pto.{name}<{location}, {dtype}, {rows}, {cols}, {blayout}, {slayout}, {fractal}, \
         {NO_PAD}, valid = {valid_row}x{valid_col}>"
    )
}

fn write_tensor(tensor: &GlobalTensor, name: &str) -> String {
    let shape: String = tensor
        .shape
        .iter()
        .map(|extent| dims::extent(*extent) + "x")
        .collect();
    let stride = tensor.stride.map(dims::extent).join(", ");
    let (dtype, layout) = (word::bare(tensor.dtype), tensor.layout);
    format!("!pto.{name}<{shape}{dtype}, stride = [{stride}], layout = {layout}>")
}

/// Reads a type with the words that `level` has. The `!` may be missing,
/// as it is in a line of document 001.
pub(crate) fn read(cursor: &mut Cursor<'_>, level: Level) -> Read<At<Type>> {
    let at = cursor.here();
    let (tile, tensor) = (level.tile_word(), level.tensor_word());
    let wrong = || Fault::new(at, format!("`!pto.{tile}<` or `!pto.{tensor}<`"));
    cursor.eat_tight("!");
    if !cursor.eat_tight("pto.") {
        return Err(wrong());
    }
    let word = cursor.word_tight("a type").map_err(|_| wrong())?.value;
    let is_tile = word == tile;
    if !(is_tile || word == tensor) || !cursor.eat("<") {
        return Err(wrong());
    }
    let value = if is_tile {
        Type::Tile(read_tile(cursor)?)
    } else {
        Type::Tensor(read_tensor(cursor)?)
    };
    cursor.expect(">")?;
    Ok(At { value, at })
}

fn read_tile(cursor: &mut Cursor<'_>) -> Read<Tile> {
    const LOCATION: &str = "a tile location, `Vec` or `Mat`";
    const BLAYOUT: &str = "a BLayout, `RowMajor` or `ColMajor`";
    const SLAYOUT: &str = "an SLayout, `NoneBox`, `RowMajor` or `ColMajor`";
    let location: TileType = read_word(cursor, LOCATION)?;
    cursor.expect(",")?;
    cursor.here();
    let dtype = read_dtype_tight(cursor)?;
    cursor.expect(",")?;
    let rows = read_padded(cursor)?;
    cursor.expect(",")?;
    let cols = read_padded(cursor)?;
    cursor.expect(",")?;
    let blayout: BLayout = read_word(cursor, BLAYOUT)?;
    cursor.expect(",")?;
    let slayout: SLayout = read_word(cursor, SLAYOUT)?;
    cursor.expect(",")?;
    let fractal = cursor.number()?.value;
    cursor.expect(",")?;
    cursor.expect(NO_PAD)?;
    let (valid_row, valid_col) = if cursor.sees(">") {
        (Dim::Static(rows), Dim::Static(cols))
    } else {
        read_valid(cursor, rows, cols)?
    };
    Ok(Tile {
        location,
        dtype,
        rows,
        cols,
        valid_row,
        valid_col,
        blayout,
        slayout,
        fractal,
    })
}

/// Reads `, valid = RxC`, which the eight fields of MGATHER-ASM-05 have not.
fn read_valid(cursor: &mut Cursor<'_>, rows: u64, cols: u64) -> Read<(Dim, Dim)> {
    if !cursor.eat(",") {
        return Err(Fault::new(cursor.here(), "`,` or `>`"));
    }
    for token in ["valid", "="] {
        cursor.expect(token)?;
    }
    let row = read_at_most(rows, cursor)?;
    cursor.expect_tight("x")?;
    Ok((row, read_at_most(cols, cursor)?))
}

fn read_at_most(padded: u64, cursor: &mut Cursor<'_>) -> Read<Dim> {
    let at = cursor.here();
    let extent = dims::read_tight(cursor)?;
    if extent.get() > padded {
        return Err(Fault::new(
            at,
            format!("a valid extent of at most {padded}"),
        ));
    }
    Ok(extent)
}

fn read_tensor(cursor: &mut Cursor<'_>) -> Read<GlobalTensor> {
    let at = cursor.here();
    let mut extents = Vec::new();
    while cursor.sees_extent() && extents.len() < 5 {
        extents.push(dims::read_tight(cursor)?);
        cursor.expect_tight("x")?;
    }
    if extents.is_empty() {
        return Err(Fault::new(at, "one to five extents"));
    }
    let mut shape = [Dim::Static(1); 5];
    shape[5 - extents.len()..].copy_from_slice(&extents);
    let dtype = read_dtype_tight(cursor)?;
    // As `MxNxdtype`, which the documents show. Where a stride is not known it has to be said.
    if let Some(stride) = packed(&shape).filter(|_| cursor.sees(">")) {
        return Ok(GlobalTensor {
            dtype,
            shape,
            stride,
            layout: Layout::default(),
        });
    }
    for token in [",", "stride", "="] {
        cursor.expect(token)?;
    }
    let mut stride = [Dim::Static(0); 5];
    for (axis, step) in stride.iter_mut().enumerate() {
        cursor.expect(if axis == 0 { "[" } else { "," })?;
        *step = dims::read(cursor)?;
    }
    for token in ["]", ",", "layout", "="] {
        cursor.expect(token)?;
    }
    let layout: Layout = read_word(cursor, "a layout, `ND`, `DN` or `NZ`")?;
    Ok(GlobalTensor {
        dtype,
        shape,
        stride,
        layout,
    })
}

/// The strides of a packed tensor, if its extents say them.
fn packed(shape: &[Dim; 5]) -> Option<[Dim; 5]> {
    let mut stride = [Dim::Static(1); 5];
    for axis in (0..4).rev() {
        let Dim::Static(extent) = shape[axis + 1] else {
            return None;
        };
        stride[axis] = Dim::Static(stride[axis + 1].get().checked_mul(extent)?);
    }
    Some(stride)
}

/// Reads a word of the ISA.
fn read_word<T: std::str::FromStr>(cursor: &mut Cursor<'_>, expected: &'static str) -> Read<T> {
    let word = cursor.word(expected)?;
    word.value
        .parse()
        .map_err(|_| Fault::new(word.at, expected))
}

fn read_dtype_tight(cursor: &mut Cursor<'_>) -> Read<DType> {
    let expected = "an element type such as `i32`, `ui8` or `f16`";
    let own = cursor.word_tight(expected)?;
    word::element(own.value).ok_or_else(|| Fault::new(own.at, expected))
}

/// Reads a padded extent: a tile has at least one row and one column.
fn read_padded(cursor: &mut Cursor<'_>) -> Read<u64> {
    let extent = cursor.number()?;
    if extent.value == 0 {
        return Err(Fault::new(extent.at, "a padded extent of at least 1"));
    }
    Ok(extent.value)
}
