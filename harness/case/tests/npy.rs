//! Literal data from `.npy` files beside a case file.

use std::fs;
use std::path::Path;

use ptodiff_case::{Case, Code, Fill, IndexPattern, Style, case_yaml, load, load_str};
use ptodiff_data::npy;
use ptodiff_isa::DType;
use tempfile::TempDir;

/// A folder with arrays for the case below.
fn folder() -> TempDir {
    let at = tempfile::tempdir().unwrap();
    array(
        &at.path().join("table.npy"),
        DType::Half,
        &[4, 3],
        &(0..24).collect::<Vec<u8>>(),
    );
    array(
        &at.path().join("index.npy"),
        DType::Int32,
        &[2],
        &[3, 0, 0, 0, 1, 0, 0, 0],
    );
    at
}

fn array(path: &Path, dtype: DType, extents: &[u64], data: &[u8]) {
    let mut bytes = Vec::new();
    npy::write(&mut bytes, dtype, extents, data).unwrap();
    fs::write(path, bytes).unwrap();
}

fn text(table: &str, index: &str) -> String {
    format!(
        "cases:\n  - name: a\n    instruction: MGATHER\n    dtype: half\n    \
         tile: {{shape: [2, 16], valid: [2, 3]}}\n    \
         index: {{shape: [1, 8], valid: [1, 2], data: {{npy: {index}}}}}\n    \
         table: {{shape: [1, 1, 1, 4, 3], data: {{npy: {table}}}}}\n"
    )
}

fn read(at: &TempDir, text: &str) -> Result<Case, (Code, String)> {
    let path = at.path().join("a.yaml");
    fs::write(&path, text).unwrap();
    match load(&[path]) {
        Ok(mut corpus) => Ok(corpus.cases.remove(0)),
        Err(error) => {
            let first = error.diagnostics().remove(0);
            let span = &first.place.as_ref().expect("a place").span;
            let at = format!("{}:{}: {}", span.line, span.column, first.message);
            assert!(!error.render(Style::Plain).contains('\u{1b}'));
            Err((first.code, at))
        }
    }
}

#[test]
fn data_is_what_stands_in_the_files_and_is_written_as_literals() {
    let at = folder();
    let case = read(&at, &text("table.npy", "index.npy")).unwrap();
    assert_eq!(case.data.table, Fill::Literal((0..24).collect()));
    let index = vec![3, 0, 0, 0, 1, 0, 0, 0];
    assert_eq!(case.data.index, IndexPattern::Literal(index));
    // What is written needs no file any more.
    let again = load_str("a.yaml", &case_yaml(&case))
        .unwrap()
        .cases
        .remove(0);
    assert_eq!(again.data, case.data);
}

#[test]
fn a_file_below_the_folder_will_do_and_a_link_that_stays_in_it() {
    let at = folder();
    fs::create_dir(at.path().join("deep")).unwrap();
    fs::rename(at.path().join("table.npy"), at.path().join("deep/t.npy")).unwrap();
    assert!(read(&at, &text("deep/t.npy", "index.npy")).is_ok());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("deep/t.npy", at.path().join("link.npy")).unwrap();
        assert!(read(&at, &text("link.npy", "index.npy")).is_ok());
    }
}

#[test]
fn what_cannot_be_read_is_said_where_it_is_named() {
    let at = folder();
    let outside = tempfile::tempdir().unwrap();
    array(
        &outside.path().join("t.npy"),
        DType::Half,
        &[4, 3],
        &[0; 24],
    );
    let absolute = outside.path().join("t.npy").display().to_string();
    fs::create_dir(at.path().join("below")).unwrap();
    #[cfg(unix)]
    for (link, to) in [
        ("out.npy", absolute.as_str()),
        ("out", outside.path().to_str().unwrap()),
    ] {
        std::os::unix::fs::symlink(to, at.path().join(link)).unwrap();
    }
    for (name, why) in [
        ("none.npy", "No such file"),
        ("below", "not a plain file"),
        (absolute.as_str(), "it leaves the case file's folder"),
        ("../t.npy", "it leaves the case file's folder"),
        ("below/../table.npy", "it leaves the case file's folder"),
        ("out.npy", "a link leads out of the case file's folder"),
        ("out/t.npy", "a link leads out of the case file's folder"),
        ("'a\\b.npy'", "a control character or a `\\`"),
        ("\"a\\e[31m.npy\"", "a control character or a `\\`"),
        ("''", "it is empty"),
    ] {
        let (code, said) = read(&at, &text(name, "index.npy")).unwrap_err();
        assert_eq!(code, Code::NpyNotRead, "{name}: {said}");
        assert!(
            said.starts_with("7:49: ") && said.contains(why),
            "{name}: {said}"
        );
    }
}

#[test]
fn an_array_that_is_not_the_operands_is_said_where_it_is_named() {
    let at = folder();
    let index = at.path().join("index.npy");
    let mut whole = fs::read(&index).unwrap();
    let wrong = |why: &str| {
        let (code, said) = read(&at, &text("table.npy", "index.npy")).unwrap_err();
        assert_eq!(code, Code::NpyDoesNotFit, "{said}");
        assert_eq!(said, format!("6:55: `index.npy` does not fit: {why}"));
    };
    array(&index, DType::Int32, &[2, 1], &[0; 8]);
    wrong("the shape is (2, 1); (1, 1, 2) is needed");
    array(&index, DType::Uint32, &[2], &[0; 8]);
    wrong("the elements are `<u4`; int32_t is stored as `<i4`");
    fs::write(&index, "no array").unwrap();
    wrong("not an NPY file");
    whole.push(0);
    fs::write(&index, &whole).unwrap();
    wrong("9 bytes of data, 8 by the shape");
    whole.truncate(whole.len() - 2);
    fs::write(&index, &whole).unwrap();
    wrong("7 bytes of data, 8 by the shape");
}

/// A part for each call, in one more dimension.
#[test]
fn chunks_are_the_outermost_extent() {
    let at = folder();
    array(
        &at.path().join("index.npy"),
        DType::Int32,
        &[3, 1, 2],
        &[0; 24],
    );
    let chunked = text("table.npy", "index.npy") + "    chunks: 3\n";
    let case = read(&at, &chunked).unwrap();
    assert_eq!(case.data.index, IndexPattern::Literal(vec![0; 24]));
    array(&at.path().join("index.npy"), DType::Int32, &[6], &[0; 24]);
    let (code, said) = read(&at, &chunked).unwrap_err();
    assert_eq!(code, Code::NpyDoesNotFit);
    assert!(
        said.contains("the shape is (6,); (3, 1, 2) is needed"),
        "{said}"
    );
}

/// Not what the file has counts but what it may have: before anything is read.
#[test]
fn many_cases_cannot_read_more_than_a_case_file_may() {
    let at = tempfile::tempdir().unwrap();
    let case = |n: u32| {
        format!(
            "  - name: c{n}\n    instruction: MGATHER\n    dtype: float\n    tile: {{shape: [1, 8]}}\n    \
             index: {{shape: [1, 8], valid: [1, 1]}}\n    \
             table: {{shape: [1, 1, 1, 5242880, 8], data: {{npy: none.npy}}}}\n"
        )
    };
    let path = at.path().join("a.yaml");
    fs::write(&path, format!("cases:\n{}{}", case(0), case(1))).unwrap();
    let found = load(&[path]).unwrap_err().diagnostics();
    let codes: Vec<Code> = found.iter().map(|d| d.code).collect();
    assert_eq!(codes, [Code::NpyNotRead, Code::TooLarge]);
}
