//! What people reported about scatters, and what a run, a judged array and a comparison
//! must say of it: each case has the essence of a report, in values of our own, and what
//! must be said was worked out from the documents.

use std::fs;

use ptodiff_data::npy;
use ptodiff_isa::DType;
use tempfile::TempDir;

use crate::{
    common::{Done, folder_with, ptodiff},
    mine, tests,
    verdicts::record,
};

tests!(
    a_kernel_and_a_golden_follow_two_readings_of_a_negative_index,
    elements_of_two_bytes_in_the_wrong_row_are_told_with_their_slot,
    an_index_of_a_scatter_is_a_flat_offset_and_in_another_edition_a_row,
    a_launch_through_a_pointer_never_returns_and_nothing_was_tested,
    of_repeated_indices_several_results_are_permitted,
    any_of_three_lanes_may_win_and_under_last_the_largest_must,
    a_zero_of_the_policy_is_due_from_nowhere,
    every_order_of_float_additions_is_permitted_and_a_lost_one_is_not,
    a_row_beyond_4_gib_is_told_and_run,
);

fn run(folder: &TempDir, more: &[&str]) -> Done {
    ptodiff(
        folder.path(),
        &[
            &[
                "run",
                "a.yaml",
                "--out",
                "out",
                "--jobs",
                "1",
                "--diagnosis",
                "0",
            ],
            more,
        ]
        .concat(),
    )
}

/// Judges an array of these bytes as the result of a case.
fn judge(folder: &TempDir, case: &str, (dtype, data): (DType, &[u8]), target: &str) -> Done {
    let mut bytes = Vec::new();
    let elements = (data.len() / dtype.size()) as u64;
    npy::write(&mut bytes, dtype, &[elements], data).expect("an array");
    fs::write(folder.path().join("left.npy"), bytes).expect("written");
    ptodiff(
        folder.path(),
        &[
            "judge", case, "left.npy", "--as", target, "--cases", "a.yaml",
        ],
    )
}

fn int32(values: &[i32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

fn has(done: &Done, parts: &[&str]) {
    for part in parts {
        assert!(
            done.out.contains(part),
            "`{part}` is not in\n{}{}",
            done.out,
            done.err
        );
    }
}

/// Skip asks `-1 < 8` of a signed index and writes before the table; Clamp and Wrap keep
/// -1 and -3 negative. The golden takes 0 for what Clamp leaves negative, and is right of
/// the other two.
fn a_kernel_and_a_golden_follow_two_readings_of_a_negative_index() {
    let case = |oob: &str, index: i32| {
        format!(
            "  - {{name: {oob}, instruction: MSCATTER, mode: Elem, oob: {oob}, dtype: int32_t, \
             tile: {{shape: [1, 8], valid: [1, 3], data: {{values: [7, 8, 9]}}}}, \
             index: {{shape: [1, 8], valid: [1, 3], data: {{values: [2, {index}, 5]}}}}, \
             table: {{shape: [1, 1, 1, 1, 8]}}, targets: [a2a3, a5]}}\n"
        )
    };
    let folder = folder_with(&format!(
        "cases:\n{}{}{}",
        case("Skip", -1),
        case("Clamp", -1),
        case("Wrap", -3)
    ));
    let all = ["--readings", "all", "--show", "readings", "--as", "a2a3"];
    let with = |reading: &str| {
        let own = mine(&format!("reads-negative-index={reading}"));
        run(&folder, &[&all[..], &["--impl", &own]].concat())
    };
    let kernel = with("signed");
    assert_eq!(kernel.code, 1, "{}", kernel.err);
    has(
        &kernel,
        &[
            "MSCATTER a2a3:mine guard",
            "negative-index: unsigned -> signed, 3 cases: violation becomes agree",
        ],
    );
    let golden = with("intended");
    assert_eq!(golden.code, 1, "{}", golden.err);
    has(
        &golden,
        &["negative-index: unsigned -> intended, 1 case: violation becomes agree"],
    );
    // Whoever takes that reading is told what it means. A5 with Last stores to slots alone.
    let signed = [
        "--reading",
        "negative-index=signed",
        "--status-level",
        "all",
    ];
    let done = run(&folder, &signed);
    assert_eq!(done.code, 0, "{}", done.err);
    let excused = "(a2a3: 1 out-of-bounds access, which a clause excuses)";
    assert_eq!(done.out.matches(excused).count(), 3, "{}", done.out);
}

/// Row 3 gets what row 2 should: of `half`, and not of `float`.
fn elements_of_two_bytes_in_the_wrong_row_are_told_with_their_slot() {
    let case = |dtype: &str, index: &str| {
        let rows: Vec<String> = (48..64).chain(16..32).map(|n: u32| n.to_string()).collect();
        format!(
            "  - {{name: {dtype}, instruction: TSCATTER, dtype: {dtype}, \
             source: {{shape: [2, 16], data: arange}}, \
             index: {{dtype: {index}, shape: [2, 16], data: {{values: [{}]}}}}, \
             destination: {{shape: [4, 16], data: poison}}}}\n",
            rows.join(", ")
        )
    };
    let folder = folder_with(&format!(
        "cases:\n{}{}",
        case("half", "int16_t"),
        case("float", "int32_t")
    ));
    let own = mine("two-byte-rows");
    let done = run(&folder, &["--impl", &own, "--as", "a5"]);
    assert_eq!(done.code, 1, "{}", done.err);
    has(
        &done,
        &[
            "violation TSCATTER a5:mine valid TSCATTER-SEM-",
            "a/half",
            "FAILED  1 of 2 cases",
            // Nothing was meant for row 0, where the second row of the source is.
            "destination (0, 0), byte 0",
            "16.0 (0x4c00) from a5:mine",
            "the value of source (1, 0)",
        ],
    );
    let verdicts: Vec<_> = record(folder.path())
        .iter()
        .map(|case| case["targets"]["a5:mine"]["verdict"].clone())
        .collect();
    assert_eq!(verdicts, ["violates", "conforms"]);
}

/// All sixteen indices are 1: slot 1, or all columns of row 1.
fn an_index_of_a_scatter_is_a_flat_offset_and_in_another_edition_a_row() {
    let case = |name: &str, more: &str, expected: &str| {
        format!(
            "  - name: {name}\n    instruction: TSCATTER\n    dtype: half\n    \
             source: {{shape: [1, 16], data: {{values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]}}}}\n    \
             index: {{dtype: int16_t, shape: [1, 16], data: {{values: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}}}}\n    \
             destination: {{shape: [2, 16], data: zeros}}\n{more}    expect:\n      - destination: {expected}\n"
        )
    };
    let any = "{1: 1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16, rest: _}";
    let row = "{16: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16], rest: _}";
    let folder = folder_with(&format!(
        "cases:\n{}{}",
        case("flat", "", any),
        case("row", "    readings: {tscatter-index: row}\n", row)
    ));
    let done = run(&folder, &[]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let own = mine("reads-tscatter-index=row");
    let done = run(
        &folder,
        &["--impl", &own, "--as", "a5", "--filter", "=a/flat"],
    );
    assert_eq!(done.code, 1, "{}", done.err);
    has(
        &done,
        &["destination (1, 0), byte 32", "1.0 (0x3c00) from a5:mine"],
    );
    let editions = ["diff", "--editions", "documents,spec-0.58", "a.yaml"];
    let done = ptodiff(folder.path(), &editions);
    assert_eq!(done.code, 0, "{}", done.err);
    has(&done, &["tscatter-index=row", "other bytes", "a/flat"]);
}

fn a_launch_through_a_pointer_never_returns_and_nothing_was_tested() {
    let case = |name: &str, valid: &str| {
        format!(
            "  - {{name: {name}, instruction: MSCATTER, mode: Elem, dtype: int32_t, \
             tile: {{shape: [1, 8], valid: {valid}}}, index: {{shape: [1, 8], valid: {valid}, data: seq}}, \
             table: {{shape: [1, 1, 1, 1, 16]}}, launch: {{dispatch: Direct}}, targets: [a5]}}\n"
        )
    };
    let folder = folder_with(&format!(
        "cases:\n{}{}",
        case("many", "[1, 4]"),
        case("one", "[1, 1]")
    ));
    let done = run(&folder, &["--filter", "=a/many", "--status-level", "all"]);
    assert_eq!(done.code, 3, "{}{}", done.out, done.err);
    has(&done, &["a5 hangs by MSCATTER-LAUNCH-10", "NOTHING TESTED"]);
    let done = run(&folder, &["--filter", "=a/one"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let done = ptodiff(folder.path(), &["check", "a.yaml"]);
    assert_eq!(done.code, 1, "{}", done.err);
    has(
        &done,
        &[
            "error hang a5: MSCATTER-LAUNCH-10 it never returns",
            "[a/many]",
        ],
    );
    assert!(!done.out.contains("[a/one]"), "{}", done.out);
}

/// The board's result is another one than the golden's, and both are right; without
/// repeats there is one.
fn of_repeated_indices_several_results_are_permitted() {
    let case = |name: &str, data: &str| {
        format!(
            "  - {{name: {name}, instruction: TSCATTER, dtype: float, source: {{shape: [4, 16], data: distinct}}, \
             index: {{dtype: uint32_t, shape: [4, 16], data: {data}}}}}\n"
        )
    };
    let folder = folder_with(&format!(
        "cases:\n{}{}",
        case("repeats", "random"),
        case("once", "permutation")
    ));
    let board = mine("right");
    let told = [
        "--impl",
        &board,
        "--as",
        "a5",
        "--show",
        "permitted",
        "--status-level",
        "all",
    ];
    let done = run(&folder, &told);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    has(
        &done,
        &[
            "permitted  a/repeats",
            "TSCATTER-CONF-02",
            "destination (",
            "agree  a/once",
        ],
    );
}

fn any_of_three_lanes_may_win_and_under_last_the_largest_must() {
    let case = |name: &str| {
        format!(
            "  - {{name: {name}, instruction: MSCATTER, mode: Elem, conflict: {name}, dtype: int32_t, \
             tile: {{shape: [1, 8], valid: [1, 5], data: {{values: [21, 22, 23, 24, 25]}}}}, \
             index: {{shape: [1, 8], valid: [1, 5], data: {{values: [4, 6, 6, 6, 0]}}}}, \
             table: {{shape: [1, 1, 1, 1, 8], data: arange}}}}\n"
        )
    };
    let folder = folder_with(&format!("cases:\n{}{}", case("Default"), case("Last")));
    let judged = |case: &str, sixth: i32| {
        let left = int32(&[25, 1, 2, 3, 21, 5, sixth, 7]);
        judge(&folder, &format!("a/{case}"), (DType::Int32, &left), "a5")
    };
    for winner in [22, 23, 24] {
        assert_eq!(judged("Default", winner).code, 0, "{winner}");
    }
    let wrong = judged("Default", 21);
    assert_eq!(wrong.code, 1, "{}", wrong.err);
    has(
        &wrong,
        &[
            "table [0, 0, 0, 0, 6], byte 24",
            "one of 22 (0x00000016), 23 (0x00000017), 24 (0x00000018)",
            "index 6 at (0, 1) (0, 2) (0, 3)",
        ],
    );
    assert_eq!(judged("Last", 24).code, 0);
    let wrong = judged("Last", 22);
    assert_eq!(wrong.code, 1, "{}", wrong.err);
    has(
        &wrong,
        &["the value of tile (0, 1); that of tile (0, 3) is due"],
    );
    // The CPU simulator and A2/A3 have the last one anyway.
    let done = ptodiff(folder.path(), &["check", "a.yaml"]);
    has(
        &done,
        &[
            "warning dropped-policy a2a3: MSCATTER-CONF-10",
            "[a/Default]",
        ],
    );
}

/// Index 9 is beyond the eight elements, the first of which is 0, too.
fn a_zero_of_the_policy_is_due_from_nowhere() {
    let folder = folder_with(
        "cases:\n  - {name: zero, instruction: MGATHER, mode: Elem, oob: Zero, dtype: int32_t, \
         tile: {shape: [1, 8]}, index: {shape: [1, 8], data: {values: [9, 1, 2, 3, 4, 5, 6, 7]}}, \
         table: {shape: [1, 1, 1, 1, 8], data: arange}}\n",
    );
    let judged = |left: &[i32]| judge(&folder, "a/zero", (DType::Int32, &int32(left)), "a5");
    assert_eq!(judged(&[0, 1, 2, 3, 4, 5, 6, 7]).code, 0);
    let zero = judged(&[5, 1, 2, 3, 4, 5, 6, 7]);
    has(&zero, &["the value of table [0, 0, 0, 0, 5]"]);
    assert!(!zero.out.contains("is due"), "{}", zero.out);
    let other = judged(&[0, 5, 2, 3, 4, 5, 6, 7]);
    has(&other, &["that of table [0, 0, 0, 0, 1] is due"]);
}

/// Five values and the 0.25 that stands there, added in another order each time.
fn every_order_of_float_additions_is_permitted_and_a_lost_one_is_not() {
    const VALUES: [f32; 5] = [1000.125, 0.0001, -999.5, 3.3333, 250.75];
    let folder = folder_with(
        "cases:\n  - {name: add, instruction: MSCATTER, mode: Elem, atomic: Add, dtype: float, \
         tile: {shape: [1, 8], valid: [1, 5], data: {values: [1000.125, 0.0001, -999.5, 3.3333, 250.75]}}, \
         index: {shape: [1, 8], valid: [1, 5], data: {values: [5, 5, 5, 5, 5]}}, \
         table: {shape: [1, 1, 1, 1, 8], data: {values: [0, 0, 0, 0, 0, 0.25, 0, 0]}}, targets: [a2a3, a5]}\n",
    );
    let judged = |sum: f32| {
        let left = [0.0, 0.0, 0.0, 0.0, 0.0, sum, 0.0, 0.0];
        let left: Vec<u8> = left.iter().flat_map(|value| value.to_le_bytes()).collect();
        judge(&folder, "a/add", (DType::Float, &left), "a5")
    };
    let sum = |order: [usize; 5]| order.iter().fold(0.25_f32, |sum, n| sum + VALUES[*n]);
    let orders = [
        [0, 1, 2, 3, 4],
        [4, 3, 2, 1, 0],
        [1, 3, 0, 4, 2],
        [2, 4, 0, 3, 1],
    ];
    let mut sums: Vec<u32> = orders.iter().map(|order| sum(*order).to_bits()).collect();
    for bits in &sums {
        assert_eq!(judged(f32::from_bits(*bits)).code, 0, "{bits:x}");
    }
    sums.sort_unstable();
    sums.dedup();
    assert!(sums.len() > 1, "the order makes no difference");
    // Lost: 250.75, and the smallest, which is a hundred times what rounding makes of it.
    let lost = [
        sum([0, 1, 2, 3, 4]) - VALUES[4],
        0.25 + 1000.125 - 999.5 + 3.3333 + 250.76,
    ];
    for sum in lost {
        let done = judged(sum);
        assert_eq!(done.code, 1, "{sum}: {}", done.out);
        has(&done, &["MSCATTER-ATOM-"]);
    }
}

/// Row 40000 of rows that lie 65536 halves apart: 40000 * 65536 * 2 bytes.
fn a_row_beyond_4_gib_is_told_and_run() {
    let folder = folder_with(
        "cases:\n  - {name: high, instruction: MSCATTER, mode: Row, dtype: half, tile: {shape: [1, 16]}, \
         index: {shape: [1, 8], valid: [1, 1], data: {values: [40000]}}, \
         table: {shape: [1, 1, 1, 40001, 16], stride: [1, 1, 1, 65536, 1]}, targets: [a2a3]}\n",
    );
    let done = ptodiff(folder.path(), &["check", "a.yaml"]);
    assert_eq!(
        done.out.lines().next(),
        Some(
            "a.yaml:2:12 remark wide-offset row 40000 begins 5242880000 bytes behind the table's \
             first element, beyond 2^31: offsets into it take 64 bits [a/high]"
        )
    );
    assert_eq!(done.code, 0, "{}", done.err);
    let right = mine("right");
    let done = run(&folder, &["--impl", &right, "--as", "a2a3"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    let verdict = |n: usize| record(folder.path())[n]["targets"]["a2a3:mine"]["verdict"].clone();
    assert_eq!(verdict(0), "conforms");
    // One that says nothing of sparse tables is not asked.
    let whole = mine("one-slot");
    let done = run(&folder, &["--impl", &whole, "--as", "a2a3"]);
    assert_eq!(done.code, 3, "{}{}", done.out, done.err);
    let none = "the implementation a2a3:mine: it ran none of 1 case";
    assert!(done.err.contains(none), "{}", done.err);
    assert_eq!(verdict(0), "unsupported");
    // Offsets that wrap at 32 bits: 5242880000 - 2^32.
    let narrow = mine("narrow-offsets");
    let done = run(&folder, &["--impl", &narrow, "--as", "a2a3"]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    has(&done, &["table [0, 0, 0, 40000, 0], byte 5242880000"]);
}
