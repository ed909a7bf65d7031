//! Ten faults, each planted into a right implementation that runs as a process, are told
//! right in the terminal, in JUnit and in Markdown: where, expected and got, how many, why.

use std::fs;

use tempfile::TempDir;

use crate::{
    common::{Done, folder_with, ptodiff},
    mine, tests,
};

tests!(
    ten_planted_faults_are_told_right_in_every_report,
    of_twelve_mistakes_of_engineers_ten_are_named,
);

/// A fault, the lines that must be told of it and the sentence that explains it.
struct Fault {
    behaviour: &'static str,
    /// Beginnings of lines that tell where it is, what is due and what came.
    lines: &'static [&'static str],
    /// What may be behind it, as an engineer would accept it; none of a crash.
    sentences: &'static [&'static str],
}

/// Lanes write 10, 20, ... 80 to slots 7, 5, 3, 1, 6, 4, 2, 0 of nine, to those in order, and to
/// all but the first.
fn cases(wide: [usize; 2]) -> TempDir {
    let case = |name: &str, more: &str| {
        format!(
            "  - name: {name}\n    instruction: MSCATTER\n    mode: Elem\n    dtype: int32_t\n    \
             tile: {{shape: [1, 8], data: {{values: [10, 20, 30, 40, 50, 60, 70, 80]}}}}\n    \
             index: {{shape: [1, 8], data: {{values: {more}}}}}\n    \
             table: {{shape: [1, 1, 1, 1, 9], data: {{values: [1, 2, 3, 4, 5, 6, 7, 8, 9]}}}}\n    \
             targets: [a5]\n"
        )
    };
    // More than a warp, and all less than what stands there.
    let wide = format!(
        "  - name: wide\n    instruction: MSCATTER\n    mode: Elem\n    dtype: int32_t\n    \
         tile: {{shape: {wide:?}, data: arange}}\n    index: {{shape: {wide:?}, data: seq}}\n    \
         table: {{shape: [1, 1, 1, 1, 56], data: {{values: {:?}}}}}\n    targets: [a5]\n",
        vec![1000; 56]
    );
    folder_with(&format!(
        "cases:\n{}{}{}{wide}",
        case("turned", "[7, 5, 3, 1, 6, 4, 2, 0]"),
        case("in_order", "[0, 1, 2, 3, 4, 5, 6, 7]"),
        case("from_one", "[8, 7, 6, 5, 4, 3, 2, 1]"),
    ))
}

const FAULTS: [Fault; 10] = [
    Fault {
        behaviour: "plant-nothing",
        lines: &[
            "  slot       table [0, 0, 0, 0, 0], byte 0; 8 of 9 slots are wrong",
            "  got        1 (0x00000001) from a5:mine, as it was before the call",
        ],
        sentences: &["writes nothing"],
    },
    Fault {
        behaviour: "plant-zeros",
        lines: &["  got        0 (0x00000000) from a5:mine"],
        sentences: &["writes zeros in place of the values"],
    },
    Fault {
        behaviour: "plant-bytes",
        lines: &[
            "  expected   80 (0x00000050)",
            "  got        1342177280 (0x50000000) from a5:mine",
        ],
        sentences: &["writes elements in the other byte order"],
    },
    Fault {
        behaviour: "plant-far",
        lines: &[
            "  got        1 (0x00000001) from a5:mine, as it was before the call",
            "  whose      that of tile (0, 7) is due",
        ],
        sentences: &[
            "writes each element one slot too far",
            "takes the slot after the one that an index says",
        ],
    },
    Fault {
        behaviour: "plant-last",
        lines: &["; 1 of 9 slots are wrong"],
        sentences: &[
            "leaves out the last element that is to be written",
            "leaves out the last column",
        ],
    },
    Fault {
        behaviour: "plant-first",
        lines: &[
            "  slot       table [0, 0, 0, 0, 0], byte 0; 1 of 9 slots are wrong",
            "  got        1 (0x00000001) from a5:mine, as it was before the call",
        ],
        sentences: &["leaves out the first element that is to be written"],
    },
    Fault {
        behaviour: "plant-neighbours",
        lines: &[
            "  got        40 (0x00000028) from a5:mine",
            "  whose      the value of tile (0, 3); that of tile (0, 7) is due",
            "  writers    index 0 at (0, 7)",
        ],
        sentences: &[
            "exchanges neighbouring elements",
            "exchanges even and odd slots",
        ],
    },
    Fault {
        behaviour: "plant-index",
        lines: &["; 8 of 9 slots are wrong"],
        sentences: &["multiplies an index, or an offset, by the bytes of an element"],
    },
    Fault {
        behaviour: "plant-kept",
        lines: &[
            "  slot       table [0, 0, 0, 0, 8], byte 32; 1 of 9 slots are wrong",
            "  expected   9 (0x00000009), as it was: nothing may write here",
            "  got        0 (0x00000000) from a5:mine",
        ],
        sentences: &["zeroes what it does not write"],
    },
    Fault {
        behaviour: "plant-crash",
        lines: &[
            "  found      the implementation ended with code 3: lane 5 fell",
            "  stderr     lane 5 fell",
        ],
        sentences: &[],
    },
];

fn ten_planted_faults_are_told_right_in_every_report() {
    let folder = cases([2, 24]);
    let mut bad = Vec::new();
    for Fault {
        behaviour,
        lines,
        sentences,
    } in FAULTS
    {
        let done = run(&folder, behaviour);
        let read = |name: &str| {
            fs::read_to_string(folder.path().join("out").join(name)).expect("a report")
        };
        let junit = read("junit.xml").replace("&apos;", "'");
        for (face, text) in [
            ("terminal", &done.out),
            ("JUnit", &junit),
            ("Markdown", &read("summary.md")),
        ] {
            for line in lines.iter().filter(|line| !text.contains(**line)) {
                bad.push(format!("{behaviour}: `{line}` is not in {face}:\n{text}"));
            }
            let brief = "message=\"table [0, 0, 0, 0, 0], byte 0: \
                 expected 80 (0x00000050), got 1 (0x00000001) from a5:mine\"";
            if behaviour == "plant-nothing" && face == "JUnit" && !text.contains(brief) {
                bad.push(format!("{brief} is not in {face}:\n{text}"));
            }
            let explained = |sentence: &&str| text.contains(&format!("  diagnosis  {sentence}"));
            if !sentences.is_empty() && !sentences.iter().any(explained) {
                bad.push(format!(
                    "{behaviour}: {face} does not name the mistake:\n{text}"
                ));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n\n"));
}

/// Twelve mistakes as engineers make them, and what must be said of each: of ten the mistake,
/// which is then all that is wrong; of the last two as much as is known.
const MADE: [(&str, &str); 12] = [
    ("low12", "keeps the lower 12 bits of an index"),
    ("int8", "keeps the lower 8 bits of an index, with a sign"),
    ("pairs", "exchanges even and odd slots"),
    ("no_zero", "takes an index of 0 for none"),
    ("no_value", "does not write a value of 0"),
    ("late", "takes the index of the lane before"),
    ("values_late", "takes the value of the lane before"),
    (
        "mirrored",
        "takes the index of the last lane for the first, and so on",
    ),
    ("halves", "exchanges the halves of an element"),
    ("warp", "runs the first 32 lanes only"),
    // It takes 0 for the first slot, too.
    (
        "from_one",
        "takes the slot before the one that an index says: explains 3 of 4 failures",
    ),
    ("saturated", "nothing known explains it"),
];

/// What a run of `a.yaml` against a mock with these faults comes to.
fn run(folder: &TempDir, faults: &str) -> Done {
    let implementation = mine(faults);
    let own = ["run", "a.yaml", "--out", "out", "--as", "a5"];
    let more = ["--diagnosis", "10m", "--impl", &implementation];
    let done = ptodiff(folder.path(), &[&own[..], &more].concat());
    assert_eq!(done.code, 1, "{faults}: {}{}", done.out, done.err);
    done
}

fn of_twelve_mistakes_of_engineers_ten_are_named() {
    let folder = cases([1, 40]);
    let file = folder.path().join("a.yaml");
    let far = "cases:\n  - name: far\n    instruction: MSCATTER\n    mode: Elem\n    dtype: int32_t\n    \
         tile: {shape: [1, 8], data: {values: [10, 20, 30, 40, 50, 60, 70, 80000]}}\n    \
         index: {shape: [1, 8], data: {values: [0, 1, 138, 3, 4, 5, 6, 5386]}}\n    \
         table: {shape: [1, 1, 1, 1, 5400]}\n    targets: [a5]\n";
    let few = fs::read_to_string(&file).expect("cases");
    let mut wrong = String::new();
    for (mistake, says) in MADE {
        let is_far = matches!(mistake, "low12" | "int8" | "saturated");
        fs::write(&file, if is_far { far } else { &few }).expect("a file");
        let done = run(&folder, &format!("plant-{mistake}"));
        let lines = done.out.lines();
        let mut lines = lines.filter_map(|line| line.strip_prefix("  diagnosis  "));
        let line = lines.next().unwrap_or_default();
        let whole = ["1 of 1", "3 of 3", "4 of 4"].iter().any(|all| {
            let all = format!("{says}: explains {all} failure");
            line.starts_with(&all) && line.contains("contradicts none")
        });
        let as_much = MADE[10..].iter().any(|(partly, _)| *partly == mistake);
        if !(whole || as_much && line.starts_with(says)) {
            wrong.push_str(&format!("{mistake}: {line}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
