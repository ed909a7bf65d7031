//! How much memory a group of processes holds.

use std::fs;

use rustix::process::Pid;

/// Bytes that the processes of `group` hold in memory, where that exceeds
/// `limit`. Only Linux tells; elsewhere nothing is watched.
pub(crate) fn beyond(group: Pid, limit: u64) -> Option<u64> {
    let members = members(group);
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

struct Member {
    pid: u32,
    /// Bytes, with those that it shares.
    resident: u64,
}

fn members(group: Pid) -> Vec<Member> {
    let Ok(all) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let member = |entry: fs::DirEntry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (of, pages) = group_and_pages(&stat)?;
        let page = rustix::param::page_size() as u64;
        let ours = of == group.as_raw_nonzero().get();
        ours.then(|| Member {
            pid,
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
    }
}
