//! Choices that only the drowned temple has.

use super::MUD_LEECH;
use crate::dungeon::{
    events::{
        Event,
        Gain::{self, Fight, Gold, Heal, Hurt, Learn, Mana, Poison, Stone, Strength, Vigour},
        Host::{Person, Thing},
        Need, News, end, risk, sure,
    },
    story::Mark::{Greed, Mercy},
    tables::{GREATER_HEALTH_POTION, HEALTH_POTION},
};

pub(super) static EVENTS: &[Event] = &[
    Event {
        host: Thing("Altar"),
        told: "An altar: 4 mana in the Silver Basin add 4 max HP; 5 HP in the Salt Basin fill your mana, \
               and 20 XP.",
        ways: &[
            sure(
                ["Silver Basin", "4 mana: +4 max HP"],
                Need::Mana(4),
                end("The basin keeps your reflection.", &[Vigour(4)]),
                "A silver basin holds a face that is yours, and still.",
            ),
            sure(
                ["Salt Basin", "5 HP: mana full, 20 XP"],
                Need::Blood(5),
                end("It stings, and then everything is clear.", &[Mana(99), Learn(20)]),
                "A salt basin has a red thread in it.",
            ),
        ],
    },
    Event {
        host: Thing("Broken Sea God"),
        told: "A broken sea god: his Pearl Eyes are worth 60 and poison; a Health Potion in his Hand \
               costs the boss 10 HP.",
        ways: &[
            sure(
                ["Pearl Eyes", "60 gold, and poison"],
                Need::Nothing,
                end("They come out with a sigh.", &[Gold(60), Poison, Gain::Mark(Greed)]),
                "A blind sea god stands here and knows where you are.",
            ),
            sure(
                ["Hand", "a Health Potion: 10 HP off the boss"],
                Need::Ware(&HEALTH_POTION),
                end(
                    "The hand closes round the flask, and the floor shakes, far below.",
                    &[Gain::Weaken(10), Gain::Mark(Mercy)],
                ),
                "A sea god holds up a small bottle like a trophy.",
            ),
        ],
    },
    Event {
        host: Person("Ferryman"),
        told: "A ferryman sits in a boat on a lake no bigger than the room.",
        ways: &[
            sure(
                ["pay", "20 gold: he tells {news}, and you rest your legs, 8 HP"],
                Need::Gold(20),
                end("It is a short trip, and a long story.", &[Gain::News(News::Key), Heal(8)]),
                "An empty boat turns in its lake.",
            ),
            risk(
                ["swim", "for the purse on the bottom: 4 to 6, 45 gold; else 7 HP"],
                Need::Nothing,
                4,
                [
                    end("You come up with a fistful and weed in your hair.", &[Gold(45)]),
                    end("Something on the bottom wanted it more.", &[Hurt(7)]),
                ],
                "A ferryman laughs softly over wet footprints.",
            )
            .stays(),
        ],
    },
    Event {
        host: Person("Thirsty Pilgrim"),
        told: "A pilgrim sits amid all this water with cracked lips.",
        ways: &[
            sure(
                [
                    "water",
                    "a Health Potion; the pilgrim carries something better, and cannot open it",
                ],
                Need::Ware(&HEALTH_POTION),
                end(
                    "The pilgrim drinks, weeps and gives you the other flask.",
                    &[Gain::Ware(&GREATER_HEALTH_POTION), Gain::Mark(Mercy)],
                ),
                "A pilgrim's staff leans here, and wet footprints go up.",
            ),
            sure(
                ["rob", "30 gold, the pilgrim's passage home"],
                Need::Nothing,
                end("The pilgrim has not the strength to object.", &[Gold(30), Gain::Mark(Greed)]),
                "A pilgrim sits here with turned-out pockets.",
            )
            .stays(),
        ],
    },
    Event {
        host: Thing("Sluice"),
        told: "A sluice roars: its Wheel takes 3 HP and shows what the water hid; its Chain brings 40 \
               gold on 4 to 6, else a leech.",
        ways: &[
            sure(
                ["Wheel", "3 HP: what the water hid, {news}"],
                Need::Blood(3),
                end("The roar sinks to a murmur, and then to words.", &[Gain::News(News::Secret)]),
                "A sluice stands shut and drips.",
            ),
            risk(
                ["Chain", "4 to 6: 40 gold; else a Mud Leech"],
                Need::Nothing,
                4,
                [
                    end("A box comes up, and it is not full of water.", &[Gold(40)]),
                    end("Something comes up, and it is holding on.", &[Fight(&MUD_LEECH)]),
                ],
                "A chain lies coiled beside a sluice.",
            ),
        ],
    },
    Event {
        host: Person("Oracle"),
        told: "An oracle kneels over a pool and says she has been expecting somebody taller.",
        ways: &[
            sure(
                ["truth", "15 gold: {news}"],
                Need::Gold(15),
                end("She spits into the pool, and it clears.", &[Gain::News(News::Key)]),
                "A pool lies here with a name fading from it.",
            ),
            sure(
                ["strength", "5 HP: +2 damage and +2 defense for 3 rounds"],
                Need::Blood(5),
                end(
                    "She writes on your arms, and it does not wash off at once.",
                    &[Strength, Stone],
                ),
                "An oracle rinses ink from her fingers.",
            )
            .stays(),
        ],
    },
];
