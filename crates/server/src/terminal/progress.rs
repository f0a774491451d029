//! A progress bar for slow commands: on stderr, on a terminal, and
//! only once a second has passed.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const SOON: Duration = Duration::from_secs(1);

pub struct ProgressLine {
    bar: ProgressBar,
    began: Instant,
    /// Where it is drawn, until it is.
    target: Cell<Option<ProgressDrawTarget>>,
    patience: Duration,
}

impl ProgressLine {
    /// Of `all`; `what` they are.
    pub fn of(what: &'static str, all: u64) -> ProgressLine {
        // Draws nothing where stderr is no terminal.
        ProgressLine::on(ProgressDrawTarget::stderr(), SOON, what, all)
    }

    fn on(
        target: ProgressDrawTarget,
        patience: Duration,
        what: &'static str,
        all: u64,
    ) -> ProgressLine {
        let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("[{bar:30}] {pos} of {len} {msg}, {eta} left");
        bar.set_style(style.expect("the template is our own").progress_chars("#>."));
        bar.set_message(what);
        ProgressLine { bar, began: Instant::now(), target: Cell::new(Some(target)), patience }
    }

    pub fn at(&self, done: u64) {
        if self.began.elapsed() >= self.patience
            && let Some(target) = self.target.take()
        {
            self.bar.set_draw_target(target);
        }
        self.bar.set_position(done);
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use indicatif::InMemoryTerm;

    use super::*;

    fn shown_after(patience: Duration) -> String {
        let screen = InMemoryTerm::new(10, 80);
        let target = ProgressDrawTarget::term_like(Box::new(screen.clone()));
        let progress = ProgressLine::on(target, patience, "games", 8);
        progress.at(2);
        let shown = screen.contents();
        drop(progress);
        assert_eq!(screen.contents(), "", "it leaves nothing behind");
        shown
    }

    #[test]
    fn a_bar_is_for_what_takes_long() {
        assert!(
            shown_after(Duration::ZERO)
                .starts_with("[#######>......................] 2 of 8 games")
        );
        assert_eq!(shown_after(Duration::from_secs(3600)), "");
    }
}
