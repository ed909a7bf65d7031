//! Types and objects of operands.

use ptodiff_isa::{Dim, GlobalTensor, SLayout, Tile};

use super::{Text, names::Names, pieces::RunTime};

/// `SFractalSize` of a tile that does not give it, in bytes.
const DEFAULT_FRACTAL: u64 = 512;

/// A tile's type and object. Dynamic extents are -1 in the type and arguments
/// of the constructor (MSCATTER-DYN-01, MGATHER-DYN-01).
pub(super) fn tile(text: &mut Text, names: Names, tile: &Tile, run_time: &mut RunTime) {
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
    let (variable, stem) = (names.variable, names.stem());
    let (valid_row, valid_col) = (argument(valid_row), argument(valid_col));
    let boxes = if slayout == SLayout::NoneBox && fractal == DEFAULT_FRACTAL {
        String::new()
    } else {
        format!(", SLayout::{slayout}, {fractal}")
    };
    text.line(
        1,
        format!(
            "using {stem}Tile = Tile<TileType::{location}, {dtype}, {rows}, {cols}, \
             BLayout::{blayout}, {valid_row}, {valid_col}{boxes}>;"
        ),
    );
    let values = run_time.arguments(&[tile.valid_row, tile.valid_col]);
    text.line(1, object(&format!("{stem}Tile"), variable, &values));
}

/// A tensor's types and object, dynamic entries like a tile's
/// (MSCATTER-DYN-02, MGATHER-DYN-02).
pub(super) fn tensor(text: &mut Text, names: Names, tensor: &GlobalTensor, run_time: &mut RunTime) {
    let (variable, stem) = (names.variable, names.stem());
    let GlobalTensor {
        dtype,
        shape,
        stride,
        layout,
    } = *tensor;
    let list = |dims: [Dim; 5]| dims.map(argument).join(", ");
    text.line(1, format!("using {stem}Shape = Shape<{}>;", list(shape)));
    text.line(1, format!("using {stem}Stride = Stride<{}>;", list(stride)));
    text.line(
        1,
        format!(
            "using {stem}Tensor = GlobalTensor<{dtype}, {stem}Shape, {stem}Stride, \
             Layout::{layout}>;"
        ),
    );
    let (shape, stride) = (run_time.arguments(&shape), run_time.arguments(&stride));
    let mut arguments = vec![names.pointer()];
    if !(shape.is_empty() && stride.is_empty()) {
        for (kind, values) in [("Shape", &shape), ("Stride", &stride)] {
            let object_name = format!("{variable}{kind}");
            text.line(1, object(&format!("{stem}{kind}"), &object_name, values));
            arguments.push(object_name);
        }
    }
    text.line(
        1,
        object(&format!("{stem}Tensor"), &names.tensor(), &arguments),
    );
}

/// The declaration of an object, with constructor arguments or without.
fn object(ty: &str, name: &str, arguments: &[String]) -> String {
    if arguments.is_empty() {
        return format!("{ty} {name};");
    }
    format!("{ty} {name}({});", arguments.join(", "))
}

/// The template argument for an extent.
fn argument(dim: Dim) -> String {
    dim.known()
        .map_or("-1".to_owned(), |extent| extent.to_string())
}
