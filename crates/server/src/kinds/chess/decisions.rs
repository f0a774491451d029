//! What the computer does beside the board: answers, offers and claims draws, gives up.
//!
//! Nothing here thinks; what a position is worth comes from the engine, as a `Prospect`.

use chess_engine::{EngineLevel, Prospect, can_win, may_be_dead, may_be_hopeless};
use rules::chess::{View, WhyNot, decline};
use shakmaty::Color;

/// Whoever offered a draw so many half-moves ago need not ask again.
const PESTERING: usize = 10;
/// The computer itself waits so long before it offers another.
const BETWEEN_OFFERS: usize = 20;
/// Below this level it plays on to the end, for its opponents have to learn how to mate.
const RESIGNS_FROM: u8 = 4;
/// Who stands no better than this takes a draw that is there.
const NO_BETTER: i32 = 20;

/// The computer at its place.
pub struct Side<'a> {
    pub view: &'a View,
    pub color: Color,
    pub level: EngineLevel,
}

impl Side<'_> {
    pub fn is_offered_draw(&self) -> bool {
        self.view.draw_offer == Some(!self.color)
    }

    /// Where takebacks are free nobody asks for one: here a move stands.
    pub fn is_asked_for_takeback(&self) -> bool {
        self.view.takeback_request == Some(!self.color)
    }

    /// The answer to an offer that needs no thought, if it is one of those.
    pub fn rebuff(&self) -> Option<String> {
        let position = self.view.position();
        let nothing_left = may_be_dead(&position) || !can_win(&position, self.color);
        (self.is_pestered() && !nothing_left).then(|| decline(WhyNot::Again))
    }

    pub fn answer_offer(&self, prospect: Prospect) -> String {
        match prospect {
            _ if prospect.dead || prospect.cannot_win => "acceptDraw".to_owned(),
            _ if self.is_pestered() => decline(WhyNot::Again),
            _ if prospect.welcomes_draw() => "acceptDraw".to_owned(),
            _ if prospect.stands_better() => decline(WhyNot::Better),
            _ => decline(WhyNot::Playable),
        }
    }

    fn is_pestered(&self) -> bool {
        let mut offers = self.view.offers.iter().rev().filter(|offer| offer.by != self.color);
        // The first of these is the one to be answered.
        offers.nth(1).is_some_and(|earlier| earlier.ply + PESTERING > self.view.moves.len())
    }

    /// Whether there may be something better to do than to play a move that seems worth `score`.
    pub fn wonders(&self, score: Option<i32>) -> bool {
        self.view.claim.is_some()
            || !self.view.claims_with.is_empty()
            || self.may_resign() && score.is_some_and(may_be_hopeless)
            || self.may_offer() && may_be_dead(&self.view.position())
    }

    /// What to do, with `mv` at hand.
    pub fn decide(&self, mv: &str, prospect: Prospect) -> String {
        let claims = prospect.dead || prospect.cannot_win || prospect.score <= NO_BETTER;
        let mut with = self.view.claims_with.iter().map(|(mv, _)| mv.uci.as_str());
        match self.view.claim {
            Some(_) if claims => return "claimDraw".to_owned(),
            None if claims && with.any(|known| known == mv) => return format!("claimDraw {mv}"),
            _ => {}
        }
        if self.may_resign() && prospect.is_hopeless() {
            return "resign".to_owned();
        }
        if self.may_offer() && prospect.dead {
            return format!("{mv} offerDraw");
        }
        mv.to_owned()
    }

    fn may_resign(&self) -> bool {
        self.view.setup.resigns && self.level.get() >= RESIGNS_FROM
    }

    fn may_offer(&self) -> bool {
        let last = self.view.offers.iter().rev().find(|offer| offer.by == self.color);
        self.view.draw_offer.is_none()
            && self.view.takeback_request.is_none()
            && last.is_none_or(|last| last.ply + BETWEEN_OFFERS <= self.view.moves.len())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use chess_engine::Searcher;
    use rules::{
        Eye, Record,
        chess::{BLACK, Chess, WHITE, seat_of},
    };

    use super::*;

    /// A game from this position after these turns, of which those behind an `=` are Black's.
    fn view(fen: &str, turns: &str) -> View {
        let setup = serde_json::json!({ "fen": fen }).to_string();
        let kind = rules::kind("chess").expect("chess is known");
        let mut game = Record::start(kind, &setup, 1).expect("a game");
        for text in turns.split(',').filter(|text| !text.is_empty()) {
            let (seat, text) = match text.split_once('=') {
                Some((_, text)) => (BLACK, text),
                None if game.due().includes(WHITE) || rules::chess::is_action(text) => {
                    (WHITE, text)
                }
                None => (BLACK, text),
            };
            game.take(game.step(seat, text).unwrap_or_else(|why| panic!("{text}: {why}")));
        }
        game.view::<Chess>(Eye::Public).expect("chess")
    }

    fn prospect(view: &View, color: Color) -> Prospect {
        let mover = view.turn == color;
        let prospect =
            Searcher::new().prospect(&view.start, &view.moves, mover, &AtomicBool::new(false));
        prospect.expect("nobody stopped it")
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const ROOKS: &str = "8/8/8/3k4/8/3K4/R7/7r w - - 0 60";
    const QUEEN_UP: &str = "4k3/8/8/8/8/8/8/3QK3 w - - 0 60";
    const QUEEN_UP_IN_PLAY: &str = "rnb1kbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 4";

    /// What Black, being the computer, answers when White offers a draw.
    fn answer(fen: &str, turns: &str, level: u8) -> String {
        let view = view(fen, turns);
        let level = EngineLevel::new(level).expect("a level");
        let side = Side { view: &view, color: Color::Black, level };
        assert!(side.is_offered_draw());
        side.rebuff().unwrap_or_else(|| side.answer_offer(prospect(&view, Color::Black)))
    }

    #[test]
    fn no_level_gives_away_half_a_point_before_the_first_move() {
        for level in 1..=10 {
            assert_eq!(answer(START, "offerDraw", level), "declineDraw playable");
            assert_eq!(answer(START, "e2e4,offerDraw", level), "declineDraw playable");
        }
    }

    #[test]
    fn a_draw_is_taken_where_nothing_else_is_left_or_it_stands_worse() {
        assert_eq!(answer(ROOKS, "offerDraw", 10), "acceptDraw");
        assert_eq!(answer(QUEEN_UP, "offerDraw", 1), "acceptDraw");
        let queen_down = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 4";
        assert_eq!(answer(queen_down, "offerDraw", 10), "declineDraw better");
    }

    #[test]
    fn a_draw_is_taken_by_one_who_cannot_win() {
        for fen in [
            "8/8/8/3k4/8/3K4/8/1N4N1 w - - 0 60",
            "8/8/8/8/8/k7/P7/K7 w - - 0 60",
            "8/8/8/8/4k3/8/4P3/4K3 w - - 0 60",
            "8/4k3/8/4P3/4K3/8/8/8 w - - 0 60",
            "8/8/8/1b1k4/8/3K4/3R4/8 w - - 0 60",
            "4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 60",
        ] {
            assert_eq!(answer(fen, "offerDraw", 5), "acceptDraw", "{fen}");
        }
        let again = "offerDraw,=declineDraw,a1b1,a3b4,offerDraw";
        assert_eq!(answer("8/8/8/8/8/k7/P7/K7 w - - 0 60", again, 5), "acceptDraw");
        // A knight that mates at once has something to play for.
        let smothered = "8/8/8/8/3n4/8/P6P/K1k5 w - - 0 60";
        assert_eq!(answer(smothered, "h2h3,offerDraw", 5), "declineDraw better");
    }

    #[test]
    fn who_asks_at_every_move_is_sent_away() {
        let again = "offerDraw,=declineDraw,e2e4,e7e5,offerDraw";
        assert_eq!(answer(START, again, 5), "declineDraw again");
        // Even from one who would have been welcome, but not where nothing is left.
        let again = "offerDraw,=declineDraw,a2a3,a7a6,offerDraw";
        assert_eq!(answer(QUEEN_UP_IN_PLAY, again, 5), "declineDraw again");
        assert_eq!(answer(ROOKS, "offerDraw,=declineDraw,a2a3,h1h2,offerDraw", 5), "acceptDraw");
        let later = "offerDraw,=declineDraw,g1f3,g8f6,f3g1,f6g8,b1c3,b8c6,c3b1,c6b8,e2e4,e7e5,\
                     offerDraw";
        assert_eq!(answer(START, later, 5), "declineDraw playable");
    }

    /// What White, being the computer, does with this move at hand, and whether it wonders.
    fn decide(fen: &str, turns: &str, level: u8, mv: &str) -> String {
        let view = view(fen, turns);
        let color = view.turn;
        assert_eq!(seat_of(color), WHITE);
        let side = Side { view: &view, color, level: EngineLevel::new(level).expect("a level") };
        let prospect = prospect(&view, color);
        if side.wonders(Some(prospect.score)) { side.decide(mv, prospect) } else { mv.to_owned() }
    }

    #[test]
    fn it_resigns_when_hopeless_from_level_four_on() {
        let lost = "3qk3/8/8/8/8/8/8/4K3 w - - 0 60";
        assert_eq!(decide(lost, "", 4, "e1f2"), "resign");
        assert_eq!(decide(lost, "", 10, "e1f2"), "resign");
        assert_eq!(decide(lost, "", 3, "e1f2"), "e1f2");
        assert_eq!(decide(START, "", 10, "e2e4"), "e2e4");
    }

    #[test]
    fn it_does_not_resign_where_that_is_switched_off() {
        let setup =
            serde_json::json!({ "fen": "3qk3/8/8/8/8/8/8/4K3 w - - 0 60", "resigns": false });
        let kind = rules::kind("chess").expect("chess is known");
        let game = Record::start(kind, &setup.to_string(), 1).expect("a game");
        let view = game.view::<Chess>(Eye::Public).expect("chess");
        let side = Side { view: &view, color: Color::White, level: EngineLevel::ALL[9] };
        let prospect = prospect(&view, Color::White);
        assert!(prospect.is_hopeless());
        assert_eq!(side.decide("e1f2", prospect), "e1f2");
    }

    #[test]
    fn it_offers_and_claims_draws_that_are_there() {
        assert_eq!(decide(ROOKS, "", 7, "a2a3"), "a2a3 offerDraw");
        // Not twice in a row.
        let offered = "a2a3 offerDraw,=declineDraw,h1h2";
        assert_eq!(decide(ROOKS, offered, 7, "a3a4"), "a3a4");
        let round = "a2a3,h1h2,a3a2,h2h1,a2a3,h1h2,a3a2,h2h1";
        assert_eq!(decide(ROOKS, round, 7, "a2a3"), "claimDraw");
        // With the rook back on a3 the position would stand for the third time.
        let nearly = "a2a3,h1h2,a3a2,h2h1,a2a3,h1h2,a3a4,h2h1";
        assert_eq!(decide(ROOKS, nearly, 7, "a4a3"), "claimDraw a4a3");
        assert_eq!(decide(ROOKS, nearly, 7, "a4a5"), "a4a5 offerDraw");
        // Nobody has to claim what the fifty-move rule gives away.
        let slow = QUEEN_UP.replace(" 0 60", " 100 110");
        assert_eq!(decide(&slow, "", 7, "d1d2"), "d1d2");
        // With a queen more it plays on.
        let round = "d1d2,e8e7,d2d1,e7e8,d1d2,e8e7,d2d1,e7e8";
        assert_eq!(decide(QUEEN_UP, round, 7, "d1d2"), "d1d2");
    }
}
