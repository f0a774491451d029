//! Choices that any dungeon may hold.

use super::{
    Event,
    Gain::{self, Fight, Gold, Heal, Hurt, Learn, Loss, Poison, Scar, Vigour, Weaken},
    Host::{Person, Thing},
    Need, News, end, risk, sure,
};
use crate::dungeon::{
    manners::Manner,
    story::Mark::{Curse, Greed, Mercy},
    tables::{Breed, GREATER_HEALTH_POTION, HEALTH_POTION, Ware, What, breed, ware},
};

static BLACK_SWORD: Ware =
    ware("Black Sword", What::Weapon(9), "Damage 9, and it is always cold", 60);
static RIVAL: Breed =
    breed("Rival", [18, 4, 1], [45, 40], &[&HEALTH_POTION]).with(Manner::StrikesLeavers);

pub(in crate::dungeon) static EVENTS: &[Event] = &[
    Event {
        host: Person("Gambler"),
        told: "A gambler rattles one honest die in a cup and grins.",
        ways: &[
            risk(
                ["play", "30 gold on one die: 4 to 6 pays 70"],
                Need::Gold(30),
                4,
                [
                    end("The die is good to you, and he pays with a sigh.", &[Gold(70)]),
                    end("The die is not good to you; the gambler is.", &[]),
                ],
                "The gambler has put his cup away and hums.",
            )
            .stays(),
            risk(
                ["cheat", "his purse, about 45 gold; on 1 to 3 he sees it and hits, 7 HP"],
                Need::Nothing,
                4,
                [
                    end("Your fingers are quicker than his eyes.", &[Gold(45), Gain::Mark(Greed)]),
                    end("He catches your wrist, and then your jaw.", &[Hurt(7)]),
                ],
                "Where the gambler sat there is an empty stool.",
            ),
        ],
    },
    Event {
        host: Person("Stone Face"),
        told: "A stone face in the wall asks: what has a bed and never sleeps?",
        ways: &[
            sure(
                ["river", "the answer: a river"],
                Need::Nothing,
                end("The face smiles, for the first time in an age.", &[Learn(40), Vigour(2)]),
                "A stone face in the wall sleeps, smiling.",
            )
            .stays(),
            sure(
                ["shadow", "the answer: a shadow"],
                Need::Nothing,
                end("Wrong, says the face, and spits gravel.", &[Hurt(5)]),
                "A stone face in the wall looks past you, bored.",
            )
            .stays(),
            sure(
                ["sick", "the answer: the sick"],
                Need::Nothing,
                end("Wrong, says the face, and shuts its eyes hard enough to hurt.", &[Hurt(5)]),
                "A stone face in the wall keeps its eyes shut.",
            )
            .stays(),
        ],
    },
    Event {
        host: Person("Caged Raven"),
        told: "A raven in a cage asks: what grows the more you take from it?",
        ways: &[
            sure(
                ["hole", "the answer: a hole"],
                Need::Nothing,
                end(
                    "The raven bows and tells what it saw from above.",
                    &[Learn(30), Gain::News(News::Key)],
                ),
                "An empty cage swings where the raven was.",
            ),
            sure(
                ["hunger", "the answer: hunger"],
                Need::Nothing,
                end("The raven laughs until feathers fall, and pecks you.", &[Hurt(4)]),
                "The raven has turned its back.",
            )
            .stays(),
            sure(
                ["free", "no answer: open the cage"],
                Need::Nothing,
                end("It is out before you can change your mind.", &[Gain::Mark(Mercy)]),
                "A few black feathers lie under an open cage.",
            ),
        ],
    },
    Event {
        host: Person("Prisoner"),
        told: "A prisoner grips the bars of a cell and waits for you to speak.",
        ways: &[
            sure(
                ["free", "bend the bars for 5 HP; the prisoner knows the boss's old wound"],
                Need::Blood(5),
                end(
                    "The bars give. The prisoner tells where the boss was hurt, and is gone.",
                    &[Weaken(8), Gain::Mark(Mercy)],
                ),
                "A cell stands open, its bars bent by hand.",
            ),
            sure(
                ["rob", "take the 35 gold sewn into the coat, through the bars"],
                Need::Nothing,
                end("It is easy, and neither of you says a word.", &[Gold(35), Gain::Mark(Greed)]),
                "In a cell somebody sits with the face to the wall.",
            )
            .stays(),
        ],
    },
    Event {
        host: Person("Rival"),
        told: "Another adventurer blocks the way, hand on the hilt, half a smile.",
        ways: &[
            sure(
                ["duel", "fight it out"],
                Need::Nothing,
                end("The smile goes, and the blade comes out.", &[Fight(&RIVAL)]),
                "There are scuffs on the floor where two people fought.",
            ),
            sure(
                ["share", "25 gold for a Greater Health Potion and peace"],
                Need::Gold(25),
                end(
                    "You split what you have, and part as something like friends.",
                    &[Gain::Ware(&GREATER_HEALTH_POTION), Gain::Mark(Mercy)],
                ),
                "Two cups stand on a stone where you drank with a rival.",
            ),
            risk(
                [
                    "bluff",
                    "say there is a dragon ahead: on 4 to 6 the rival drops 40 gold and runs",
                ],
                Need::Nothing,
                4,
                [
                    end("You have never seen anybody run so fast.", &[Gold(40)]),
                    end("The rival laughs and trips you in passing.", &[Hurt(4), Loss(15)]),
                ],
                "Hurried footprints lead away from here.",
            ),
        ],
    },
    Event {
        host: Person("Beggar"),
        told: "A beggar holds out a bowl and does not look up.",
        ways: &[
            sure(
                ["give", "10 gold"],
                Need::Gold(10),
                end(
                    "The beggar looks up, and you feel better than you have in days.",
                    &[Heal(20), Gain::Mark(Mercy)],
                ),
                "A beggar's bowl stands here, and nobody behind it.",
            ),
            sure(
                ["rob", "the bowl has 25 gold in it"],
                Need::Nothing,
                end(
                    "The bowl is yours. The look you get with it is too.",
                    &[Gold(25), Gain::Mark(Greed)],
                ),
                "Somebody has drawn your face on the wall, not kindly.",
            ),
        ],
    },
    Event {
        host: Thing("Wired Chest"),
        told: "A wired chest: the Lid costs 6 HP for 45 gold; the Wire costs nothing on 3 to 6, else 9 HP \
               and the gold.",
        ways: &[
            sure(
                ["Lid", "6 HP, 45 gold"],
                Need::Blood(6),
                end("The needle goes in, the lid comes up.", &[Gold(45)]),
                "A chest gapes, its needle bent.",
            ),
            risk(
                ["Wire", "3 to 6: 45 gold; else 9 HP"],
                Need::Nothing,
                3,
                [
                    end("The wire parts with a small sad note.", &[Gold(45)]),
                    end("The wire was the trap; the chest falls through the floor.", &[Hurt(9)]),
                ],
                "A cut wire curls on the floor.",
            ),
        ],
    },
    Event {
        host: Thing("Black Sword"),
        told: "A black sword stands in an anvil: its Hilt gives damage 9 for 6 max HP, for ever; the \
               Anvil gives 40 gold of silver.",
        ways: &[
            sure(
                ["Hilt", "a sword of damage 9 for 6 max HP, for ever"],
                Need::Nothing,
                end(
                    "It comes out as if it had waited for you.",
                    &[Gain::Ware(&BLACK_SWORD), Scar(6), Gain::Mark(Curse)],
                ),
                "An anvil with a slit in it stands here, colder than the room.",
            ),
            sure(
                ["Anvil", "40 gold of silver"],
                Need::Nothing,
                end("You break the silver off, and the sword with it.", &[Gold(40)]),
                "The pieces of a black sword lie round an anvil.",
            ),
        ],
    },
    Event {
        host: Thing("Two Spouts"),
        told: "Two spouts run: the Clear Spout heals 12 HP; the Dark Spout adds 4 max HP on 4 to 6, \
               else poisons.",
        ways: &[
            sure(
                ["Clear Spout", "heals 12 HP"],
                Need::Nothing,
                end("It tastes of snow.", &[Heal(12)]),
                "Two spouts in the wall have run dry.",
            ),
            risk(
                ["Dark Spout", "4 to 6: +4 max HP; else poison"],
                Need::Nothing,
                4,
                [
                    end("It tastes of iron, and you stand straighter.", &[Vigour(4)]),
                    end("It tastes of iron, and then of much worse.", &[Poison]),
                ],
                "A dark stain runs down the wall from a dry spout.",
            ),
        ],
    },
];
