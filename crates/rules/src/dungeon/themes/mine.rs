//! The mine: timber, wet rock, and those who never went home at the end of the shift.

mod choices;
mod places;

use super::{Boss, Furniture, Human, Lore, SCOUT, Spot, Theme};
use crate::dungeon::{
    manners::Manner,
    tables::{self, Breed, CROWN, GOLD_COINS, HEALTH_POTION, STONE_POTION, STRENGTH_POTION},
    tables::{Ware, What, breed, ware},
    world::Role,
};

static CAVE_BAT: Breed = breed("Cave Bat", [6, 1, 0], [11, 1], &[]).with(Manner::Drinks);
static KOBOLD_SNEAK: Breed =
    breed("Kobold Sneak", [10, 2, 0], [20, 6], &[&HEALTH_POTION]).with(Manner::Steals(15));
static LAMP_MOTH: Breed = breed("Lamp Moth", [9, 1, 0], [18, 2], &[]).with(Manner::Burns);
static GLOW_WORM: Breed = breed("Glow Worm", [11, 2, 0], [20, 3], &[]).with(Manner::Poisons);
static ORE_SLUG: Breed = breed("Ore Slug", [12, 2, 0], [20, 4], &[]).with(Manner::Rusts);

static CAVE_SLIME: Breed = breed("Cave Slime", [17, 3, 0], [40, 6], &[]).with(Manner::Splits);
static BLIND_MINER: Breed =
    breed("Blind Miner", [18, 4, 1], [42, 12], &[&HEALTH_POTION]).with(Manner::WindsUp(5));
static TUNNEL_CRAB: Breed = breed("Tunnel Crab", [18, 4, 0], [38, 6], &[]).with(Manner::Shell(3));
static GOBLIN_DRUMMER: Breed = breed("Goblin Drummer", [17, 4, 1], [42, 14], &[&GOLD_COINS])
    .with(Manner::Calls(&KOBOLD_SNEAK));
static STONE_HOUND: Breed =
    breed("Stone Hound", [18, 4, 0], [42, 6], &[]).with(Manner::StrikesLeavers);

static PALE_PONY: Breed = breed("Pale Pony", [15, 3, 0], [42, 2], &[]).with(Manner::Fades);

static SMOKE_HAG: Breed =
    breed("Smoke Hag", [18, 5, 1], [60, 20], &[&HEALTH_POTION]).with(Manner::Withers);
static OVERSEER: Breed =
    breed("Orc Overseer", [23, 5, 1], [62, 18], &[&HEALTH_POTION]).with(Manner::Enrages(2));
static GAS_BLOAT: Breed = breed("Gas Bloat", [22, 5, 0], [60, 8], &[]).with(Manner::Bursts);
static DEEP_TROLL: Breed =
    breed("Deep Troll", [20, 5, 1], [65, 14], &[&STRENGTH_POTION]).with(Manner::Regenerates(2));
static QUARTZ_BOAR: Breed = breed("Quartz Boar", [20, 5, 1], [60, 20], &[]).with(Manner::Thorns);
static SHIELD_ORC: Breed =
    breed("Shield Orc", [18, 5, 1], [50, 16], &[&STONE_POTION]).with(Manner::Guards);

static DEEP_FOREMAN: Breed =
    breed("Deep Foreman", [59, 7, 3], [200, 100], &[&CROWN]).with(Manner::Enrages(1)).boss();
static EMBER_WYRM: Breed =
    breed("Ember Wyrm", [50, 7, 3], [200, 100], &[&WYRM_PEARL]).with(Manner::Burns).boss();

static PICK: Ware = ware("Miner's Pick", What::Weapon(5), "Damage 5, made for harder heads", 20);
static HAMMER: Ware = ware("War Hammer", What::Weapon(7), "Damage 7, and it hums", 50);
static WYRM_PEARL: Ware = ware("Wyrm's Pearl", What::Riches, "Hot in the hand for ever", 250);
static FIRST_LAMP: Ware =
    ware("First Lamp", What::Relic, "It led the first shift down, and out", 0);
static NUGGET: Ware = ware("Gold Nugget", What::Riches, "Big as a tooth, bigger than yours", 45);
static SILVER_ORE: Ware = ware("Silver Ore", What::Riches, "Dull, heavy and honest", 35);
static OPAL: Ware = ware("Fire Opal", What::Riches, "A small sunset", 60);

pub(in crate::dungeon) static LORE: Lore = Lore {
    theme: Theme::Mine,
    entrances: places::ENTRANCES,
    rooms: places::ROOMS,
    vaults: places::VAULTS,
    secrets: places::SECRETS,
    senses: places::SENSES,
    companies: [
        &[
            &[&CAVE_BAT, &CAVE_BAT],
            &[&KOBOLD_SNEAK],
            &[&SCOUT],
            &[&LAMP_MOTH],
            &[&ORE_SLUG],
            &[&GLOW_WORM],
        ],
        &[
            &[&CAVE_SLIME],
            &[&BLIND_MINER],
            &[&TUNNEL_CRAB],
            &[&GOBLIN_DRUMMER],
            &[&STONE_HOUND],
            &[&PALE_PONY],
        ],
        &[
            &[&OVERSEER],
            &[&GAS_BLOAT],
            &[&DEEP_TROLL],
            &[&QUARTZ_BOAR],
            &[&SHIELD_ORC, &CAVE_BAT],
            &[&SMOKE_HAG],
        ],
    ],
    bosses: &[
        Boss { breed: &DEEP_FOREMAN, lairs: places::OFFICES },
        Boss { breed: &EMBER_WYRM, lairs: places::HEARTHS },
    ],
    weapons: [&PICK, &HAMMER],
    treasures: &[&NUGGET, &SILVER_ORE, &OPAL, &tables::SILVER_CHALICE],
    relic: &FIRST_LAMP,
    people: &[
        Human {
            role: Role::Merchant,
            name: "Sutler",
            before: "A sutler has spread his goods on an upturned cart.",
            after: "A sutler has spread his goods on an upturned cart.",
        },
        Human {
            role: Role::ShrineKeeper,
            name: "Lamp Mother",
            before: "A lamp mother fills the miners' lights from a stone cruse.",
            after: "A lamp mother sits by her empty cruse and smiles at you.",
        },
        Human {
            role: Role::Hermit,
            name: "Old Surveyor",
            before: "An old surveyor stretches a string from wall to wall.",
            after: "An old surveyor winds his string up, knot by knot.",
        },
        Human {
            role: Role::Knight,
            name: "Wounded Guard",
            before: "A wounded guard of the company lies under a blanket of sacking.",
            after: "The guard you saved is on his feet and sharpens a stick.",
        },
    ],
    furniture: &[
        Furniture("in", "Ore Bin", "An ore bin stands where no cart could reach it."),
        Furniture("behind", "Tool Rack", "A tool rack has one peg that shines."),
        Furniture("behind", "Timber Stack", "A timber stack leans on a wall that needs none."),
        Furniture("behind", "Shift Board", "A shift board hangs here, the last line unfinished."),
        Furniture("in", "Winch Drum", "A winch drum has a rope that goes into the rock."),
        Furniture("in", "Powder Keg", "A powder keg rings hollow."),
        Furniture("under", "Mess Table", "A mess table is laid for nine, with eight stools."),
        Furniture("under", "Rope Coil", "A rope coil lies too neatly for this place."),
        Furniture("behind", "Signal Bell", "A signal bell has its hammer tied back."),
        Furniture("in", "Water Barrel", "A water barrel stands full where nobody drinks."),
        Furniture("behind", "Drill Steel", "A drill steel sticks out of the rock at knee height."),
        Furniture("in", "Pay Chest", "A pay chest lies open, its false bottom not quite in."),
        Furniture(
            "behind",
            "Canvas Brattice",
            "A canvas brattice stirs where there is no draught.",
        ),
        Furniture("under", "Slag Heap", "A slag heap leans against one wall only."),
        Furniture(
            "under",
            "Miner's Bunk",
            "A miner's bunk is made up with the pillow at the foot.",
        ),
        Furniture("under", "Rail Buffer", "The rails end at a rail buffer with no scratch on it."),
    ],
    events: choices::EVENTS,
    endings: [
        "You blow the foreman's whistle, and something below answers the shift.",
        "Those you helped carry you to the cage and wind you up with song.",
        "You hang the first lamp at the mouth, and the last shift comes home by it.",
        "The company buys your map, and closes nine shafts because of it.",
        "Your pockets tear on the ladder; behind you they are already digging for it.",
        "The wheel at the pit head turns again, and for once it brings up only ore.",
    ],
};
