//! A program of its own that runs the same operations when it is told to.

use std::{
    fmt, fs, io,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// Why there are no times, in one line.
pub(crate) struct Failed(pub(crate) String);

impl Failed {
    /// That something could not be done with a file.
    pub(crate) fn at(file: &Path) -> impl FnOnce(io::Error) -> Self {
        let name = file.display().to_string();
        move |why| Self(format!("{name}: {why}"))
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A peer that was started. It ends when its input does.
pub(crate) struct Peer {
    name: String,
    child: Child,
    /// None once it is to end.
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts what `told` says: a name, a program and its arguments, with `=` between.
    pub(crate) fn start(told: &str) -> Result<Self, Failed> {
        let mut words = told.split('=');
        let (Some(name), Some(program)) = (words.next(), words.next()) else {
            return Err(Failed(format!("--peer {told}: not NAME=PROGRAM")));
        };
        let failed = |why: io::Error| Failed(format!("{name}: {program}: {why}"));
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Failed(format!("{name}: no pipes")));
        };
        Ok(Self {
            name: name.to_owned(),
            child,
            to: Some(to),
            from: BufReader::new(from),
        })
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Makes it read the operation in `folder`; whether it has such a one.
    pub(crate) fn open(&mut self, folder: &Path) -> Result<bool, Failed> {
        let said = self.ask(&format!("open {}", folder.display()))?;
        match said.as_str() {
            "ready" => Ok(true),
            "none" => Ok(false),
            _ => Err(self.odd(&said)),
        }
    }

    /// Nanoseconds of one of `times` runs.
    pub(crate) fn turn(&mut self, times: usize) -> Result<f64, Failed> {
        let said = self.ask(&format!("turn {times}"))?;
        let took: f64 = said.parse().map_err(|_| self.odd(&said))?;
        Ok(took / times as f64)
    }

    /// The output after one run, by way of `file`.
    pub(crate) fn result(&mut self, file: &Path) -> Result<Vec<u8>, Failed> {
        for line in ["once".to_owned(), format!("result {}", file.display())] {
            let said = self.ask(&line)?;
            if said != "done" {
                return Err(self.odd(&said));
            }
        }
        fs::read(file).map_err(Failed::at(file))
    }

    fn ask(&mut self, line: &str) -> Result<String, Failed> {
        let mut said = String::new();
        let asked = match &mut self.to {
            Some(to) => writeln!(to, "{line}").and_then(|()| to.flush()),
            None => Ok(()),
        };
        let heard = asked.and_then(|()| self.from.read_line(&mut said));
        match heard {
            Ok(0) => Err(Failed(format!("{}: ended over `{line}`", self.name))),
            Ok(_) => Ok(said.trim_end().to_owned()),
            Err(why) => Err(Failed(format!("{}: {why} over `{line}`", self.name))),
        }
    }

    fn odd(&self, said: &str) -> Failed {
        Failed(format!("{}: said `{said}`", self.name))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.to = None;
        // It has nothing left to say.
        let _ = self.child.wait();
    }
}
