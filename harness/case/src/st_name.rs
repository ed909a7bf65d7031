//! The grammars of the ST suites' test names.
//!
//! Of MSCATTER and MGATHER, also to L1:
//!
//! ```text
//! name   = "case_" mode { "_" word } "_" sizes
//! mode   = "row" | "elem" | "elem2d"
//! word   = dtype | flag | policy | pattern | atomic          each at most once
//! dtype  = "float" | "half" | "bfloat16" | "int8" ... "uint32" ...
//! flag   = "simt" | "nz" | "colidx" | "dyn" [ "_user" ] | "scalar" | "unaligned" | "partial" | "small"
//! policy = "clamp" | "wrap" | "skip" | "zero" | "last" | "default"
//! pattern = "random" | "same" | "seq" | "no_dup"
//! atomic = "atomic_add" | "atomicadd" | "atomicmax" | "atomicmin"
//! sizes  = valid [ "_in_" R "x" C ] [ "_" table ]            words may stand among them
//! valid  = R "x" C | N
//! table  = N "rows" | N "size" | N "blk" | R "x" C
//! ```
//!
//! `case_elem2d_dyn_user_float_1x9_in_1x16_3x10`: Elem mode on a
//! two-dimensional tile of run-time extents, float, 1 x 9 valid elements in a
//! padded tile of 1 x 16, a table of 3 x 10.
//!
//! Of TSCATTER and TGATHERB:
//!
//! ```text
//! tscatter = "case_" dtype "_" dtype "_" source "_" indices
//!          | "case_masked_" dtype "_" mask                   along the columns
//!          | "case_col_" dtype "_" mask                      whole rows
//!          | "case_mask_" dtype "_" source "_" destination "_" mask
//! tgatherb = "case_" dtype "_" source "_" offsets "_" destination
//! dtype    = "float" | "half" | "int8" ... "U16" | "I16" ...
//! source   = indices = destination = offsets = R "x" C
//! mask     = "P0101" | "P1010" | "P0001" ...
//! ```
//!
//! A TSCATTER by index has a destination as large as its source.

use std::collections::BTreeMap;

use ptodiff_isa::{DType, Instruction, MaskPattern};

/// What a name says: of what, and what, in words, in the order in which both are compared
/// with the case.
pub type Said = Vec<(&'static str, String)>;

/// Reads the name of a test of `instruction`.
///
/// # Errors
/// Says in one line which part does not fit the grammar.
pub fn parse(instruction: Instruction, name: &str) -> Result<Said, String> {
    let rest = name.strip_prefix("case_");
    let rest = rest.ok_or("it does not start with `case_`")?;
    let words: Vec<&str> = rest.split('_').collect();
    match instruction {
        Instruction::Mscatter | Instruction::Mgather => table(&words),
        Instruction::Tscatter => tscatter(&words),
        Instruction::Tgatherb => tgatherb(&words),
    }
}

/// Words of MSCATTER and MGATHER: each with what it speaks of and what it says. Those about
/// the purpose of the sizes state no value.
const WORDS: [(&str, &str, &str); 23] = [
    ("simt", "executor", "Simt"),
    ("nz", "table layout", "NZ"),
    ("colidx", "index BLayout", "ColMajor"),
    ("dyn", "sizes", "dynamic"),
    ("scalar", "scalar", "1x1"),
    ("clamp", "out of bounds", "Clamp"),
    ("wrap", "out of bounds", "Wrap"),
    ("skip", "out of bounds", "Skip"),
    ("zero", "out of bounds", "Zero"),
    ("last", "conflict", "Last"),
    ("default", "conflict", "Default"),
    ("atomic_add", "atomic", "Add"),
    ("atomicadd", "atomic", "Add"),
    ("atomicmax", "atomic", "Max"),
    ("atomicmin", "atomic", "Min"),
    ("random", "index pattern", "random"),
    ("same", "index pattern", "same"),
    ("seq", "index pattern", "seq"),
    ("no_dup", "index pattern", NO_REPEATS),
    ("dyn_user", "sizes", "dynamic"),
    ("unaligned", "unaligned", ""),
    ("partial", "partial", ""),
    ("small", "small", ""),
];

/// What a name says of a pattern without repeats, whichever that is.
pub(crate) const NO_REPEATS: &str = "no repeats";

/// What a name says of a policy that it does not name: that it is the template's default.
pub(crate) const NOTHING: &str = "nothing";

/// What such names speak of, and what one says that has no word of it.
const SPOKEN_OF: [(&str, Option<&str>); 20] = [
    ("mode", None),
    ("tile dtype", None),
    ("table dtype", None),
    ("valid size", None),
    ("scalar", None),
    ("padded size", None),
    ("padded columns", None),
    ("tile", Some("no boxes")),
    ("index BLayout", Some("RowMajor")),
    ("sizes", Some("static")),
    ("index pattern", None),
    ("table layout", Some("not NZ")),
    ("table rows", None),
    ("table elements", None),
    ("table blocks", None),
    ("table size", None),
    ("out of bounds", Some(NOTHING)),
    ("atomic", Some(NOTHING)),
    ("conflict", None),
    ("executor", Some("Scalar")),
];

/// What was read so far, by what it speaks of.
type Read = BTreeMap<&'static str, String>;

fn table(words: &[&str]) -> Result<Said, String> {
    let (mode, mut rest) = words.split_first().unwrap_or((&"", &[]));
    let mode = match *mode {
        "row" => "Row",
        "elem" | "elem2d" => "Elem",
        other => return Err(format!("`{other}` is no mode")),
    };
    let mut read = Read::from([("mode", mode.to_owned())]);
    // Whether the purpose of the sizes is told: then nothing is said of the padding.
    let mut purpose = false;
    while let [word, after @ ..] = rest {
        rest = after;
        let next = after.first();
        let known = |text: &str| WORDS.iter().find(|(own, ..)| *own == text);
        let both = next.and_then(|next| known(&format!("{word}_{next}")));
        if both.is_some() || (*word, next.is_some()) == ("in", true) {
            rest = &after[1..];
        }
        let fits = match (both.or_else(|| known(word)), *word, next) {
            (Some((own, of, what)), ..) => {
                purpose |= what.is_empty() || *own == "dyn_user";
                put(&mut read, of, what)
            }
            (None, "in", Some(size)) => {
                let wrong = || format!("`in_{size}` is no padded size");
                let padded = extents(size).ok_or_else(wrong)?;
                read.contains_key("valid size") && put(&mut read, "padded size", padded)
            }
            (None, word, _) => match dtype(word) {
                Some(dtype) => put(&mut read, "tile dtype", dtype),
                None => size(&mut read, word),
            },
        };
        if !fits {
            let why = format!("`{word}` is unknown, or given twice");
            return Err(why);
        }
    }
    let lacking = |what: &str| format!("it has no {what}");
    let dtype = read.get("tile dtype").ok_or_else(|| lacking("dtype"))?;
    let valid = read.get("valid size").ok_or_else(|| lacking("size"))?;
    let columns = valid.split('x').next_back().unwrap_or_default().to_owned();
    read.insert("table dtype", dtype.clone());
    if read.contains_key("table layout") {
        read.insert("tile", "boxes".to_owned());
    }
    if !purpose && !read.contains_key("padded size") && !read.contains_key("scalar") {
        read.insert("padded columns", columns);
    }
    let said = SPOKEN_OF.iter().filter_map(|(of, otherwise)| {
        let said = read.remove(of).or_else(|| otherwise.map(str::to_owned))?;
        Some((*of, said))
    });
    Ok(said.collect())
}

/// Notes what is said; whether nothing was said of that before.
fn put(read: &mut Read, of: &'static str, what: impl ToString) -> bool {
    read.insert(of, what.to_string()).is_none()
}

/// The first size is the tile's, the second the table's. Whether `word` is one.
fn size(read: &mut Read, word: &str) -> bool {
    if !read.contains_key("valid size") {
        let size = extents(word).or_else(|| number(word).map(|n| format!("1x{n}")));
        return size.is_some_and(|size| put(read, "valid size", size));
    }
    let end = word
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(word.len());
    let (of, size) = match (number(&word[..end]), &word[end..]) {
        (Some(n), "rows") => ("table rows", n.to_string()),
        (Some(n), "size") => ("table elements", n.to_string()),
        (Some(n), "blk") => ("table blocks", n.to_string()),
        _ => match extents(word) {
            Some(size) => ("table size", size),
            None => return false,
        },
    };
    let sizes = ["table rows", "table elements", "table blocks", "table size"];
    !sizes.iter().any(|of| read.contains_key(of)) && put(read, of, size)
}

fn tscatter(words: &[&str]) -> Result<Said, String> {
    match *words {
        ["masked", dtype, mask] => by_mask(dtype, "Row", None, mask),
        ["col", dtype, mask] => by_mask(dtype, "Col", None, mask),
        ["mask", dtype, source, destination, mask] => {
            by_mask(dtype, "Row", Some([source, destination]), mask)
        }
        [dtype, index, data, indices] => {
            let (index, data, indices) = (typed(index)?, sized(data)?, sized(indices)?);
            let dtype = typed(dtype)?;
            Ok(vec![
                ("form", "by index".to_owned()),
                ("source dtype", dtype.clone()),
                ("destination dtype", dtype),
                ("index dtype", index),
                ("source size", data.clone()),
                ("destination size", data),
                ("index size", indices),
            ])
        }
        _ => Err(misshapen(words)),
    }
}

fn by_mask(dtype: &str, axis: &str, sizes: Option<[&str; 2]>, mask: &str) -> Result<Said, String> {
    let sizes = match sizes {
        Some([source, destination]) => vec![
            ("source size", sized(source)?),
            ("destination size", sized(destination)?),
        ],
        None => Vec::new(),
    };
    let pattern = mask.parse::<MaskPattern>();
    let pattern = pattern.map_err(|_| format!("`{mask}` is no mask"))?;
    let dtype = typed(dtype)?;
    let mut said = vec![
        ("form", "by mask".to_owned()),
        ("source dtype", dtype.clone()),
        ("destination dtype", dtype),
        ("mask", pattern.to_string()),
        ("axis", axis.to_owned()),
    ];
    said.extend(sizes);
    Ok(said)
}

fn tgatherb(words: &[&str]) -> Result<Said, String> {
    let [dtype, source, offsets, destination] = *words else {
        return Err(misshapen(words));
    };
    let dtype = typed(dtype)?;
    Ok(vec![
        ("source dtype", dtype.clone()),
        ("destination dtype", dtype),
        ("source size", sized(source)?),
        ("offset size", sized(offsets)?),
        ("destination size", sized(destination)?),
    ])
}

fn misshapen(words: &[&str]) -> String {
    format!("no form of the call has {} words", words.len())
}

fn typed(word: &str) -> Result<String, String> {
    dtype(word).ok_or_else(|| format!("`{word}` is no dtype"))
}

fn sized(word: &str) -> Result<String, String> {
    extents(word).ok_or_else(|| format!("`{word}` is no size"))
}

/// The ISA's name of a dtype: the suites leave out its `_t`, and some write `U16` for
/// `uint16_t`.
fn dtype(word: &str) -> Option<String> {
    let short = |prefix, long| {
        let bits = word.strip_prefix(prefix)?;
        number(bits).map(|bits| format!("{long}{bits}_t"))
    };
    let long = short('U', "uint").or_else(|| short('I', "int"));
    let dtype: Result<DType, _> = word
        .parse()
        .or_else(|_| long.unwrap_or_else(|| format!("{word}_t")).parse());
    Some(dtype.ok()?.to_string())
}

/// Rows and columns.
fn extents(word: &str) -> Option<String> {
    let (rows, cols) = word.split_once('x')?;
    Some(format!("{}x{}", number(rows)?, number(cols)?))
}

fn number(word: &str) -> Option<u64> {
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    word.parse().ok().filter(|_| digits)
}
