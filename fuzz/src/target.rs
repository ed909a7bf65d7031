//! The fuzz targets, by name: what each makes of bytes, and what it asks of that.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ptodiff_asm::parse;
use ptodiff_case::{Style, case_yaml, load_str, st_name};
use ptodiff_contract::permits;
use ptodiff_data::npy;
use ptodiff_impl::{frame::Collector, message::Reply};
use ptodiff_isa::Instruction;
use strum::VariantArray as _;

use crate::input::{self, Recipe};
use crate::oracle::{self, Finding};
use crate::seeds::Seed;

/// A fuzz target.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name: that of its binary and of its corpus.
    pub name: &'static str,
    /// What it makes of bytes.
    pub reads: Reads,
    /// Looks for what is wrong with what bytes stand for.
    pub run: fn(&[u8]) -> Finding,
}

/// What a target makes of bytes.
#[derive(Clone, Copy)]
pub enum Reads {
    /// A case.
    Case(Recipe),
    /// A case or a text: [`input::is_case`] distinguishes them.
    CaseOrText(Recipe, Says),
    /// A text.
    Text(Says),
    /// Bytes that are no text.
    Bytes(SaysOfBytes),
    /// The number of a small mirrored case in two bytes, little-endian, and
    /// what fills the files of its folder.
    Folder,
}

/// What the reader of a text says of it.
pub type Says = fn(&str) -> String;

/// What the reader of bytes says of them.
pub type SaysOfBytes = fn(&[u8]) -> String;

/// Every model against the contract and the others, on any case under one schedule.
pub const DIFFERENTIAL: Target = Target {
    name: "differential",
    reads: Reads::Case(Recipe::ANY),
    run: |bytes| {
        let input = input::read(bytes, &Recipe::ANY);
        oracle::differential::explained(&input, &ptodiff_runner::models())
    },
};

/// Cases that break rules: a hole that shows must be known.
pub const HOLES: Target = Target {
    name: "holes",
    reads: Reads::Case(Recipe::LAWLESS),
    run: |bytes| {
        let case = input::read(bytes, &Recipe::LAWLESS).case;
        oracle::holes::all_known(&case, oracle::holes::here())
    },
};

/// The contract against every order of stores, on small legal cases.
pub const CONTRACT: Target = Target {
    name: "contract",
    reads: Reads::Case(Recipe::LEGAL),
    run: |bytes| {
        let case = input::read(bytes, &Recipe::LEGAL).case;
        oracle::contract::any_case(&case, &permits)
    },
};

/// The case reader, on any text.
pub const CASE_READER: Target = Target {
    name: "case_reader",
    reads: Reads::Text(|text| match load_str("fuzz.yaml", text) {
        Ok(corpus) => format!("{} cases", corpus.cases.len()),
        Err(error) => error.render(Style::Plain),
    }),
    run: |bytes| oracle::case_reader::any_text(input::text(bytes), &case_yaml),
};

/// The grammars of ST names, on any text.
pub const ST_NAME: Target = Target {
    name: "st_name",
    reads: Reads::Text(|text| {
        let said = Instruction::VARIANTS.iter().map(|instruction| {
            match st_name::parse(*instruction, text) {
                Ok(name) => format!("{instruction}: {name:?}"),
                Err(why) => format!("{instruction}: {why}"),
            }
        });
        said.collect::<Vec<_>>().join("\n")
    }),
    run: |bytes| oracle::st_name::any_text(input::text(bytes), &st_name::parse),
};

/// The assembly reader, on any text and on the forms of any call.
pub const ASM: Target = Target {
    name: "asm",
    reads: Reads::CaseOrText(Recipe::ANY, |text| match parse(text) {
        Ok(call) => format!("{call:?}"),
        Err(mistake) => mistake.to_string(),
    }),
    run: |bytes| {
        if input::is_case(bytes) {
            let case = input::read(bytes, &Recipe::ANY).case;
            oracle::asm::any_call(&case.call, &parse)
        } else {
            oracle::asm::any_text(input::text(bytes), &parse)
        }
    },
};

/// The judge, on what the models do and what else they might have done.
pub const JUDGE: Target = Target {
    name: "judge",
    reads: Reads::Case(Recipe::UNCHANGED),
    run: |bytes| oracle::judge::consistent(bytes, &ptodiff_judge::judge_case),
};

/// The reader of arrays, on any bytes.
pub const NPY: Target = Target {
    name: "npy",
    reads: Reads::Bytes(|mut bytes| format!("{:?}", npy::Header::read(&mut bytes))),
    run: |bytes| {
        oracle::npy::any_bytes(bytes, |from, dtype, extents| {
            npy::read(from, dtype, extents)
        })
    },
};

/// How a record of today begins.
const OF_TODAY: &str = "{\"ptodiff_record\":6,";

/// The reader of records and the faces of what it reads, on any text.
pub const RECORD: Target = Target {
    name: "record",
    reads: Reads::Text(|text| match ptodiff_record::read(text.as_bytes()) {
        Ok((_, cases)) => format!("{} cases", cases.len()),
        Err(why) => why.to_string(),
    }),
    run: |bytes| {
        // With checksums that are right, or nothing behind them would be reached.
        let own = std::str::from_utf8(bytes).ok();
        let own = own.filter(|text| text.starts_with(OF_TODAY));
        let sealed = own.map(ptodiff_record::sealed);
        let bytes = sealed.as_ref().map_or(bytes, |text| text.as_bytes());
        oracle::record::any_text(bytes, oracle::record::FACES)
    },
};

/// The reader of an implementation's answers, on any bytes.
pub const ANSWER: Target = Target {
    name: "answer",
    reads: Reads::Bytes(|bytes| {
        let mut frame = Collector::default();
        let taken = frame.take(bytes, oracle::answer::ROOM);
        format!("{taken:?} bytes taken, {:?}", frame.header::<Reply>())
    }),
    run: |bytes| oracle::answer::any_bytes(bytes, oracle::answer::in_pieces),
};

/// The files of a data folder, on whatever they hold.
pub const ST_FOLDER: Target = Target {
    name: "st_folder",
    reads: Reads::Folder,
    run: |bytes| oracle::st_folder::any_bytes(bytes, |file, bytes| file.unpacked(bytes)),
};

/// All of them, by name.
pub const TARGETS: &[Target] = &[
    ANSWER,
    ASM,
    CASE_READER,
    CONTRACT,
    DIFFERENTIAL,
    HOLES,
    JUDGE,
    NPY,
    RECORD,
    ST_FOLDER,
    ST_NAME,
];

impl Target {
    /// The target of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        TARGETS.iter().find(|target| target.name == name).copied()
    }

    /// Runs it, for libFuzzer.
    ///
    /// # Panics
    /// With what it finds: libFuzzer keeps the bytes then.
    pub fn fuzz(&self, bytes: &[u8]) {
        if let Err(why) = (self.run)(bytes) {
            panic!("{}: {why}", self.name);
        }
    }

    /// Runs it, and takes a panic on the way for a finding too.
    ///
    /// # Errors
    /// What it finds.
    pub fn find(&self, bytes: &[u8]) -> Finding {
        let run = AssertUnwindSafe(|| (self.run)(bytes));
        catch_unwind(run).unwrap_or_else(|cause| {
            let text = cause.downcast_ref::<&str>().copied();
            let text = text.or_else(|| cause.downcast_ref::<String>().map(String::as_str));
            Err(format!("panicked: {}", text.unwrap_or("no message")))
        })
    }

    /// The first of `inputs` with which something is wrong, and what.
    #[must_use]
    pub fn first_wrong<'a>(&self, inputs: &'a [Seed]) -> Option<(&'a Seed, String)> {
        let wrong = |input: &'a Seed| Some((input, self.find(&input.1).err()?));
        inputs.iter().find_map(wrong)
    }
}
