//! The build that the README begins with.

use std::{fs, process::Command};

use ptodiff_kernel::write;

use crate::{
    build::{CPU, link, memory, must, of_call, places, sources, tests},
    lattice::small,
    talk::Talk,
};

/// The presets are JSON with one for each target; where CMake is installed they configure,
/// and that of the CPU builds a program, in a folder whose name has a space. It answers, and
/// chokes on nothing.
#[test]
fn the_presets_build_the_program() {
    let call = small(CPU).calls()[0];
    let harness = of_call(CPU, call);
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path().join("a program");
    write(&here, &harness.files(&places()).expect("files"), false).expect("written");

    let presets = fs::read_to_string(here.join("CMakePresets.json")).expect("presets");
    let presets: serde_json::Value = serde_json::from_str(&presets).expect("JSON");
    let all = presets["configurePresets"].as_array().expect("a list");
    let names: Vec<_> = all.iter().map(|preset| preset["name"].as_str()).collect();
    let expected = ["cpu", "cpu-assertions", "a2a3", "a5"].map(Some);
    assert_eq!(names, expected);
    let cpu = &all[0]["cacheVariables"];
    assert_eq!(cpu["CMAKE_CXX_STANDARD"], "20");
    assert_eq!(cpu["PTODIFF_DEFINITIONS"], "__CPU_SIM");
    assert_eq!(cpu["CMAKE_BUILD_TYPE"], "Release");

    if Command::new("cmake").arg("--version").output().is_err() {
        let program = link(sources(&harness), "g++", &[]);
        return crate::protocol::ask(&program.path, call);
    }
    let cmake = |arguments: &[&str]| {
        let mut command = Command::new("cmake");
        must(command.args(arguments).current_dir(&here))
    };
    let library = format!("-DPTO_INCLUDE={}", tests().join("pto").display());
    let board = format!("-DCMAKE_CXX_FLAGS=-I{}", tests().join("board").display());
    let compiler = "-DCMAKE_CXX_COMPILER=g++";
    // It inherits from that of A2/A3.
    let build = ["--preset", "a5", "-B", "a5", compiler];
    let said = cmake(&[&build[..], &[library.as_str(), board.as_str()]].concat());
    assert!(said.contains("PTODIFF_BOARD=1"), "{said}");
    // As quickly as it compiles: what a release is optimised with is CMake's.
    let plain = "-DCMAKE_CXX_FLAGS_RELEASE=-O0";
    cmake(&["--preset", "cpu", library.as_str(), compiler, plain]);
    cmake(&["--build", "build", "-j", "2"]);
    let program = here.join("build/ptodiff_impl");
    let mut talk = Talk::greeted(&program, CPU);
    assert!(talk.reaches(&call, &memory(call, 1)));
    crate::protocol::ask(&program, call);
}
