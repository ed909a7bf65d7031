//! What comes nearest where nothing explains the failures.

use ptodiff_isa::{Call, End, How, Log, Memory, Role};

use super::{executes, plain, right, told_of};

#[test]
fn what_leaves_all_of_one_failure_and_fails_most_passes_is_near_and_explains_nothing() {
    // Nothing is written of one byte, and nonsense of two.
    let wrong = |call: &Call, memory: &mut Memory, how: &How, log: &mut Log| {
        let size = call.data_tile().dtype.size();
        if size == 1 {
            return Ok(End::Finished);
        }
        let end = right().execute(call, memory, how, log);
        if size == 2 {
            let destination = memory.get_mut(Role::Destination).expect("an operand");
            let bytes = destination.body_mut().iter_mut();
            bytes.for_each(|byte| *byte ^= 0x5a);
        }
        end
    };
    let told = told_of(&executes(wrong), &plain(), |_| "all".to_owned()).remove(0);
    let lines = told.lines(false);
    let begins = "nothing known explains it; nearest: writes nothing: explains 1 of 3 failures";
    assert!(lines[0].0.starts_with(begins), "{lines:?}");
    assert!(!told.is_explained() && !lines[0].1);
}
