//! The mine's places and its air.

use super::Spot;

pub(super) static ENTRANCES: &[Spot] = &[
    Spot("the Adit", "Rails run in under a beam that says how many days without a death."),
    Spot("the Cage Landing", "The cage set you down, and its rope has gone slack above you."),
    Spot("the Washed-out Mouth", "A stream comes out of the hill here, and you went in beside it."),
    Spot("the Ladder Foot", "A hundred rungs end in a puddle and a nailed-up horseshoe."),
];

pub(super) static ROOMS: &[Spot] = &[
    Spot("the Turntable", "Rails meet on an iron disc that still turns with a push."),
    Spot("the Propped Gallery", "So many timbers hold this roof that you walk sideways."),
    Spot("the Flooded Stope", "Black water fills a cut vein, and a plank crosses it."),
    Spot("the Smithy Level", "Slag has run down the steps and set like spilled soup."),
    Spot("the Crystal Drift", "The walls glitter at every step and are as sharp as they look."),
    Spot("the Paymaster's Window", "A grille is let into the rock, with a shelf worn by elbows."),
    Spot("the Pony Stalls", "Eight stalls, eight names, and straw gone to powder."),
    Spot("the Blast Face", "Drill holes wait in a star for powder that never came."),
    Spot("the Broken Incline", "A steep track has thrown its carts in a heap at the bottom."),
    Spot("the Timber Yard", "Whole trees lie here that must have come down in pieces."),
    Spot(
        "the Mess Cave",
        "Benches are cut from the living rock, and the names of lunches into them.",
    ),
    Spot("the Salt Seam", "White walls sweat, and the floor squeaks like snow."),
    Spot("the Old Workings", "Somebody dug here with antlers, long before there was iron."),
    Spot(
        "the Echo Hall",
        "The vein was thick; what is left of it is a hall you could lose a church in.",
    ),
    Spot("the Sorting Floor", "Sieves hang in order of size over heaps in order of worth."),
    Spot("the Air Door", "A leather flap as big as a sail breathes in and out."),
    Spot("the Bad Ground", "Every prop leans, each another way, and grit runs down between them."),
    Spot("the Copper Gut", "Green streaks run down the walls of a passage just wide enough."),
    Spot("the Wheel Pit", "A wheel of oak and iron stands in its slot, taller than a house."),
    Spot("the Lamp Room", "Rows of hooks, and a lamp on every one but three."),
    Spot("the Fossil Bed", "Things with too many ribs lie flat in the ceiling."),
    Spot("the Chalk Tally", "A wall is white with strokes in fives, up to where an arm can reach."),
    Spot("the Dripping Raise", "A shaft goes up out of your light and rains on you."),
    Spot("the Coal Shelf", "Coal lies here like black bread, sliced and left."),
    Spot("the Powder Magazine", "Copper nails, felt floor, and a sign that begs you."),
    Spot("the Rockfall", "Half the chamber is boulders; a boot stands among them, empty."),
    Spot("the Pump Station", "A beam engine has stopped in the middle of a bow."),
    Spot(
        "the Narrow Crosscut",
        "You turn your shoulders and hold your breath, and it lets you through.",
    ),
    Spot("the Kobold Nest", "Rags, spoons and bottle tops are woven into a kind of wall."),
    Spot("the Iron Heart", "The rock is so red here that your hands look dipped."),
    Spot("the Sump", "All the water of the mine comes here to think."),
    Spot("the Open Cut", "The roof is open for thirty fathoms, and ends in a grey dot."),
    Spot("the Foundry", "Moulds lie open, and one holds a bell without a crack."),
    Spot(
        "the Warm Gallery",
        "Steam comes from a crack as if somebody were cooking under the floor.",
    ),
    Spot("the Boundary Stone", "A carved stone says whose land it is, in a script nobody reads."),
    Spot(
        "the Chapel of Saint Barb",
        "Miners cut a chapel here the size of a cupboard, with a pew.",
    ),
    Spot("the Silver Stair", "Steps go up a vein, each cut where the last silver was."),
    Spot("the Cart Graveyard", "Wheels, axles and one cart that still has its paint."),
    Spot("the Blue Gallery", "Something in the rock shines back your light as blue."),
    Spot("the Last Shift", "Nine jackets hang in a row over nine pairs of boots."),
];

pub(super) static VAULTS: &[Spot] = &[
    Spot("the Assay Office", "Scales stand under glass in a room with a door like a bank's."),
    Spot("the Bullion Room", "Shelves of iron bear the marks of bars that are gone."),
    Spot("the Company Safe", "You are inside the safe: it was built for wages by the cartload."),
    Spot("the Gem Closet", "A hundred little drawers, velvet in each, and most of them bare."),
];

pub(super) static SECRETS: &[Spot] = &[
    Spot("the Wildcat Drift", "Somebody mined here by night and kept it to themselves."),
    Spot("the Geode", "You stand inside a stone, and all of it is violet teeth."),
    Spot("the Dwarf Door", "Work too fine for the company's hands frames a hall for short people."),
    Spot("the Sealed Shift", "A wall fell behind them; they had tables, and cards, and time."),
];

pub(super) static OFFICES: &[Spot] = &[
    Spot("the Foreman's Hall", "Ledgers burn in a row of grates round a desk like a scaffold."),
    Spot(
        "the Deep Roll Call",
        "Tags hang by the thousand from the roof, and turn when nobody breathes.",
    ),
];

pub(super) static HEARTHS: &[Spot] = &[
    Spot("the Ember Nest", "The floor is clinker and the walls are glass, still soft."),
    Spot(
        "the Burning Seam",
        "A coal seam has burned here for a hundred years, and has been tended.",
    ),
];

pub(super) static SENSES: &[&str] = &[
    "A timber ticks as it takes the weight.",
    "The air is thick and tastes of pennies.",
    "Your light stops short, as if it had hit something.",
    "Water runs behind the wall, in a hurry.",
    "There is a knocking, three and then three.",
    "Dust falls in a thin straight line.",
    "It smells of lamp oil and wet dog.",
    "A rail sings, the way rails do before a cart.",
    "Your ears ache with the depth.",
    "Somewhere a chain shifts by one link.",
    "The draught is at your back now.",
    "It is warm enough to open your collar.",
    "Grit gets between your teeth.",
    "Far off somebody laughs, or a hinge does.",
    "The dark smells of matches.",
    "Your steps come back to you a little late.",
    "A cold breath comes up from under the rails.",
    "The rock groans once, like somebody turning over.",
];
