//! The crypt's places and its air.

use super::Spot;

pub(super) static ENTRANCES: &[Spot] = &[
    Spot(
        "the Lychgate Stair",
        "Worn steps come down from a gate where wreaths have rotted to wire.",
    ),
    Spot("the Chapel Floor", "The chapel's floor has fallen in, and you stand on what it fell on."),
    Spot("the Sexton's Door", "A spade props a low door open; past it the daylight gives up."),
    Spot("the Mausoleum Step", "Marble lions guard the top of the stair and look the other way."),
];

pub(super) static ROOMS: &[Spot] = &[
    Spot("the Bone Gallery", "Skulls fill the niches from floor to vault, all turned to the door."),
    Spot("the Long Dormitory", "Stone beds stand in two rows, made up in dust."),
    Spot("the Hall of Slabs", "Washing slabs run down the middle, each with its drain."),
    Spot("the Paupers' Pit", "The floor drops away into lime; a plank path goes round it."),
    Spot(
        "the Founders' Walk",
        "Twelve founders lie in a row, and twelve stone dogs at their feet.",
    ),
    Spot("the Weeping Arcade", "Water has cut tear tracks into every face along the arches."),
    Spot("the Shroud Loft", "Linen hangs from the beams in strips too long to be curtains."),
    Spot("the Candle Store", "A hill of melted wax has swallowed the shelves it ran from."),
    Spot("the Choir Below", "Carved seats face each other across a floor rubbed smooth by knees."),
    Spot("the Ossuary Well", "A dry shaft is lined with thigh bones, neat as brickwork."),
    Spot("the Widow's Chapel", "One marble woman kneels before a tomb with no name on it."),
    Spot(
        "the Broken Columbarium",
        "Hundreds of pigeonholes, and the ash of each on the floor below.",
    ),
    Spot("the Knights' Rest", "Stone men lie with crossed legs and noses knocked off."),
    Spot("the Salt Room", "White crusts climb the walls where something was kept from spoiling."),
    Spot("the Narrow Cloister", "A square walk goes round a garden of black mushrooms."),
    Spot("the Undercroft", "Fat pillars hold up a vault so low that you stoop."),
    Spot("the Registry", "Ledgers have rotted into their shelves, name by name."),
    Spot("the Sunken Apse", "Half a dome leans over you, painted with a sky that has flaked away."),
    Spot("the Twin Tombs", "Two lids have slid toward each other until they touch."),
    Spot("the Plague Door", "A red cross is painted on both sides of the arch."),
    Spot("the Root Cellar", "A yew has pushed its fingers through the ceiling and down the walls."),
    Spot("the Bier Shed", "Handcarts stand on end, their wheels long as a man is tall."),
    Spot("the Mirror Tomb", "Polished black stone gives you back, a moment late."),
    Spot("the Bell Pit", "A cracked bell lies where it fell, mouth down, half in the floor."),
    Spot("the Children's Row", "The tombs here are short, and somebody has swept them."),
    Spot("the Embalmers' Room", "Hooks, jars and a table with a groove round its edge."),
    Spot("the Stair of Names", "Every step is a gravestone, worn by feet until it cannot be read."),
    Spot("the Black Vault", "Soot has painted the whole vault, down to the height of a hand."),
    Spot("the Lantern Niche", "A bowl of the wall is cut to hold a single light, and does not."),
    Spot("the Iron Grille", "Bars divide the chamber, and the gate in them hangs by one hinge."),
    Spot("the Fallen Aisle", "Rubble fills one side; on the other the tiles still make a path."),
    Spot("the Reliquary", "Small doors stand open in the wall, and every little room is empty."),
    Spot("the Chalk Cave", "The masons stopped here; beyond their last arch the rock is its own."),
    Spot("the Draughty Crossing", "Draughts meet here under a keystone carved as a shut mouth."),
    Spot("the Abbot's Seat", "A stone chair faces the wall, as if it had been told to."),
    Spot("the Glass Coffin Hall", "Green panes lie about in the shapes of people."),
    Spot("the Dry Font", "A basin big enough to drown in stands on three carved frogs."),
    Spot("the Quiet Office", "A desk, a candle stub, and a floor worn by pacing."),
    Spot("the Mason's Yard", "Unfinished angels stand about without faces."),
    Spot("the Low Nave", "Pews have sunk into the earth until only their backs show."),
];

pub(super) static VAULTS: &[Spot] = &[
    Spot("the Bishop's Strongroom", "Oak and iron line a room made for money and nothing else."),
    Spot("the Treasury of Alms", "Slots in the ceiling show where coins once rained in."),
    Spot("the Sealed Sacristy", "Wax seals hang broken from a press of seven locks."),
    Spot(
        "the Tithe Cell",
        "Every stone of this cell bears a tally, and every tally is struck out.",
    ),
];

pub(super) static SECRETS: &[Spot] = &[
    Spot("the Anchorite's Cell", "Somebody walled themselves in here, and left by no door."),
    Spot("the Hidden Scriptorium", "Ink has dried in twelve horns, and the thirteenth is wet."),
    Spot("the Starlit Tomb", "Chips of glass in the ceiling make a sky that was never there."),
    Spot("the First Grave", "A mound of bare earth, older than everything built over it."),
];

pub(super) static THRONES: &[Spot] = &[
    Spot("the Throne of Ribs", "A throne of ribs rises on a stair of shields."),
    Spot("the King's Barrow", "A ship lies here under the hill, and its benches are full."),
];

pub(super) static CHANCELS: &[Spot] = &[
    Spot("the Abbess's Chancel", "Green smoke crawls down from an altar heaped with bandages."),
    Spot("the Infirmary", "Beds stand in a ring round one chair, and all the curtains are drawn."),
];

pub(super) static SENSES: &[&str] = &[
    "Somewhere a slow drip keeps time.",
    "The air tastes of old wax.",
    "Your light makes long shadows that do not quite follow.",
    "It smells of lime and wet linen.",
    "A draught turns a page where there is no book.",
    "Dust hangs in the air, as if somebody had just gone.",
    "Something small runs over dry leaves, far off.",
    "The cold comes up through your soles.",
    "You can hear your own heart, and nothing else.",
    "There is a smell of lilies, a week too old.",
    "A faint bell sounds, and you cannot say from where.",
    "The stone is warm here, which is worse.",
    "Moths circle your light without a sound.",
    "A whisper goes round the vault and comes back as your name, nearly.",
    "The dark here has a grain, like wood.",
    "Old smoke clings to everything.",
    "Earth trickles from a crack, stops, and trickles again.",
    "The silence has the weight of snow.",
];
