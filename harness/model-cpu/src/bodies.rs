//! The operands of a call whose guard zones do not matter.

use ptodiff_isa::{Memory, Region, Role};

use crate::operand::Missing;

/// The operand a call writes, and the bytes of two others: all three found on one way
/// through the operands, which of a small call is a good part.
///
/// # Errors
/// Names one of them that is missing.
#[inline]
pub(crate) fn bodies<'a>(
    memory: &'a mut Memory,
    written: &'static Role,
    read: [&'static Role; 2],
) -> Result<(&'a mut Region, [&'a [u8]; 2]), Missing> {
    let (mut output, mut inputs) = (None, [None; 2]);
    // From the last one on, as the first that plays a role is the one that counts.
    for region in memory.regions.iter_mut().rev() {
        let role = region.role;
        if role == *written {
            output = Some(region);
        } else if role == *read[0] {
            inputs[0] = Some(&*region);
        } else if role == *read[1] {
            inputs[1] = Some(&*region);
        }
    }
    let output = output.ok_or(Missing(written))?;
    let body = |at: usize| inputs[at].map(Region::body).ok_or(Missing(read[at]));
    Ok((output, [body(0)?, body(1)?]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operand::body_mut;

    // Between guard zones of a byte: 1 2 for the table, 3 for the source, 4 for the index.
    #[test]
    fn operands_are_found_in_any_order() {
        let of = |role, body: &[u8]| {
            let bytes = [&[0], body, &[0]].concat();
            Region::new(role, bytes, 1..body.len() + 1)
        };
        let [table, src, idx] = [
            of(Role::Table, &[1, 2]),
            of(Role::Source, &[3]),
            of(Role::Index, &[4]),
        ];
        let find = |regions: &[&Region]| {
            let regions = regions.iter().map(|&region| region.clone()).collect();
            let mut memory = Memory { regions };
            let read = [&Role::Source, &Role::Index];
            match bodies(&mut memory, &Role::Table, read) {
                Ok((table, inputs)) => {
                    let all = [body_mut(table), inputs[0], inputs[1]].map(<[u8]>::to_vec);
                    Ok(all)
                }
                Err(Missing(role)) => Err(*role),
            }
        };
        let all = Ok([vec![1, 2], vec![3], vec![4]]);
        assert_eq!(find(&[&table, &src, &idx]), all);
        assert_eq!(find(&[&idx, &src, &table]), all);
        let [other, more] = [of(Role::Destination, &[5]), of(Role::Source, &[6])];
        assert_eq!(find(&[&src, &other, &idx, &more, &table]), all);
        assert_eq!(find(&[&src, &idx]), Err(Role::Table));
        assert_eq!(find(&[&table, &idx]), Err(Role::Source));
        assert_eq!(find(&[&table, &src]), Err(Role::Index));
        assert_eq!(find(&[]), Err(Role::Table));
    }
}
