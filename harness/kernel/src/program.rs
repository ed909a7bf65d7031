//! The program: calls collected, and the files that they become.

use std::{collections::BTreeMap, fmt::Write as _, path::PathBuf};

use ptodiff_asm::NoForm;
use ptodiff_case::{Case, Form, cases_yaml};
use ptodiff_isa::{Call, Target};

use thiserror::Error;

use crate::{
    Dialect, Lattice,
    emit::{Instance, Operands},
    key,
    lattice::Points,
    readme::readme,
};

/// Most calls that one program instantiates.
pub const MOST_INSTANCES: usize = 3000;

/// Most calls in one file: what a compiler takes in a bearable time.
pub(crate) const MOST_IN_A_FILE: usize = 40;

/// What every file begins with, by which it is known as one of ours.
pub(crate) const MARK: &str = "Written by ptodiff cpp --harness.";

/// A file of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name within the folder.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Where things are, for the commands in the program's README.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// The folder of the program, absolute.
    pub folder: PathBuf,
    /// What a run of it takes: files and folders of cases, absolute, or names of cases.
    pub cases: Vec<String>,
}

/// Why there is no program.
#[derive(Debug, Error)]
pub enum HarnessError {
    /// There is nothing to instantiate.
    #[error("no call is left to instantiate")]
    Empty,
    /// Nobody would wait for the compiler.
    #[error("this takes {0} instantiations or more, and a program holds at most {MOST_INSTANCES}")]
    Many(usize),
}

/// A program that is being put together.
pub struct Harness {
    dialect: Dialect,
    /// By key.
    instances: BTreeMap<String, Instance>,
    calls: usize,
    /// Those of lattices, in their order.
    lattice: Vec<Case>,
}

impl Harness {
    /// A program without calls.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            instances: BTreeMap::new(),
            calls: 0,
            lattice: Vec::new(),
        }
    }

    /// Adds the call of `case`, if no call with its key is there yet. Template arguments
    /// behind the last one that a case with the key gives are left to their defaults.
    ///
    /// # Errors
    /// The target has no such form; nothing is added.
    pub fn add(&mut self, case: &Case) -> Result<(), NoForm> {
        let pieces = self.dialect.pieces(&case.call)?;
        self.calls += 1;
        let key = key(&case.call, self.dialect);
        let new = || Instance {
            key: key.clone(),
            call: case.call,
            pieces,
            given: 0,
            names: Vec::new(),
        };
        let instance = self.instances.entry(key.clone()).or_insert_with(new);
        if !case.leaves_all_out() {
            instance.given = instance.given.max(case.place.arguments);
        }
        instance.names.push(case.id.clone());
        Ok(())
    }

    /// Adds every call of `lattice`, and a case of it to `lattice.yaml`: what a hunt draws
    /// from. Gives what was left out: a reason, and how many combinations it holds for.
    pub fn add_lattice(&mut self, lattice: &Lattice) -> Vec<(String, usize)> {
        let Points {
            calls,
            mut left_out,
        } = lattice.points();
        for call in calls {
            let name = format!("{}-{}", Form::of(&call), self.lattice.len());
            let mut case = Case::of_call(&name, call);
            case.targets = vec![self.dialect.target];
            case.readings = self.dialect.readings().into();
            match self.add(&case) {
                Ok(()) => self.lattice.push(case),
                Err(none) => *left_out.entry(none.to_string()).or_default() += 1,
            }
        }
        left_out.into_iter().collect()
    }

    /// How many calls were added, those with the key of another one included.
    #[must_use]
    pub const fn calls(&self) -> usize {
        self.calls
    }

    /// How many calls the program instantiates.
    #[must_use]
    pub fn instances(&self) -> usize {
        self.instances.len()
    }

    /// Its files, the same for the same calls and places.
    ///
    /// # Errors
    /// No call, or more than [`MOST_INSTANCES`].
    pub fn files(&self, places: &Places) -> Result<Vec<File>, HarnessError> {
        match self.instances.len() {
            0 => return Err(HarnessError::Empty),
            1..=MOST_INSTANCES => {}
            many => return Err(HarnessError::Many(many)),
        }
        // The two revisions of MSCATTER share a name but no header.
        let is_first = |instance: &&Instance| matches!(instance.call, Call::MscatterFirst(_));
        let (first, current): (Vec<_>, Vec<_>) = self.instances.values().partition(is_first);
        let mut kernels = Vec::new();
        let mut number = 0;
        for (part, stem, header) in [
            (current, "kernels", "\"ptodiff_library.hpp\""),
            (first, "kernels_first", "<pto/npu/a5/custom/MScatter.hpp>"),
        ] {
            for (n, group) in part.chunks(MOST_IN_A_FILE).enumerate() {
                let name = format!("{stem}_{n:02}");
                let text = self.kernels(&name, header, number, group);
                number += group.len();
                kernels.push((name, text));
            }
        }
        let names: Vec<&str> = kernels.iter().map(|(name, _)| name.as_str()).collect();
        let mut files = vec![
            file("main.cpp", self.main(&names)),
            file("README.md", readme(self, places)),
            file("CMakeLists.txt", include_str!("text/CMakeLists.txt")),
            file("CMakePresets.json", include_str!("text/CMakePresets.json")),
            file("probe.sh", include_str!("text/probe.sh")),
            file("ptodiff_json.hpp", include_str!("text/ptodiff_json.hpp")),
            file("ptodiff_impl.hpp", include_str!("text/ptodiff_impl.hpp")),
            file(
                "ptodiff_library.hpp",
                include_str!("text/ptodiff_library.hpp"),
            ),
            file(
                "ptodiff_device.hpp",
                include_str!("text/ptodiff_device.hpp"),
            ),
            file(
                "ptodiff_rejected.hpp",
                format!("// {MARK} Filled by probe.sh: the calls that do not compile.\n"),
            ),
        ];
        if self.has_lattice() {
            let text = format!("# {MARK}\n{}", cases_yaml(&self.lattice));
            files.push(file("lattice.yaml", text));
        }
        let kernels = kernels.into_iter();
        files.extend(kernels.map(|(name, text)| file(&format!("{name}.cpp"), text)));
        Ok(files)
    }

    fn kernels(&self, name: &str, header: &str, from: usize, group: &[&Instance]) -> String {
        let to = from + group.len().saturating_sub(1);
        let (mut calls, mut entries) = (String::new(), String::new());
        let mut operands = Operands::default();
        for (n, instance) in (from..).zip(group) {
            calls.push_str(&instance.kernel(n, self.dialect, &mut operands));
            entries.push_str(&instance.entry(n));
        }
        format!(
            "// {MARK}\n// calls {from} to {to}\n#include <stddef.h>\n#include <stdint.h>\n\n\
             #include {header}\n\n\
             #include \"ptodiff_device.hpp\"\n#include \"ptodiff_rejected.hpp\"\n\n\
             #ifndef PTODIFF_FIRST\n#define PTODIFF_FIRST {from}\n#define PTODIFF_LAST {to}\n#endif\n\
             #define PTODIFF_WANTED(n) ((n) >= PTODIFF_FIRST && (n) <= PTODIFF_LAST)\n\n\
             using namespace pto;\n{functions}{calls}\n\
             namespace ptodiff {{\nextern const Entry {name}[];\n\
             const Entry {name}[] = {{\n{entries}    {{nullptr, nullptr, nullptr, nullptr}},\n}};\n\
             }} // namespace ptodiff\n",
            functions = operands.functions(),
        )
    }

    fn main(&self, kernels: &[&str]) -> String {
        let target = self.dialect.target;
        let mut text = format!(
            "// {MARK}\n#include \"ptodiff_library.hpp\"\n\n#include \"ptodiff_impl.hpp\"\n\n\
             #ifndef PTODIFF_NAME\n#define PTODIFF_NAME \"pto-{target}\"\n#endif\n\n\
             namespace ptodiff {{\n"
        );
        for name in kernels {
            let _ = writeln!(text, "extern const Entry {name}[];");
        }
        let (policies, conflict, suite) = (
            self.dialect.has_scatter_policies(),
            self.dialect.has_conflict(),
            self.dialect.suite_forms,
        );
        let launches = target == Target::A5;
        let tables: String = kernels
            .iter()
            .map(|name| format!("ptodiff::{name}, "))
            .collect();
        let _ = write!(
            text,
            "}} // namespace ptodiff\n\nint main()\n{{\n    \
             const ptodiff::Program program = {{PTODIFF_NAME, \"{target}\", {policies}, {conflict}, {launches}, {suite}}};\n    \
             return ptodiff::serve(program, {{{}}});\n}}\n",
            tables.trim_end_matches(", ")
        );
        text
    }

    pub(crate) const fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub(crate) const fn has_lattice(&self) -> bool {
        !self.lattice.is_empty()
    }
}

fn file(name: &str, text: impl Into<String>) -> File {
    File {
        name: name.to_owned(),
        text: text.into(),
    }
}
