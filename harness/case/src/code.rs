//! Every kind of mistake that this crate reports, with its stable code.
//!
//! A code keeps its meaning for ever: retire one rather than reuse it.

use std::fmt;

/// The kinds of mistakes: the number, what it means in one line, and what it means and what to
/// do in a paragraph.
macro_rules! codes {
    ($($kind:ident = $id:literal, $title:literal, $explanation:literal;)*) => {
        /// A kind of mistake. Its number is stable.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, strum::VariantArray)]
        pub enum Code {
            $(#[doc = $title] $kind),*
        }

        impl Code {
            const fn entry(self) -> (&'static str, &'static str, &'static str) {
                match self {
                    $(Self::$kind => ($id, $title, $explanation)),*
                }
            }
        }
    };
}

codes! {
    Syntax = "PTO-C001", "not valid YAML",
        "The text breaks a rule of YAML itself, so nothing of the file could be read. Usual causes: a tab as indentation, a bracket or quote that is not closed, a `: ` inside a plain text (quote it), an alias without its anchor.";
    UnknownKey = "PTO-C002", "a key that the format does not have",
        "Keys are checked strictly, so that a misspelt one is never silently ignored. The message lists the keys that may stand there. `name`, `covers`, `gap`, `holes` and `expect` may not stand in `defaults`.";
    DuplicateKey = "PTO-C003", "a key given twice",
        "A mapping has each key once. Remove one of the two.";
    MissingKey = "PTO-C004", "a key is missing",
        "A case needs a `name`, and, of its own or from `defaults`, an `instruction` and its operands: `tile`, `index` and `table` of MSCATTER and MGATHER, `source` of TSCATTER and TGATHERB, each with its `shape`. The others follow from these unless they are given, as does the index of MGATHER to L1. All but the index take their element type from their own `dtype` or from that of the case.";
    WrongKind = "PTO-C005", "the wrong kind of value",
        "A mapping stands where a word is expected, a word where a list is expected, or the like. cases/README.md shows the form of every key.";
    TooComplex = "PTO-C006", "a document too deep or too large",
        "To answer before memory is gone, a file is limited to 16 nested containers and 500000 values (keys, words and containers), aliases expanded. Split the file, or make large data from a pattern or read it with `{npy: FILE}` in place of literals.";
    ManyDocuments = "PTO-C007", "more than one document",
        "A case file holds one YAML document. Put what follows `---` into a file of its own.";
    UnknownName = "PTO-C008", "a name that is not known",
        "The value must be one of a fixed set of names, spelt as the ISA spells them: `int32_t`, `RowMajor`, `Coalesce` modes `Row` and `Elem`, policies with a capital, targets and data patterns in small letters.";
    NotANumber = "PTO-C009", "not a whole number",
        "Extents, counts, sizes and seeds are whole decimal numbers, 0 or more. An extent that is known only at run time is written `dyn 9`.";
    OutOfLimits = "PTO-C010", "a number outside its limits",
        "Padded rows and columns, static extents of tensors, `fractal`, `chunks` and `hot.slots` are at least 1. A valid extent may be 0; an extent of a tensor may be 0 only as `dyn 0`. `chunks` is at most 4096, a stride at most 2^40, `fractal` at most 2^20, `dyn_ub` at most 2^40.";
    WrongLength = "PTO-C011", "a list of the wrong length",
        "The shape and valid extents of a tile have two entries, rows and columns. Shape and stride of a table, a scratch and the indices of MGATHER to L1, all of them tensors in GM, have five, outermost first.";
    ValidExceedsPadded = "PTO-C012", "more valid rows or columns than the tile has",
        "The valid region lies in the padded tile, so `valid` is at most `shape` in both entries, also where it is dynamic. A2/A3 and A5 reject a TSCATTER whose static extents break this (TSCATTER-SHAPE-01).";
    TooLarge = "PTO-C013", "operands larger than the harness takes",
        "All operands of a case together, with the data of all its chunks and with what the strides of the table span, take nine times their size where the case runs, and an element of the index takes 128 bytes more; all of that is at most 2048 MiB. The check is arithmetic: nothing of that size was allocated. Of a table of given `rows` only what is touched counts, and it spans at most 256 GiB. `expect` may give values to at most 65536 elements of an operand, and a file may name operands of at most 4194304 elements there, the values counted in.";
    LiteralDoesNotFit = "PTO-C014", "a literal that its element type cannot hold",
        "`values` takes decimal numbers: for an integer type a whole number in its range (`0x..` too), for a float type a number that does not round past the largest finite one, or `nan`, `inf`, `-inf` (`.nan`, `NaN`, `Infinity` and their like) where the type has them. Other fractions round to nearest even. `bits` takes raw bits no wider than the element, as `0x7C01` or decimal. A token of `expect` is such a value, with `0x7C01` as raw bits in a float type, or `_` for what was there, or `any`, or alternatives such as `1|2|_`.";
    LiteralCount = "PTO-C015", "too few or too many literals",
        "Literal data of a tile or an index gives every valid element of every chunk, in logical row-major order; that of a table or a scratch every element of its shape. A row of `rows` has at most its elements. A list in `expect` has a token for every element as it is stored, padding included, or for every element of its range.";
    BadName = "PTO-C016", "a name that cannot be used",
        "Names become parts of ids, file names and pages: 1 to 200 characters, nothing invisible, no `/` or `\\`, no white space at either end, no command of a CI job (`##`, a word and a `[`), and not `.` or `..`.";
    DuplicateCase = "PTO-C017", "two cases with one id",
        "A case is known by its id: suite, instruction and name for a mirrored case, else file stem and name. Two cases of a corpus may not share one. Rename one of the two.";
    NotApplicable = "PTO-C018", "a key or policy that the instruction does not have",
        "Each instruction, and each form of one, has its own keys; the message says whose the key is. `revision: first` takes MSCATTER's `mode` and `conflict` away, `location: Mat` gives MGATHER's tile a `scratch` and an `exec` and makes its index a tensor, `mask` gives TSCATTER an `axis` and takes its `index` away. `Skip` is an out-of-bounds policy of MSCATTER, `Zero` one of MGATHER.";
    BadClause = "PTO-C019", "not the number of a clause of the register",
        "Clauses and gaps are cited by their number in the register: `MSCATTER-ATOM-10`, in capitals, with a number at the end, 40 characters at most. The register has to have it: `harness/register` holds them all, a file a document.";
    UnknownReading = "PTO-C020", "a reading that does not exist",
        "`readings` maps a gap that is a parameter to one of its choices. `ptodiff gaps` lists them.";
    BadTargets = "PTO-C021", "targets that make no sense together",
        "`targets` names each target at most once and at least one. A target under `rejected`, `undefined` or `hangs` must be one that the case runs on, with at least one clause, each once. An entry of `expect` speaks of targets of the case: those named, or those that the other three do not name, or with an `answer` all; there must be one.";
    NoCases = "PTO-C022", "a file without cases",
        "`cases` is empty. A file that tests nothing is a mistake rather than a success. Only a file of `cases: []` and no more, as a hunt that finds nothing writes it, is passed over.";
    Unreadable = "PTO-C023", "a file or folder that cannot be read",
        "It is missing, is neither a file nor a folder, or the system rejects it.";
    NotText = "PTO-C024", "not UTF-8",
        "Case files are UTF-8 text. The message gives the first byte that is not; save the file again in that encoding.";
    FileTooLarge = "PTO-C025", "a file that is too large",
        "A case file is at most 16 MiB. Split it, or make large data from a pattern or read it with `{npy: FILE}` in place of literals.";
    NothingFound = "PTO-C026", "no case files found",
        "The folders that were given hold no `.yaml`, `.yml` or `.pto` file, so nothing would run.";
    NameUnparsed = "PTO-C027", "a name outside the grammar of the ST names",
        "A case with a `suite` carries the name that the ST suite gives it. MSCATTER and MGATHER: `case_`, the mode (`row`, `elem`, `elem2d`), the dtype, flags, policies, and sizes such as `8x32_64rows`. TSCATTER: two dtypes and two sizes, or `masked`, `col` or `mask` with a dtype, sizes and a mask. TGATHERB: a dtype and three sizes.";
    NameDiffers = "PTO-C028", "name and case say different things",
        "The ST name states something else than the case does. Correct the case; where the suite itself has the two differ, say so in `name_differs`.";
    NameAgrees = "PTO-C029", "`name_differs` without a difference",
        "The case excuses a difference between its name and itself, but the two agree. Remove `name_differs`.";
    BadCovers = "PTO-C030", "`covers` or `gap` with a number that cannot stand there",
        "`covers` names clauses of the instruction that the case covers, at least one and each once, and no gap: where the documents are silent nothing can be broken. `gap` names the one gap whose readings the case distinguishes.";
    BadExpectation = "PTO-C031", "an expectation that says nothing, or what cannot be",
        "An entry of `expect` names `trace`, `spelled`, an `outcome`, or an operand and what it holds. That all of it may hold `any` says something only beside an `answer`. Operands and traces are looked at after a result only. Patterns have a text.";
    BadAnswer = "PTO-C032", "an answer to no gap, or to one twice",
        "`answer` is the small letter that the register gives to a reading of the case's `gap`, as in `answer: b`. Without `gap` there is nothing to answer. For one target an answer says once what an operand holds, what is issued, what comes of the call, and how it is spelled in each way.";
    BadSlots = "PTO-C033", "elements that the operand does not have, or that are given twice",
        "The keys of an operand in `expect` are element numbers such as `7`, inclusive ranges such as `4-7`, and `rest` for all others, which has one token. Elements are counted from 0 in the order in which they stand in storage, padding included. Each is given once, and so is each alternative of a token. Rows of `data: {rows: ...}` are counted from 0 over the first four dimensions of the table.";
    BadHole = "PTO-C034", "not a hole, or one that cannot be here",
        "An entry of `holes` is the text that `ptodiff hunt` prints: kind, targets, clauses and place, as in `unchecked-precondition a5 MSCATTER-TILE-05 out-of-bounds-write`. Its targets are targets of the case, its clauses stand in the register, and each is given once.";
    NpyNotRead = "PTO-C035", "an `.npy` file that cannot be read",
        "`data: {npy: FILE}` names a plain file by its path from the folder of the case file. The path does not leave that folder: it is not absolute, has no `..`, and no link on it leads out. A case that stands in no file has none beside it.";
    NpyDoesNotFit = "PTO-C036", "an `.npy` file that does not fit the operand",
        "The array has the operand's type and extents: valid rows and columns of a tile, the five extents of a tensor, rows and columns of an NZ table, before them the number of chunks; leading extents of 1 may be left out. It is of NPY version 1.0, 2.0 or 3.0, in either byte order and in C or Fortran order, and ends with its data. bfloat16_t is stored as `<u2`, the 8-bit floats as `|u1`. Python objects, strings and structured elements are not read.";
    OldWord = "PTO-C037", "a word of an older version",
        "The format has a new word for this. The old one is still read, for one version; `ptodiff fix` rewrites files with the new words, in place, and keeps comments and layout.";
    NotMlir = "PTO-C038", "text that is not valid MLIR",
        "A `.pto` file is written in the syntax of MLIR. The mistake is where the message points, or before it: often a bracket is not closed, a quote is missing, or a comment begins with `#` in the place of `//`.";
    NotFollowed = "PTO-C039", "a value that nothing in the file says",
        "A case has extents that are numbers. They are followed through `arith.constant`, additions, multiplications and casts to `make_tensor_view`, `partition_view`, `alloc_tile` and `set_validshape`. What comes from elsewhere, an argument of the function or a load, is given with `--set NAME=N`. A valid extent that nobody gives is that of the whole tile.";
    BadOperation = "PTO-C040", "an operation that is not written as the assembler has it",
        "`pto.mgather ins(%mem, %idx : T, T) outs(%dst : T)`, `pto.mscatter ins(%src, %idx : T, T) outs(%mem : T)`, `pto.tscatter` and `pto.tgatherb` likewise; or the generic form `\"pto.mgather\"(%mem, %idx, %dst) : (T, T, T) -> ()`. The form of the documents with a result, `%dst = pto.mgather %mem, %idx : (T, T) -> T`, is not read. Each operand has its type, and the type is that of its definition; in a function it is defined before. Tables and indices in GM are views, the other operands are tiles.";
    NotHere = "PTO-C041", "a part of the ISA that ptodiff does not have",
        "ptodiff has the operations, operands and places that its five documents have. Predicated forms, tiles elsewhere than in `vec` and `mat`, and several cores are not among them.";
    NoElementType = "PTO-C042", "an element type that no document has",
        "A2/A3 and A5 reject an operand of this type. What the CPU simulator takes is not listed for all instructions, and ptodiff has no such elements. `ptodiff check` says so as a finding; no other command can make a case of it.";
    UnusedName = "PTO-C043", "a name that no operation asks for",
        "`--set` gives a number to a value that no constant says; `--data` gives data to operands by their names in the `.pto` file, without `%`. A name may have that of its function before it, as in `gather.rows`.";
    UnknownOperation = "PTO-C044", "an operation that is nearly one of the four instructions",
        "`pto.mgathr` is no operation of the dialect, and would be passed over as others are. If it is one of a later version, allow it: `ptodiff check --allow unknown-operation`. Other commands take only cases of the file that are named: their result would say nothing of the operation.";
    LoneReturn = "PTO-C045", "a carriage return that ends a line alone",
        "Lines end in a line feed, or in a carriage return and a line feed. YAML and MLIR do not agree on what one alone ends: what stands behind it could be a line, or a part of a comment. Save the file again with other line ends.";
    BadFailureGroup = "PTO-W001", "not the failure group of a violation",
        "A waiver is about one failure group, as `ptodiff gate` prints it: instruction, party or parties, place and clauses, as in `MSCATTER a5 valid MSCATTER-SEM-02`. It has no patterns. What clauses permit needs no waiver.";
    BadPair = "PTO-W002", "not a target, and not a pair of targets",
        "`pair` is what a violation is recorded under: one target, as in `a5`, or two in the order cpu, a2a3, a5, as in `cpu/a5`, each perhaps with a form, as in `a5/a5:Simt`. `*` is for a failure group that several have.";
    BadDay = "PTO-W003", "not a day",
        "`expires` is the last day (in UTC) on which a waiver holds, written as year, month and day: `2027-03-31`. The next day the gate fails on it.";
    BadCases = "PTO-W004", "cases of a waiver that say nothing",
        "`cases` lists the ids of the cases that show the failure group, at least one and each once. Without the key a waiver is about every case that shows it.";
    EmptyText = "PTO-W005", "a text that says nothing",
        "A waiver names its failure group, its cause, a reference and an owner. It stays until someone knows what it is for; an empty text helps nobody.";
    WaivedTwice = "PTO-W006", "a violation that is waived twice",
        "Two waivers hide the same failure group of the same case, so that one of them is of no use. Remove one, or let each list cases of its own.";
}

impl Code {
    /// The code as people cite it: `PTO-C012`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.entry().0
    }

    /// Whether it is about something that is read well, and keeps nothing from running.
    #[must_use]
    pub const fn is_warning(self) -> bool {
        matches!(self, Self::OldWord)
    }

    /// What it means, in one line.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.entry().1
    }

    /// What it means and what to do, in a paragraph.
    #[must_use]
    pub const fn explanation(self) -> &'static str {
        self.entry().2
    }

    /// The code that `text` cites: `PTO-C012` or `C012`, in either case.
    #[must_use]
    pub fn from_id(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_uppercase();
        let short = text.strip_prefix("PTO-").unwrap_or(&text);
        <Self as strum::VariantArray>::VARIANTS
            .iter()
            .copied()
            .find(|code| code.id().strip_prefix("PTO-") == Some(short))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// What `ptodiff explain CODE` prints; `None` if there is no such code.
#[must_use]
pub fn explain(code: &str) -> Option<String> {
    let code = Code::from_id(code)?;
    Some(format!(
        "{code}: {}\n\n{}\n",
        code.title(),
        code.explanation()
    ))
}
