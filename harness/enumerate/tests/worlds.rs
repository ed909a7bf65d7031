//! Small worlds end as they say.

use ptodiff_enumerate::{
    Out, Values, enumerate,
    world::{self, Ends, World},
};
use ptodiff_isa::Target::{self, A2a3, A5, Cpu};

/// How the worlds of each target end.
#[derive(Default)]
struct Count(Vec<(Target, Ends)>);

impl Count {
    fn see(&mut self, world: &World<'_>) {
        let out = enumerate(&world.call, &[world.memory], world.target, world.readings);
        let broken = match out {
            Out::Of(_) => false,
            Out::Undefined(_) => true,
            other => panic!("{other:?}"),
        };
        assert_eq!(broken, world.ends == Ends::Undefined, "{world:?}");
        self.0.push((world.target, world.ends));
    }

    /// How many are settled and how many are not, the same on each target.
    fn all(&self) -> [usize; 2] {
        let of = |is| self.0.iter().filter(|&&world| world == is).count();
        let both = |target| [Ends::Settled, Ends::Undefined].map(|ends| of((target, ends)));
        assert_eq!(both(Cpu), both(A2a3));
        assert_eq!(both(Cpu), both(A5));
        both(Cpu)
    }
}

#[test]
fn displaced() {
    // Vectors of slots, and those with an index beyond: of one lane 10 and 8, of two
    // 14 and 13, of three 9 and 7, of more 1 and 0. Extents of so many lanes: 1, 2, 2, 4.
    let (slots, beyond) = (10 + 2 * 14 + 2 * 9 + 4, 8 + 2 * 13 + 2 * 7);
    let mut count = Count::default();
    world::displaced(9, &mut |world| count.see(world));
    // Four policies, of which one takes care of nothing, and none of a remainder;
    // three forms in three ways.
    let ends = [4 * slots + 3 * beyond, beyond + 4 * slots];
    assert_eq!(count.all(), ends.map(|n| 9 * n));
}

#[test]
fn scattered_to_rows() {
    // By valid extent: tiles that have it, vectors, and those of which no two
    // indices of a column are one.
    let one = [(18, 18, 10), (12, 27, 14), (6, 16, 9)];
    let two = [(12, 27, 2 + 6), (8, 1, 0), (4, 1, 0)];
    let three = [(6, 16, 0), (4, 1, 0), (2, 1, 0)];
    let all = [one, two, three].concat();
    let settled: usize = all.iter().map(|(tiles, _, kept)| tiles * kept).sum();
    let vectors: usize = all.iter().map(|(tiles, all, _)| tiles * all).sum();
    let mut count = Count::default();
    world::scattered_to_rows(9, &mut |world| count.see(world));
    assert_eq!(count.all(), [2 * settled, 2 * (vectors - settled)]);
}

#[test]
fn masks_of_cpu_leave_padding_open() {
    let mut seen = 0;
    world::scattered_by_mask(&mut |world| {
        if world.ends == Ends::Illegal {
            return;
        }
        let out = enumerate(&world.call, &[world.memory], world.target, world.readings);
        let Out::Of(r) = out else { panic!("{out:?}") };
        let cpu = world.target == Target::Cpu;
        // The last slot of each destination is padding.
        assert_eq!(r.slots.last() == Some(&Values::Anything), cpu, "{world:?}");
        seen += 1;
    });
    // 72 tiles, seven patterns; CPU has two axes and half of the tiles, the others one axis each.
    assert_eq!(seen, (36 * 2 + 72 * 2) * 7);
}
