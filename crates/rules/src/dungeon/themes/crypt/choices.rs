//! Choices that only the crypt has.

use super::BONE_HAND;
use crate::dungeon::{
    events::{
        Event,
        Gain::{self, Fight, Gold, Heal, Hurt, Learn, Stone, Weaken},
        Host::{Person, Thing},
        Need, News, end, risk, sure,
    },
    story::Mark::{Greed, Mercy},
    tables::{MANA_POTION, STRENGTH_POTION},
};

pub(super) static EVENTS: &[Event] = &[
    Event {
        host: Thing("Faceless Saint"),
        told: "A faceless saint: 6 HP in his Bowl give +2 defense for 3 rounds; 25 gold in his Box heal \
               20 HP.",
        ways: &[
            sure(
                ["Bowl", "6 HP: +2 defense for 3 rounds, and 15 XP"],
                Need::Blood(6),
                end(
                    "The saint drinks, and you feel his weight settle on you.",
                    &[Stone, Learn(15)],
                ),
                "A faceless saint stands over a red bowl.",
            ),
            sure(
                ["Box", "25 gold: heals 20 HP"],
                Need::Gold(25),
                end("The coins fall for a long time.", &[Heal(20)]),
                "A faceless saint stands over a full box.",
            ),
        ],
    },
    Event {
        host: Thing("Sarcophagus"),
        told: "A sarcophagus stands ajar: its Lid hides treasure on 4 to 6, else its owner; its Name can \
               be read in peace.",
        ways: &[
            risk(
                ["Lid", "4 to 6: 30 gold and a Strength Potion; else a Bone Hand"],
                Need::Nothing,
                4,
                [
                    end(
                        "Nobody is at home, and the grave goods are good.",
                        &[Gold(30), Gain::Ware(&STRENGTH_POTION)],
                    ),
                    end("Somebody is at home.", &[Fight(&BONE_HAND)]),
                ],
                "A sarcophagus lies open and looked through.",
            ),
            sure(
                ["Name", "20 XP, and the dead are pleased"],
                Need::Nothing,
                end(
                    "You read it out, every title, and the lid slides shut by itself.",
                    &[Learn(20), Gain::Mark(Mercy)],
                ),
                "A sarcophagus is shut, and its name wiped clean.",
            ),
        ],
    },
    Event {
        host: Person("Pale Widow"),
        told: "A pale widow stands by a tomb and casts no shadow.",
        ways: &[
            sure(
                ["pray", "3 mana: she will trouble the boss's sleep, 8 HP of it"],
                Need::Mana(3),
                end(
                    "You say the words with her, and something far below groans.",
                    &[Weaken(8), Gain::Mark(Mercy)],
                ),
                "Where the widow stood there is a ring of frost.",
            ),
            sure(
                ["ask", "3 HP to hear the dead: {news}"],
                Need::Blood(3),
                end("Her voice is a cold coin on the tongue.", &[Gain::News(News::Key)]),
                "The widow has turned back to her tomb.",
            )
            .stays(),
        ],
    },
    Event {
        host: Person("Gravedigger"),
        told: "A gravedigger leans on his spade, up to the knees in somebody's plot.",
        ways: &[
            risk(
                ["dig", "20 gold a hole: on 3 to 6 there are 60 in it"],
                Need::Gold(20),
                3,
                [
                    end("The spade rings on a box.", &[Gold(60)]),
                    end("Clay, clay, and a shoe.", &[]),
                ],
                "A fresh hole yawns where the gravedigger stood.",
            ),
            sure(
                ["ask", "15 gold: what he saw from below, {news}"],
                Need::Gold(15),
                end("He counts the coins twice before he says it.", &[Gain::News(News::Secret)]),
                "A spade stands in the earth, its owner gone to drink.",
            ),
        ],
    },
    Event {
        host: Thing("Cold Brazier"),
        told: "A cold brazier: 2 mana light its Coals for 25 XP; its Ash hides a Mana Potion on 4 to 6, \
               else a hot nail, 4 HP.",
        ways: &[
            sure(
                ["Coals", "2 mana: 25 XP and light"],
                Need::Mana(2),
                end("Flame climbs, and the shadows go and stand in the corners.", &[Learn(25)]),
                "The brazier you lit burns with a clear flame.",
            ),
            risk(
                ["Ash", "4 to 6: a Mana Potion; else 4 HP"],
                Need::Nothing,
                4,
                [
                    end("Under the ash, wrapped in wool, is a flask.", &[Gain::Ware(&MANA_POTION)]),
                    end("Under the ash is a nail that has not cooled.", &[Hurt(4)]),
                ],
                "Ash lies raked out round a cold brazier.",
            ),
        ],
    },
    Event {
        host: Thing("Passing Bell"),
        told: "A passing bell: its Rope costs the boss 8 HP and wakes a Bone Hand; its Clapper is silver, \
               30 gold.",
        ways: &[
            sure(
                ["Rope", "8 HP off the boss, and a Bone Hand here"],
                Need::Nothing,
                end(
                    "The bell says one word, and two things hear it.",
                    &[Weaken(8), Fight(&BONE_HAND)],
                ),
                "A passing bell still hums to itself.",
            ),
            sure(
                ["Clapper", "30 gold"],
                Need::Nothing,
                end("You pocket its voice.", &[Gold(30), Gain::Mark(Greed)]),
                "A bell hangs here without a tongue.",
            ),
        ],
    },
];
