//! NumPy reads what is written here and writes the same bytes; what it writes
//! otherwise is read, or rejected where it is no such array.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use ptodiff_data::npy::{NpyError, read, spelled, write};
use ptodiff_isa::DType;
use strum::VariantArray;

/// Says of each array what NumPy sees, and saves it again beside itself.
const AGAIN: &str = r#"
import sys, pathlib, numpy as np
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.npy")):
    a = np.load(path, allow_pickle=False)
    print(path.stem, a.dtype.str, a.shape, a.tobytes(order="C").hex(), sep="|")
    np.save(path.with_suffix(".again"), a)
    path.with_suffix(".again.npy").rename(path.with_suffix(".again"))
"#;

/// Arrays in every order and version, and such as the reader must not take.
const OTHERWISE: &str = r#"
import sys, numpy as np
a = np.arange(24, dtype="<f4").reshape(2, 3, 4)
for version in 1, 2, 3:
    for order in "CF":
        for name, end in ("little", "<"), ("big", ">"):
            with open(f"{version}-{order}-{name}.npy", "wb") as file:
                b = np.array(a, dtype=end + "f4", order=order)
                np.lib.format.write_array(file, b, version=(version, 0))
np.save("objects.npy", a.astype(object), allow_pickle=True)
np.save("double.npy", a.astype("<f8"))
np.save("records.npy", np.zeros(24, dtype=[("x", "<f4")]))
np.save("greek.npy", np.zeros(24, dtype=[("\u03b1", "<f4")]))
np.save("texts.npy", a.astype("U"))
np.save("bytes.npy", a.astype("S"))
"#;

/// Python with NumPy, as `scripts/implementations/setup` makes it.
fn python() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/impl-venv/bin/python");
    assert!(
        path.exists(),
        "there is no Python with NumPy: run scripts/implementations/setup first"
    );
    path
}

fn run(script: &str, folder: &Path) -> String {
    let mut command = Command::new(python());
    command
        .arg("-c")
        .arg(script)
        .arg(folder)
        .current_dir(folder);
    let done = command.output().expect("it starts");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8(done.stdout).expect("text")
}

/// Shapes of 0 to 5 dimensions as NumPy prints them.
const SHAPES: &[(&[u64], &str)] = &[
    (&[], "()"),
    (&[3], "(3,)"),
    (&[2, 3], "(2, 3)"),
    (&[1, 1, 3, 9, 5], "(1, 1, 3, 9, 5)"),
    (&[2, 0], "(2, 0)"),
];

#[test]
fn numpy_sees_the_same_array_and_writes_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut expected = Vec::new();
    for dtype in DType::VARIANTS {
        for (n, (extents, shape)) in SHAPES.iter().enumerate() {
            let count: u64 = extents.iter().product();
            let bytes = count as usize * dtype.size();
            let data: Vec<u8> = (0..bytes).map(|at| (at * 83 + 5) as u8).collect();
            let name = format!("{dtype}-{n}");
            let mut file = Vec::new();
            write(&mut file, *dtype, extents, &data).unwrap();
            fs::write(folder.path().join(format!("{name}.npy")), &file).unwrap();
            let hex: String = data.iter().map(|b| format!("{b:02x}")).collect();
            expected.push(format!("{name}|{}|{shape}|{hex}", spelled(*dtype)));
        }
    }
    let said = run(AGAIN, folder.path());
    let mut said: Vec<&str> = said.lines().collect();
    said.sort_unstable();
    expected.sort_unstable();
    assert_eq!(said, expected);
    for dtype in DType::VARIANTS {
        for (n, (extents, _)) in SHAPES.iter().enumerate() {
            let at = |ending: &str| folder.path().join(format!("{dtype}-{n}.{ending}"));
            let (ours, theirs) = (fs::read(at("npy")).unwrap(), fs::read(at("again")).unwrap());
            assert_eq!(ours, theirs, "{dtype} {extents:?}");
            assert!(read(&theirs[..], *dtype, extents).is_ok());
        }
    }
}

#[test]
fn what_numpy_writes_otherwise_is_read_or_rejected() {
    let folder = tempfile::tempdir().unwrap();
    run(OTHERWISE, folder.path());
    let got = |name: &str| {
        let file = fs::File::open(folder.path().join(format!("{name}.npy"))).unwrap();
        read(file, DType::Float, &[2, 3, 4])
    };
    let floats: Vec<u8> = (0..24_u8)
        .flat_map(|n| f32::from(n).to_le_bytes())
        .collect();
    for version in [1, 2, 3] {
        for order in ["C", "F"] {
            for end in ["little", "big"] {
                let name = format!("{version}-{order}-{end}");
                assert_eq!(got(&name).expect("an array"), floats, "{name}");
            }
        }
    }
    assert!(matches!(got("objects"), Err(NpyError::Pickle(_))));
    assert!(matches!(got("double"), Err(NpyError::Type { .. })));
    assert!(matches!(got("records"), Err(NpyError::Structured)));
    assert!(matches!(got("greek"), Err(NpyError::Structured)));
    assert!(matches!(got("texts"), Err(NpyError::Strings(_))));
    assert!(matches!(got("bytes"), Err(NpyError::Strings(_))));
}
