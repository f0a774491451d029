//! Says how a kind of poker is played at its highest level, so that another program can judge it:
//! JSON, how likely each move is, by what its player knows.

use std::{env, io};

use players::{Level, Solution};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let of = match env::args().nth(1).as_deref() {
        Some("kuhn-poker") => Solution::of_kuhn,
        Some("leduc-poker") => Solution::of_leduc,
        _ => return Err("which poker, kuhn-poker or leduc-poker?".into()),
    };
    let highest = Level::new(Level::MOST).ok_or("there are levels")?;
    serde_json::to_writer(io::stdout().lock(), &of(highest).plays())?;
    Ok(())
}
