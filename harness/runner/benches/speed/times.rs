//! Each model's time for one case, and what peers need to do the same.

use std::{fs, path::Path, time::Instant};

use ptodiff_case::Case;
use ptodiff_isa::{Call, Log, Tile};
use ptodiff_runner::models;

use crate::{Failed, execute, how, operands};

/// Writes into `folder` the operands, a file a role, and what each model leaves,
/// `TARGET.result`. Prints the words that tell a peer what to do, then of each
/// model its target and the nanoseconds of the best of so many runs.
pub(crate) fn write(case: &Case, folder: &Path, runs: usize) -> Result<(), Failed> {
    let (before, how) = (operands(case)?, how(case));
    for region in &before.regions {
        put(&folder.join(region.role.to_string()), region.body())?;
    }
    println!("{}", words(&case.call)?);
    for model in models() {
        let (mut memory, mut log) = (before.clone(), Log::default());
        let mut best = u128::MAX;
        for _ in 0..runs {
            let start = Instant::now();
            execute(model, &case.call, &how, &mut memory, &mut log)?;
            best = best.min(start.elapsed().as_nanos());
        }
        let result = memory.get(case.call.output()).ok_or("no output")?;
        put(
            &folder.join(format!("{}.result", model.target())),
            result.body(),
        )?;
        println!("{}\t{best}", model.target());
    }
    Ok(())
}

fn put(file: &Path, bytes: &[u8]) -> Result<(), Failed> {
    fs::write(file, bytes).map_err(|why| format!("{}: {why}", file.display()).into())
}

/// The operation, its mode, type and policy, rows and columns of its data tile.
fn words(call: &Call) -> Result<String, Failed> {
    let (name, mode, policy): (_, _, &str) = match call {
        Call::Mscatter(c) => ("scatter", c.mode, c.oob.into()),
        Call::Mgather(c) => ("gather", c.mode, c.oob.into()),
        _ => return Err("peers have MSCATTER and MGATHER only".into()),
    };
    let Tile {
        dtype, rows, cols, ..
    } = call.data_tile();
    Ok(format!("{name}\t{mode}\t{dtype}\t{policy}\t{rows}\t{cols}"))
}
