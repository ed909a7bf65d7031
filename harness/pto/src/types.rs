//! The types of operands.

use ptodiff_asm::{element, element_words};
use ptodiff_case::limits::MAX_FRACTAL;
use ptodiff_case::{Code, did_you_mean};
use ptodiff_isa::{DType, Dim, Tile, TileType};

use crate::text::{Fault, LONGEST, Part, Read};
use crate::word::{self, ELSEWHERE};

/// The type of an operand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    /// `!pto.tile_buf<...>`; a valid extent that is known at run time is 0.
    Tile(Tile),
    /// `!pto.partition_tensor_view<...>` or `!pto.tensor_view<...>`
    View(View),
}

impl Type {
    /// That of the elements.
    pub(crate) const fn dtype(&self) -> DType {
        match self {
            Self::Tile(tile) => tile.dtype,
            Self::View(view) => view.dtype,
        }
    }
}

/// A view: extents, outermost first, at most five. `None` is `?`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct View {
    pub(crate) extents: Vec<Option<u64>>,
    pub(crate) dtype: DType,
}

/// Reads the type of an operand.
pub(crate) fn read(part: Part<'_>) -> Read<Type> {
    if part.text.len() > LONGEST {
        let message = "this is too long to be the type of an operand";
        return Err(Fault::new(
            Code::BadOperation,
            part.at..part.at + 1,
            message,
        ));
    }
    let named = |word: &str| -> Option<Part<'_>> {
        let rest = part.after("!pto.")?.after(word)?.trim();
        rest.between("<", ">")
    };
    if let Some(inner) = named("tile_buf") {
        return tile(part, inner).map(Type::Tile);
    }
    match named("partition_tensor_view").or_else(|| named("tensor_view")) {
        Some(inner) => view(inner).map(Type::View),
        None => {
            let message = format!("`{}` is the type of no operand", part.text);
            Err(Fault::new(Code::BadOperation, part.range(), message)
                .help("a tile is a `!pto.tile_buf<...>`, what stands in GM a `!pto.partition_tensor_view<...>`"))
        }
    }
}

/// The keys of a tile's type.
const KEYS: &[&str] = &[
    "loc", "dtype", "rows", "cols", "v_row", "v_col", "valid", "blayout", "slayout", "fractal",
    "pad", "compact",
];

fn tile(whole: Part<'_>, inner: Part<'_>) -> Read<Tile> {
    let mut tile = Tile::default();
    let mut location = None;
    let mut dtype = None;
    let [mut rows, mut cols] = [None; 2];
    let [mut v_row, mut v_col] = [None; 2];
    let mut keys: Vec<Part<'_>> = Vec::new();
    for (at, entry) in inner.list().into_iter().enumerate() {
        let Some((key, value)) = entry.split_once('=') else {
            // The short form: where it stands, then extents and type.
            match at {
                0 => location = Some(place(entry)?),
                1 => {
                    let View { extents, dtype: of } = view(entry)?;
                    let [Some(r), Some(c)] = extents[..] else {
                        let message = "a tile has two extents, rows and columns";
                        return Err(Fault::new(Code::WrongLength, entry.range(), message));
                    };
                    (rows, cols, dtype) = (Some(r), Some(c), Some(of));
                }
                _ => {
                    let message = format!("`{}` has no key in a tile's type", entry.text);
                    return Err(Fault::new(Code::BadOperation, entry.range(), message)
                        .help("as in `blayout=row_major`"));
                }
            }
            continue;
        };
        if let Some(first) = keys.iter().find(|known| known.text == key.text) {
            return Err(Fault::twice(key, *first));
        }
        keys.push(key);
        match key.text {
            "loc" => location = Some(place(value)?),
            "dtype" => dtype = Some(dtype_of(value)?),
            "rows" => rows = Some(count(value)?),
            "cols" => cols = Some(count(value)?),
            "v_row" => v_row = Some(extent(value)?),
            "v_col" => v_col = Some(extent(value)?),
            "valid" => {
                let wrong = || {
                    let message = format!("`{}` are not two extents", value.text);
                    Fault::new(Code::WrongLength, value.range(), message).help("as in `valid=8x24`")
                };
                let (r, c) = value.split_once('x').ok_or_else(wrong)?;
                (v_row, v_col) = (Some(extent(r)?), Some(extent(c)?));
            }
            "blayout" => tile.blayout = word::value("blayout", value)?,
            "slayout" => tile.slayout = word::value("slayout", value)?,
            "fractal" => {
                tile.fractal = count(value)?;
                if tile.fractal > MAX_FRACTAL {
                    let message = format!("a fractal is at most {MAX_FRACTAL}");
                    return Err(Fault::new(Code::OutOfLimits, value.range(), message));
                }
            }
            // No document gives it a meaning that a call depends on.
            "pad" => {
                if number(value)? > 3 {
                    let message = "a pad is 0 to 3";
                    return Err(Fault::new(Code::OutOfLimits, value.range(), message));
                }
            }
            "compact" if value.text == "0" => {}
            "compact" => {
                let message = "ptodiff has no compact tile: its documents have none";
                return Err(Fault::new(Code::NotHere, value.range(), message).label("0 is none"));
            }
            _ => return Err(word::unknown("key of a tile's type", key, KEYS)),
        }
    }
    let missing = |what: &str| {
        let message = format!("the type of the tile has no {what}");
        Fault::new(Code::MissingKey, whole.range(), message).label(format!("needs {what}"))
    };
    let rows = rows.ok_or_else(|| missing("`rows`"))?;
    let cols = cols.ok_or_else(|| missing("`cols`"))?;
    let valid = [v_row.unwrap_or(Some(rows)), v_col.unwrap_or(Some(cols))];
    for ((valid, room), what) in valid.iter().zip([rows, cols]).zip(["rows", "columns"]) {
        if let Some(valid) = valid.filter(|valid| *valid > room) {
            let message = format!("{valid} valid {what} do not fit a tile of {room}");
            return Err(Fault::new(Code::ValidExceedsPadded, whole.range(), message)
                .label(format!("at most {room}")));
        }
    }
    let [valid_row, valid_col] = valid.map(|known| known.map_or(Dim::Dynamic(0), Dim::Static));
    Ok(Tile {
        location: location.ok_or_else(|| missing("`loc`"))?,
        dtype: dtype.ok_or_else(|| missing("`dtype`"))?,
        rows,
        cols,
        valid_row,
        valid_col,
        ..tile
    })
}

fn place(word: Part<'_>) -> Read<TileType> {
    if ELSEWHERE.contains(&word.text) {
        let message = format!("none of these instructions has a tile in `{}`", word.text);
        return Err(Fault::new(Code::NotHere, word.range(), message).help(
            "theirs stand in `vec`, that of a gather to L1 in `mat` (MSCATTER-TILE-01, \
             MGATHER-TILE-01, TSCATTER-TILE-01)",
        ));
    }
    word::value("place of a tile", word)
}

/// `48x32xf16`
fn view(inner: Part<'_>) -> Read<View> {
    let mut extents = Vec::new();
    let mut rest = inner.trim();
    loop {
        let digits = rest
            .text
            .starts_with(|c: char| c.is_ascii_digit() || c == '?');
        if !digits || extents.len() > 5 {
            break;
        }
        let Some((first, after)) = rest.split_once('x') else {
            break;
        };
        extents.push(match first.text {
            "?" => None,
            _ => Some(count(first)?),
        });
        rest = after;
    }
    if extents.is_empty() || extents.len() > 5 {
        let message = format!("a view has one to five extents, this has {}", extents.len());
        return Err(Fault::new(Code::WrongLength, inner.range(), message));
    }
    let dtype = dtype_of(rest)?;
    Ok(View { extents, dtype })
}

/// A number, or `?`.
fn extent(word: Part<'_>) -> Read<Option<u64>> {
    match word.text {
        "?" => Ok(None),
        _ => number(word).map(Some),
    }
}

/// A number of at least 1.
fn count(word: Part<'_>) -> Read<u64> {
    match number(word)? {
        0 => Err(Fault::new(
            Code::OutOfLimits,
            word.range(),
            "this has to be at least 1",
        )),
        number => Ok(number),
    }
}

fn number(word: Part<'_>) -> Read<u64> {
    let digits = word.text.bytes().all(|b| b.is_ascii_digit());
    let number = word.text.parse().ok().filter(|_| digits);
    number.ok_or_else(|| {
        let what = if digits {
            "too large"
        } else {
            "no whole number"
        };
        let message = format!("`{}` is {what}", word.text);
        Fault::new(Code::NotANumber, word.range(), message).label("a number may stand here")
    })
}

/// An element's type.
pub(crate) fn dtype_of(word: Part<'_>) -> Read<DType> {
    let bare = word.text.strip_prefix("!pto.").unwrap_or(word.text);
    // Integers of MLIR are of no sign; ours without one are signed.
    let plain = bare.strip_prefix('s').filter(|rest| rest.starts_with('i'));
    if let Some(dtype) = element(plain.unwrap_or(bare)) {
        return Ok(dtype);
    }
    if is_mlir(bare) {
        let message = format!("no document has elements of type {}", word.text);
        return Err(Fault::new(Code::NoElementType, word.range(), message).label("in no list"));
    }
    let message = format!("there is no element type `{}`", word.text);
    let fault = Fault::new(Code::UnknownName, word.range(), message).label("not known");
    Err(match did_you_mean(bare, element_words()) {
        Some(meant) => fault.help(meant),
        None => fault.help(format!("there are {}", element_words().join(", "))),
    })
}

/// Whether a type of MLIR is called so.
fn is_mlir(word: &str) -> bool {
    let digits = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
    let integer = ["i", "si", "ui", "f"].iter().any(|sign| {
        let rest = word.strip_prefix(sign);
        rest.is_some_and(digits)
    });
    let small = ["f8E", "f6E", "f4E"]
        .iter()
        .any(|start| word.starts_with(start));
    integer || small || matches!(word, "index" | "tf32") || word.starts_with("complex<")
}
