//! Work of several threads, taken in order by one.

use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
};

use rayon::ThreadPool;

/// Items that are done and wait to be taken.
const WAITING: usize = 256;

/// Does `work` on each of `items` on the threads of `pool`, and hands what comes of it to
/// `take` on this thread, in the order of `items`. No thread waits for another: each takes the next item when it is
/// done with one.
///
/// # Errors
/// The first that `take` gives: the rest is left.
pub fn in_order<I: Sync, T: Send, E: Send>(
    pool: &ThreadPool,
    items: &[I],
    work: impl Fn(&I) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    // The receiver may be slower than the workers.
    let (done, finished) = mpsc::sync_channel(WAITING);
    pool.in_place_scope(|scope| {
        for _ in 0..pool.current_num_threads() {
            let (done, next, work) = (done.clone(), &next, &work);
            scope.spawn(move |_| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(number) else {
                        return;
                    };
                    if done.send((number, work(item))).is_err() {
                        // The receiver is gone.
                        return;
                    }
                }
            });
        }
        drop(done);
        let mut early = BTreeMap::new();
        let mut at = 0;
        for (number, one) in finished {
            early.insert(number, one);
            while let Some(one) = early.remove(&at) {
                take(one)?;
                at += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    const ITEMS: usize = 500;

    /// The first item is done when all others are: two threads work on them.
    #[test]
    fn what_is_done_early_waits_for_its_turn() {
        let items: Vec<usize> = (0..ITEMS).collect();
        let (one, all) = mpsc::channel();
        let all = std::sync::Mutex::new(all);
        let one = std::sync::Mutex::new(one);
        let work = |item: &usize| {
            if *item == 0 {
                let all = all.lock().expect("one waits");
                (1..ITEMS).for_each(|_| all.recv().expect("one more"));
            } else {
                one.lock()
                    .expect("one sends")
                    .send(())
                    .expect("it is heard");
            }
            *item
        };
        let mut taken = Vec::new();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
        let pool = pool.build().expect("threads start");
        let done: Result<(), Infallible> = in_order(&pool, &items, work, |item| {
            taken.push(item);
            Ok(())
        });
        assert_eq!((done, taken), (Ok(()), items));
    }
}
