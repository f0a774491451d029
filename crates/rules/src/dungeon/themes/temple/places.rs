//! The drowned temple's places and its air.

use super::Spot;

pub(super) static ENTRANCES: &[Spot] = &[
    Spot("the Sea Stair", "Steps go down under the tide mark, and the sea has stepped aside."),
    Spot("the Wreck Hatch", "A ship came through the roof once, and you came in through the ship."),
    Spot("the Pilgrims' Ramp", "A ramp worn by bare feet goes down into green light."),
    Spot(
        "the Lighthouse Cellar",
        "Under the lamp there is a trapdoor, and under that there is this.",
    ),
];

pub(super) static ROOMS: &[Spot] = &[
    Spot(
        "the Hall of Fins",
        "Pillars are carved as leaping fish, and weed hangs from their mouths.",
    ),
    Spot("the Foot Baths", "Two rows of basins have filled with sand and small crabs."),
    Spot("the Whispering Colonnade", "Wind goes through the drilled columns and makes them talk."),
    Spot("the Tilted Chapel", "The whole chapel leans, and the water in it does not."),
    Spot("the Net Loft", "Nets hang so thick that you part them like hair."),
    Spot("the Mosaic Walk", "A sea battle goes on under your feet in ten thousand stones."),
    Spot("the Salt Cells", "Monks lived here, each behind a door of crystal now."),
    Spot(
        "the Choir of Shells",
        "Shells as big as chairs stand in a ring with their mouths inward.",
    ),
    Spot("the Blue Grotto", "Light comes up through the floor from somewhere below."),
    Spot("the Cistern", "Arches march away over water as still as slate."),
    Spot("the Weed Garden", "Somebody planted kelp in beds, and it has got out."),
    Spot("the Drowned Library", "Stone tablets lie in heaps, rubbed blank by the tide."),
    Spot(
        "the Anchor Court",
        "Anchors of every size lean on the walls with thank-you notes cut into them.",
    ),
    Spot("the Robing Room", "Robes stand by themselves, stiff with salt."),
    Spot("the Eel Run", "A channel divides the floor, and its surface is never quite flat."),
    Spot("the Broken Dome", "A quarter of a dome lies on the floor like a dropped cup."),
    Spot("the Offering Steps", "Each step holds a dish, and each dish holds a stone."),
    Spot("the Oarsmen's Tomb", "Oars are laid up here like the dead, blades to the door."),
    Spot("the Coral Arch", "Coral has finished what the masons began, and better."),
    Spot("the Sand Court", "Ripples cross the sand from a sea that is not here now."),
    Spot("the Lantern Pool", "Something in the water glows when you breathe."),
    Spot("the Sluice Gallery", "Iron gates stand in a row, every one at another height."),
    Spot("the Mermaids' Stair", "The steps are too high for legs, and worn in the middle."),
    Spot("the Whale Nave", "The ribs that hold this roof were not cut by anybody."),
    Spot("the Shrine of Small Boats", "Model ships hang from the vault, turning all one way."),
    Spot("the Tide Clock", "A wheel on the wall moves by a tooth when the sea does."),
    Spot("the Oyster Beds", "Shells carpet the floor and open a little as you pass."),
    Spot("the Bronze Doors", "Two green doors lie flat on the floor with waves cast on them."),
    Spot("the Kelp Forest", "Stalks as thick as arms go up into the dark and sway."),
    Spot("the Washed Refectory", "Long tables have floated up to one end and jammed."),
    Spot("the Pearl Divers' Rest", "Stone weights lie beside stone beds, a rope through each."),
    Spot("the Storm Porch", "Rain is carved into these walls so well that you feel it."),
    Spot("the Sunken Bell", "A bell hangs with its mouth under water, and sometimes bubbles."),
    Spot("the Map Floor", "Coasts are inlaid in brass, and most of them are wrong by now."),
    Spot("the Brine Stair", "Salt has made a frozen waterfall of the steps."),
    Spot("the Three Basins", "Fresh, salt and black stand side by side and do not mix."),
    Spot("the Moon Well", "A shaft goes up to a coin of sky."),
    Spot(
        "the Gallery of Masks",
        "Faces for a play about the sea hang with their eyes full of snails.",
    ),
    Spot("the Fishmonger's Crypt", "Rich fishmongers lie here, and are not ashamed of it."),
    Spot("the Wave Hall", "The floor rises and falls in stone, and makes you feel it."),
];

pub(super) static VAULTS: &[Spot] = &[
    Spot("the Tithe Grotto", "A bronze gate kept the sea's share here, and the sea."),
    Spot("the Pearl Bank", "Clay boxes stand in the wall, each with a thumbprint for a lock."),
    Spot("the Dry Room", "Wax and lead have kept this one room dry, down to the air."),
    Spot("the Purser's Hold", "Half a ship was walled in here, the half with the money."),
];

pub(super) static SECRETS: &[Spot] = &[
    Spot("the Air Bell", "The water never got in here, and the air is a thousand years old."),
    Spot(
        "the Navigator's Cell",
        "Stars are pricked into the lead of the ceiling, and they are right.",
    ),
    Spot("the Nautilus Stair", "A spiral goes in, and in, and ends in a seat for one."),
    Spot("the First Spring", "Sweet water rises from bare rock; they built all the rest for it."),
];

pub(super) static SANCTUMS: &[Spot] = &[
    Spot("the Inner Sanctum", "The god's chair is a wave of black glass, and it is not dusty."),
    Spot("the High Altar", "The congregation is still here, in rows, and they are all fish bones."),
];

pub(super) static POOLS: &[Spot] = &[
    Spot("the Mother's Pool", "The floor is one round pool, and its water goes round and round."),
    Spot("the Spawning Hall", "Eggs like lamps hang from the roof in ropes of jelly."),
];

pub(super) static SENSES: &[&str] = &[
    "The light goes green and slow.",
    "Drops fall all over the room, never twice in one place.",
    "It smells of tar and old rope.",
    "A wave breaks somewhere overhead.",
    "Your lips taste of salt.",
    "Something slides into water, politely.",
    "Your breath makes fog.",
    "The walls tick as snails cross them.",
    "A gull cries, which cannot be.",
    "Foam has left lace on the floor.",
    "The water in your boots is warm.",
    "There is a hum, as of a finger on a glass.",
    "It smells of rain that has not come.",
    "The floor gives a little, like a deck.",
    "Far away a chain runs out, and out.",
    "Your shadow wavers as if you were under water.",
    "A bubble rises, and takes its time.",
    "The air is so wet that you could drink it.",
];
