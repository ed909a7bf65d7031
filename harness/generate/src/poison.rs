//! Poison: the bytes that say that nothing was written.

use ptodiff_isa::Role;

/// Bytes of poison before it repeats.
const PERIOD: usize = 7;

/// What stands where no data does.
///
/// Only bytes that neither the suites' ramp nor zeros make; read as numbers
/// they are far from any data (large negative, NaN, an index out of any
/// range). Another order for each operand, and a period prime to all element
/// sizes: poison that was copied is not poison that was left alone.
const fn period(role: Role) -> [u8; PERIOD] {
    match role {
        Role::Table => [0xFC, 0xFD, 0xFE, 0xFD, 0xFD, 0xFC, 0xFE],
        Role::Source => [0xFD, 0xFE, 0xFC, 0xFE, 0xFE, 0xFD, 0xFC],
        Role::Destination => [0xFE, 0xFC, 0xFD, 0xFC, 0xFC, 0xFE, 0xFD],
        Role::Index => [0xFD, 0xFC, 0xFE, 0xFC, 0xFE, 0xFE, 0xFD],
        Role::Scratch => [0xFE, 0xFD, 0xFC, 0xFD, 0xFC, 0xFC, 0xFE],
    }
}

/// `len` bytes of `role`'s poison.
pub(crate) fn bytes(role: Role, len: usize) -> Vec<u8> {
    let stretch = stretch(role);
    let mut bytes = Vec::with_capacity(len);
    while bytes.len() < len {
        let now = stretch.len().min(len - bytes.len());
        bytes.extend_from_slice(&stretch[..now]);
    }
    bytes
}

/// What `len` bytes, at most 8, from place `at` on are in a region full of `role`'s poison.
pub(crate) fn at(role: Role, at: usize, len: usize) -> &'static [u8] {
    let phase = at % PERIOD;
    &stretch(role)[phase..phase + len]
}

/// Poison of `role`: so many periods that few copies make a region.
fn stretch(role: Role) -> &'static [u8] {
    use Role::{Destination, Index, Scratch, Source, Table};
    /// In the order of the roles.
    static ALL: [[[u8; PERIOD]; 64]; 5] = [
        [period(Table); 64],
        [period(Source); 64],
        [period(Destination); 64],
        [period(Index); 64],
        [period(Scratch); 64],
    ];
    ALL[role as usize].as_flattened()
}

#[cfg(test)]
mod tests {
    use ptodiff_isa::Role::{Destination, Index, Scratch, Source, Table};

    use super::*;

    #[test]
    fn no_poison_is_another_shifted() {
        let roles = [Table, Source, Destination, Index, Scratch];
        for (at, one) in roles.into_iter().enumerate() {
            for other in &roles[at + 1..] {
                let mut shifted = period(*other);
                for _ in 0..7 {
                    assert_ne!(shifted, period(one), "{one} {other}");
                    shifted.rotate_left(1);
                }
            }
        }
    }

    #[test]
    fn it_goes_on_over_any_length() {
        for len in [0, 1, 7, 447, 448, 449, 5000] {
            let memory = bytes(Index, len);
            assert!(memory.iter().eq(period(Index).iter().cycle().take(len)));
            for place in 0..len.saturating_sub(8) {
                assert_eq!(at(Index, place, 8), &memory[place..place + 8]);
            }
        }
    }
}
