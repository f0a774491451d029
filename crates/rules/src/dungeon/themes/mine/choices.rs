//! Choices that only the mine has.

use super::KOBOLD_SNEAK;
use crate::dungeon::{
    events::{
        Event,
        Gain::{self, Fight, Gold, Heal, Hurt, Learn, Strength, Vigour, Weaken},
        Host::{Person, Thing},
        Need, News, end, risk, sure,
    },
    story::Mark::{Greed, Mercy},
    tables::{GREATER_HEALTH_POTION, MANA_POTION, STONE_POTION},
};

pub(super) static EVENTS: &[Event] = &[
    Event {
        host: Thing("Bad Timber"),
        told: "Ore glints behind bad timber: the Seam gives 55 gold on 3 to 6, else the roof, 8 HP; the \
               Prop set right, 20 gold and 20 XP.",
        ways: &[
            risk(
                ["Seam", "3 to 6: 55 gold; else 8 HP"],
                Need::Nothing,
                3,
                [
                    end("It comes away in your hands like cake.", &[Gold(55)]),
                    end("It comes away, and so does the rest.", &[Hurt(8)]),
                ],
                "A fresh scar in the seam shows where you dug.",
            ),
            sure(
                ["Prop", "20 gold and 20 XP, slowly"],
                Need::Nothing,
                end("You wedge, tap and listen, as the old ones did.", &[Gold(20), Learn(20)]),
                "A prop stands straight that leaned when you came.",
            ),
        ],
    },
    Event {
        host: Thing("Forge"),
        told: "A forge still glows: 4 HP at its Fire give +2 damage for 3 rounds; its Tub heals 10 HP.",
        ways: &[
            sure(
                ["Fire", "4 HP: +2 damage for 3 rounds, and 15 XP"],
                Need::Blood(4),
                end(
                    "You work the edge until it sings and your hands do not.",
                    &[Strength, Learn(15)],
                ),
                "The forge you worked at ticks as it cools.",
            ),
            sure(
                ["Tub", "heals 10 HP"],
                Need::Nothing,
                end("The water is black, and kind.", &[Heal(10)]),
                "A quenching tub stands empty beside a dying forge.",
            ),
        ],
    },
    Event {
        host: Person("Trapped Miner"),
        told: "A miner lies under a beam and says good evening.",
        ways: &[
            sure(
                ["lift", "4 HP; the miner knows {news}"],
                Need::Blood(4),
                end(
                    "The beam moves. So does the miner, with a limp and a great deal to say.",
                    &[Gain::News(News::Key), Gain::Mark(Mercy)],
                ),
                "A lifted beam leans where a miner lay.",
            ),
            sure(
                ["bargain", "leave the beam for later, against 30 gold now"],
                Need::Nothing,
                end("The miner pays, and watches you not lift.", &[Gold(30), Gain::Mark(Greed)]),
                "Under a beam somebody whistles, not for you.",
            )
            .stays(),
        ],
    },
    Event {
        host: Person("Kobold Broker"),
        told: "A kobold in spectacles opens a case of small bottles.",
        ways: &[
            sure(
                ["buy", "35 gold: a Stone Potion, and a Mana Potion with it"],
                Need::Gold(35),
                end(
                    "A pleasure, says the kobold, and means it.",
                    &[Gain::Ware(&STONE_POTION), Gain::Ware(&MANA_POTION)],
                ),
                "A kobold's visiting card lies on a stone.",
            ),
            risk(
                ["swindle", "pay in slag: on 4 to 6 a Stone Potion; else the kobold's guard"],
                Need::Nothing,
                4,
                [
                    end(
                        "The spectacles were for show.",
                        &[Gain::Ware(&STONE_POTION), Gain::Mark(Greed)],
                    ),
                    end("The kobold whistles.", &[Fight(&KOBOLD_SNEAK)]),
                ],
                "Broken glass and slag lie where a kobold did business.",
            ),
        ],
    },
    Event {
        host: Thing("Cart"),
        told: "A cart stands on a slope: its Brake eased gives 30 gold; its Load hides a great potion on \
               4 to 6, else rolls over you, 7 HP.",
        ways: &[
            sure(
                ["Brake", "30 gold"],
                Need::Nothing,
                end("It creeps down to you, tame as a cow.", &[Gold(30)]),
                "An empty cart rests against its buffer.",
            ),
            risk(
                ["Load", "4 to 6: a Greater Health Potion; else 7 HP"],
                Need::Nothing,
                4,
                [
                    end(
                        "Under the ore somebody has hidden their sick-bag.",
                        &[Gain::Ware(&GREATER_HEALTH_POTION)],
                    ),
                    end("The cart had been waiting for that.", &[Hurt(7)]),
                ],
                "A cart lies on its side with its load about it.",
            ),
        ],
    },
    Event {
        host: Thing("Caged Canary"),
        told: "A caged canary: out of its Door it would cost the boss 8 HP; its gilt Perch is worth 25; \
               to listen at its Bars adds 2 max HP.",
        ways: &[
            sure(
                ["Door", "8 HP off the boss"],
                Need::Nothing,
                end("It sits on your hand, thinks, and goes.", &[Weaken(8), Gain::Mark(Mercy)]),
                "A canary's cage stands open.",
            ),
            sure(
                ["Perch", "25 gold"],
                Need::Nothing,
                end("It will sing standing.", &[Gold(25), Gain::Mark(Greed)]),
                "A canary sits on the floor of its cage and says nothing.",
            ),
            sure(
                ["Bars", "+2 max HP"],
                Need::Nothing,
                end("You had forgotten that there were mornings.", &[Vigour(2)]),
                "A canary sings on, more softly.",
            ),
        ],
    },
];
