//! A place has one name.

use std::{env, path::Path};

use ptodiff_edge::place::from_here;

#[test]
fn a_place_has_one_name() {
    let here = env::current_dir().unwrap();
    let named = |path: &Path| from_here(path).to_str().unwrap().to_owned();
    for same in ["src", "./src", "src/", "././src/.", "src//"] {
        assert_eq!(named(Path::new(same)), "src");
        assert_eq!(named(&here.join(same)), "src");
    }
    for same in [".", "./"] {
        assert_eq!(named(Path::new(same)), ".");
        assert_eq!(named(&here.join(same)), ".");
    }
    let above = here.parent().unwrap();
    assert_eq!(named(&above.join("x/y.yaml")), "../x/y.yaml");
    assert_eq!(named(Path::new("../x/y.yaml")), "../x/y.yaml");
}
