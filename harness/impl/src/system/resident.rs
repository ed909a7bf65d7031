//! How much memory a group of processes holds.

use std::{
    fs,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use rustix::process::Pid;

/// How long what was seen of the system's processes is good for all groups.
const FRESH: Duration = Duration::from_millis(50);

/// How many times as long as looking takes it is good for, at least.
const SELDOM: u32 = 20;

/// The last look. One process of the system costs the same whoever's it is, so
/// many implementations do not look more often than one.
static SEEN: Mutex<Seen> = Mutex::new(Seen {
    members: Vec::new(),
    until: None,
});

struct Seen {
    /// Of all groups.
    members: Vec<Member>,
    /// When to look again; nothing was seen yet if not given.
    until: Option<Instant>,
}

/// Bytes that the processes of `group` hold in memory, where that exceeds
/// `limit`. It may be as old as the last look. Only Linux tells; elsewhere
/// nothing is watched.
pub(crate) fn beyond(group: Pid, limit: u64) -> Option<u64> {
    let members = members(group, Instant::now());
    let counted: u64 = members.iter().map(|member| member.resident).sum();
    if counted <= limit {
        return None;
    }
    // Pages that several of them share were counted once each; this is right
    // and slow.
    let held = members
        .iter()
        .map(|member| proportional(member.pid).unwrap_or(member.resident))
        .sum();
    (held > limit).then_some(held)
}

#[derive(Clone, Copy)]
struct Member {
    pid: u32,
    group: i32,
    /// Bytes, with those that it shares.
    resident: u64,
}

/// Those of `group`, as they were seen last.
fn members(group: Pid, now: Instant) -> Vec<Member> {
    // What a thread that panicked had seen is no worse than nothing.
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if seen.until.is_none_or(|until| until <= now) {
        seen.members = everybody();
        // Where there are many processes this is slow.
        seen.until = Some(Instant::now() + FRESH.max(now.elapsed() * SELDOM));
    }
    let group = group.as_raw_nonzero().get();
    let of = seen.members.iter().filter(|member| member.group == group);
    of.copied().collect()
}

fn everybody() -> Vec<Member> {
    let Ok(all) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let member = |entry: fs::DirEntry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (group, pages) = group_and_pages(&stat)?;
        let page = rustix::param::page_size() as u64;
        Some(Member {
            pid,
            group,
            resident: pages.saturating_mul(page),
        })
    };
    all.flatten().filter_map(member).collect()
}

/// The process group and the resident pages in a line of `/proc/PID/stat`. The
/// program's name stands in parentheses and may hold any character.
fn group_and_pages(stat: &str) -> Option<(i32, u64)> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    let group = fields.nth(2)?.parse().ok()?;
    let pages = fields.nth(18)?.parse().ok()?;
    Some((group, pages))
}

/// Bytes of one process, those that it shares divided among the sharers.
fn proportional(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_system_is_read_whatever_the_program_is_called() {
        let stat = "7 (a) b (c) S 1 42 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 99 1000 256 18";
        assert_eq!(group_and_pages(stat), Some((42, 256)));
        assert_eq!(group_and_pages("7 (a S 1"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_group_holds_something_and_not_everything() {
        let own = rustix::process::getpgrp();
        let held = beyond(own, 1 << 16).expect("more than 64 KiB");
        assert!(held > 1 << 16);
        assert_eq!(beyond(own, u64::MAX), None);

        // Whoever asks next looks at what was seen, until that is old.
        let until = {
            let mut seen = SEEN.lock().expect("nobody panicked");
            let (ours, others): (Vec<_>, Vec<_>) = seen
                .members
                .iter()
                .partition(|member| member.group == own.as_raw_nonzero().get());
            assert!(!ours.is_empty());
            seen.members = others;
            seen.until.expect("somebody looked")
        };
        assert!(members(own, until - Duration::from_nanos(1)).is_empty());
        assert!(!members(own, until).is_empty());
    }
}
