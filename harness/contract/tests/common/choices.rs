//! Readings by name.

use ptodiff_isa::Readings;

/// The default readings but for these gaps.
pub(crate) fn with(choices: &[(&str, &str)]) -> Readings {
    let mut readings = Readings::default();
    for (gap, choice) in choices {
        readings.set(gap, choice).expect("a choice of the gap");
    }
    readings
}
