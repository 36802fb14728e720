//! Real data in and out, as the person at the command line has it: imports, backups, restores, and writers beside each other.

#[cfg(test)]
#[path = "real_data/backups.rs"]
mod backups;
#[cfg(test)]
#[path = "real_data/beside.rs"]
mod beside;
#[cfg(test)]
#[path = "real_data/imports.rs"]
mod imports;
#[cfg(test)]
#[path = "real_data/support.rs"]
mod support;
