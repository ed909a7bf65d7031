//! The axes of a case, and where a case stands on each.

use std::collections::HashMap;
use std::sync::OnceLock;

use ptodiff_case::Case;
use ptodiff_isa::reading::GAPS;
use ptodiff_isa::{
    Call, Coalesce, Dim, GlobalTensor, Launch, Operand, Readings, Role, SLayout, Target, Tile,
    TileType,
};

/// A place on an axis: the axis, then the value.
pub(crate) type Place = (&'static str, &'static str);

/// Every place of `case`.
pub(crate) fn places(case: &Case) -> Vec<Place> {
    let mut places = vec![
        ("targets", targets(&case.targets)),
        ("reading", reading(case.data_readings())),
        ("dtype", case.call.data_tile().dtype.into()),
        ("types", types(&case.call)),
    ];
    policies(&case.call, &mut places);
    tile(case.call.data_tile(), &mut places);
    if let Some(index) = case.call.operand(Role::Index) {
        places.push(("index dtype", index.dtype().into()));
        places.push(("pattern", (&case.data.index).into()));
        match index {
            Operand::Tile(tile) => index_tile(tile, &case.call, &mut places),
            Operand::Tensor(tensor) => index_tensor(tensor, &mut places),
        }
    }
    if let Some(table) = case.call.table() {
        self::table(table, &mut places);
        places.push(("table data", (&case.data.table).into()));
    }
    if case.call.output() == Role::Table {
        places.push(("chunks", if case.chunks == 1 { "one" } else { "several" }));
    }
    if let Some(launch) = case.call.launch() {
        self::launch(launch, &mut places);
    }
    if case.call.operand(Role::Source).is_some() {
        places.push(("source data", (&case.data.source).into()));
    }
    if case.call.operand(Role::Destination).is_some() {
        places.push(("destination data", (&case.data.destination).into()));
    }
    places
}

fn targets(targets: &[Target]) -> &'static str {
    match targets {
        [Target::Cpu] => "cpu",
        [Target::A2a3] => "a2a3",
        [Target::A5] => "a5",
        [Target::Cpu, Target::A2a3] => "cpu+a2a3",
        [Target::Cpu, Target::A5] => "cpu+a5",
        [Target::A2a3, Target::A5] => "a2a3+a5",
        [Target::Cpu, Target::A2a3, Target::A5] => "cpu+a2a3+a5",
        _ => "other",
    }
}

/// The name of a parameter's choice.
pub(crate) fn reading_name(gap: &str, choice: &str) -> Option<&'static str> {
    static NAMES: OnceLock<HashMap<(&str, &str), &'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let choices = GAPS
            .iter()
            .flat_map(|gap| gap.choices.iter().map(|choice| (gap.name, *choice)));
        choices
            .map(|key| (key, &*format!("{}={}", key.0, key.1).leak()))
            .collect()
    });
    names.get(&(gap, choice)).copied()
}

/// The parameter that is changed, if it is one.
fn reading(readings: &Readings) -> &'static str {
    let default = Readings::default();
    if *readings == default {
        return "default";
    }
    let changed = GAPS
        .iter()
        .filter(|gap| gap.choice(readings) != gap.choice(&default));
    let mut named = changed.filter_map(|gap| reading_name(gap.name, gap.choice(readings)));
    match (named.next(), named.next(), named.next()) {
        (Some(one), None, _) => one,
        (Some(_), Some(_), None) => "two",
        _ => "other",
    }
}

/// Whether all data has one type.
fn types(call: &Call) -> &'static str {
    let dtype = call.data_tile().dtype;
    let data = call.operands().into_iter();
    let mut data = data.filter(|(role, _)| *role != Role::Index);
    if data.all(|(_, operand)| operand.dtype() == dtype) {
        "equal"
    } else {
        "mixed"
    }
}

fn policies(call: &Call, places: &mut Vec<Place>) {
    let own = call.arguments().into_iter();
    places.extend(own.map(|own| (own.key, own.value)));
    if let Call::MscatterFirst(c) = call {
        places.push(("mode", if c.idx.cols == 1 { "Row" } else { "Elem" }));
    }
}

fn tile(tile: &Tile, places: &mut Vec<Place>) {
    let [rows, cols] = [tile.valid_row.get(), tile.valid_col.get()];
    let boxed = tile.slayout != SLayout::NoneBox || tile.location != TileType::Vec;
    places.extend([
        ("blayout", tile.blayout.into()),
        ("slayout", tile.slayout.into()),
        ("valid_row", when(tile.valid_row)),
        ("valid_col", when(tile.valid_col)),
        (
            "lanes",
            match (rows, cols) {
                (0, _) | (_, 0) => "none",
                (1, 1) => "1x1",
                (1, _) => "row",
                (_, 1) => "column",
                _ => "area",
            },
        ),
        (
            "tile",
            match ((rows, cols) == (tile.rows, tile.cols), boxed) {
                (true, _) => "full",
                (false, false) => "partial",
                (false, true) => "partial box",
            },
        ),
    ]);
}

fn index_tile(tile: &Tile, call: &Call, places: &mut Vec<Place>) {
    places.extend([
        ("index blayout", tile.blayout.into()),
        ("index valid_row", when(tile.valid_row)),
        ("index valid_col", when(tile.valid_col)),
    ]);
    let data = call.data_tile();
    let extents = [tile.valid_row.get(), tile.valid_col.get()];
    let needed = [data.valid_row.get(), data.valid_col.get()];
    let shape = match (call, call.mode()) {
        // The mode is this shape.
        (Call::MscatterFirst(_), _) => return,
        (_, Some(Coalesce::Row)) if extents == [1, needed[0]] => "row",
        (_, Some(Coalesce::Row)) => "column",
        _ if extents == needed => "as data",
        _ => "other",
    };
    places.push(("index shape", shape));
}

fn index_tensor(tensor: &GlobalTensor, places: &mut Vec<Place>) {
    places.extend([
        ("index shape3", when(tensor.shape[3])),
        ("index shape4", when(tensor.shape[4])),
        ("index stride3", when(tensor.stride[3])),
        ("index stride4", when(tensor.stride[4])),
        ("index strides", strides(tensor)),
    ]);
}

fn table(table: &GlobalTensor, places: &mut Vec<Place>) {
    const SHAPE: [&str; 5] = ["shape0", "shape1", "shape2", "shape3", "shape4"];
    const STRIDE: [&str; 5] = ["stride0", "stride1", "stride2", "stride3", "stride4"];
    let extents = table.shape.map(Dim::get);
    let elements: u64 = extents.iter().product();
    places.extend(SHAPE.into_iter().zip(table.shape.map(when)));
    places.extend(STRIDE.into_iter().zip(table.stride.map(when)));
    places.extend([
        ("layout", table.layout.into()),
        (
            "outer",
            if extents[..3] == [1; 3] {
                "1"
            } else {
                "several"
            },
        ),
        ("strides", strides(table)),
        (
            "capacity",
            match (elements.is_power_of_two(), extents[3].is_power_of_two()) {
                (true, true) => "power of two",
                (_, false) => "odd rows",
                (false, true) => "odd slots",
            },
        ),
    ]);
}

/// Where the strides leave gaps, leaving out dimensions of one entry.
fn strides(tensor: &GlobalTensor) -> &'static str {
    let [shape, stride] = [tensor.shape, tensor.stride].map(|dims| dims.map(Dim::get));
    let gap = |at: usize| shape[at] > 1 && stride[at] > stride[at + 1] * shape[at + 1];
    let apart = shape[4] > 1 && stride[4] > 1;
    match (gap(3) || apart, (0..3).any(gap)) {
        (false, false) => "dense",
        (true, _) => "padded",
        (false, true) => "outer-padded",
    }
}

fn launch(launch: &Launch, places: &mut Vec<Place>) {
    places.extend([
        ("dispatch", launch.dispatch.into()),
        ("flush", <&str>::from(launch.flush)),
        (
            "dyn_ub",
            if launch.dyn_ub_bytes.is_some() {
                "given"
            } else {
                "nullptr"
            },
        ),
    ]);
}

fn when(dim: Dim) -> &'static str {
    match dim {
        Dim::Static(_) => "static",
        Dim::Dynamic(_) => "dynamic",
    }
}
