//! Who meets whom, in which round and in which role.
//!
//! A format hands out rounds through [`Pairings`]; the league asks it whenever every match so far
//! is over. Round robins are known from the start; formats that pair by results may follow.

use super::round::Round;

/// One round as a format wants it, players counted from zero. The first of each two is Odd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    pub pairs: Vec<(usize, usize)>,
    /// Who rests.
    pub bye: Option<usize>,
}

impl Draw {
    /// The same for these players, whoever is counted here from zero.
    pub(super) fn among(&self, players: &[usize]) -> Draw {
        Draw {
            pairs: self.pairs.iter().map(|&(a, b)| (players[a], players[b])).collect(),
            bye: self.bye.map(|player| players[player]),
        }
    }
}

pub(super) trait Pairings {
    /// The rounds that follow those of `history`, as many as are known now; none if the league is
    /// finished with it.
    fn next(&self, players: usize, history: &[std::sync::Arc<Round>]) -> Vec<Draw>;
}

/// Everyone meets everyone once.
pub(super) struct RoundRobin;

/// Everyone meets everyone twice, in both roles.
pub(super) struct DoubleRoundRobin;

impl Pairings for RoundRobin {
    fn next(&self, players: usize, history: &[std::sync::Arc<Round>]) -> Vec<Draw> {
        if history.is_empty() { berger(players) } else { Vec::new() }
    }
}

impl Pairings for DoubleRoundRobin {
    fn next(&self, players: usize, history: &[std::sync::Arc<Round>]) -> Vec<Draw> {
        let first = RoundRobin.next(players, history);
        let mirrored = first.iter().map(|draw| Draw {
            pairs: draw.pairs.iter().map(|&(a, b)| (b, a)).collect(),
            bye: draw.bye,
        });
        let second: Vec<_> = mirrored.collect();
        [first, second].concat()
    }
}

/// The Berger tables, as chess tournaments use them: for an even number of players, the last of
/// them stays in place and the others go round. Of an odd number, who meets the place that is left
/// empty rests.
fn berger(players: usize) -> Vec<Draw> {
    let seats = players.next_multiple_of(2);
    let (last, ring) = (seats - 1, seats - 1);
    let round = |round: usize| {
        // The one who meets the last; everyone else meets their mirror image on the ring.
        let pivot = round * seats / 2 % ring;
        let opening = if pivot < seats / 2 { (pivot, last) } else { (last, pivot) };
        let others = (1..seats / 2).map(|step| {
            let (a, b) = ((pivot + step) % ring, (pivot + ring - step) % ring);
            // So each is Odd against every other of those ahead on the ring: half of them.
            if (b + ring - a) % ring % 2 == 1 { (a, b) } else { (b, a) }
        });
        if players == seats {
            Draw { pairs: std::iter::once(opening).chain(others).collect(), bye: None }
        } else {
            Draw { pairs: others.collect(), bye: Some(pivot) }
        }
    };
    (0..ring).map(round).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(players: usize) -> String {
        let round = |draw: &Draw| {
            let pairs = draw.pairs.iter().map(|(a, b)| format!("{}-{}", a + 1, b + 1));
            let bye = draw.bye.map(|player| format!("({})", player + 1));
            pairs.chain(bye).collect::<Vec<_>>().join(" ")
        };
        berger(players).iter().map(round).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn the_tables_are_the_published_ones() {
        assert_eq!(table(2), "1-2");
        assert_eq!(table(4), "1-4 2-3 | 4-3 1-2 | 2-4 3-1");
        assert_eq!(table(6), "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1");
        assert_eq!(table(3), "2-3 (1) | 1-2 (3) | 3-1 (2)");
    }

    #[test]
    fn everyone_meets_everyone_and_roles_are_balanced() {
        for players in 2..=66 {
            check(players, 1, RoundRobin.next(players, &[]));
            check(players, 2, DoubleRoundRobin.next(players, &[]));
        }
        check(201, 1, RoundRobin.next(201, &[]));
    }

    fn check(players: usize, times: usize, rounds: Vec<Draw>) {
        let mut met = vec![vec![0; players]; players];
        let mut byes = vec![0; players];
        for draw in &rounds {
            let mut seen = vec![0; players];
            for &(odd, even) in &draw.pairs {
                met[odd][even] += 1;
                seen[odd] += 1;
                seen[even] += 1;
            }
            draw.bye.inspect(|player| {
                seen[*player] += 1;
                byes[*player] += 1;
            });
            assert!(seen.iter().all(|n| *n == 1), "once in each round: {draw:?}");
        }
        assert!(byes.iter().all(|n| *n == times * (players % 2)), "{byes:?}");
        for (player, row) in met.iter().enumerate() {
            let odd: usize = row.iter().sum();
            let even: usize = met.iter().map(|row| row[player]).sum();
            assert!(odd.abs_diff(even) <= times % 2, "{players}: {player} is Odd {odd} times");
            for other in (0..players).filter(|other| *other != player) {
                assert_eq!(row[other] + met[other][player], times);
                assert!(times == 1 || row[other] == 1, "in both roles");
            }
        }
    }
}
