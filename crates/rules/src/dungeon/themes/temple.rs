//! The drowned temple: green light, salt, and a tide that comes in doors.

mod choices;
mod places;

use super::{Boss, Furniture, Human, Lore, SCOUT, Spot, Theme};
use crate::dungeon::{
    manners::Manner,
    tables::{self, Breed, HEALTH_POTION, MANA_POTION, STONE_POTION, STRENGTH_POTION},
    tables::{Ware, What, breed, ware},
    world::Role,
};

static MUD_LEECH: Breed = breed("Mud Leech", [7, 1, 0], [12, 1], &[]).with(Manner::Drinks);
static BILGE_RAT: Breed = breed("Bilge Rat", [7, 1, 0], [12, 2], &[]).with(Manner::FleesAtHalf);
static REEF_CRAB: Breed = breed("Reef Crab", [11, 2, 0], [20, 3], &[]).with(Manner::Shell(2));
static PALE_FROG: Breed = breed("Pale Frog", [10, 2, 0], [20, 2], &[]).with(Manner::Poisons);
static DRIP_SPIRIT: Breed =
    breed("Drip Spirit", [10, 2, 0], [20, 5], &[&MANA_POTION]).with(Manner::DrainsMana);

static ACOLYTE: Breed =
    breed("Drowned Acolyte", [17, 3, 1], [42, 12], &[&MANA_POTION]).with(Manner::Withers);
static JELLY_SWARM: Breed = breed("Jelly Swarm", [17, 3, 0], [40, 4], &[]).with(Manner::Splits);
static PEARL_DIVER: Breed =
    breed("Pearl Diver", [17, 4, 1], [40, 18], &[&HEALTH_POTION]).with(Manner::Steals(30));
static CORAL_GUARD: Breed =
    breed("Coral Guard", [16, 3, 1], [40, 8], &[&STONE_POTION]).with(Manner::Guards);
static LURKING_EEL: Breed = breed("Lurking Eel", [18, 4, 0], [42, 4], &[]).with(Manner::WindsUp(5));

static LANTERN_FISH: Breed =
    breed("Lantern Fish", [17, 3, 0], [40, 6], &[&MANA_POTION]).with(Manner::Burns);

static WRECK_REAVER: Breed =
    breed("Wreck Reaver", [23, 5, 1], [60, 24], &[&HEALTH_POTION]).with(Manner::Enrages(2));
static MIST_PRIEST: Breed =
    breed("Mist Priest", [15, 5, 1], [62, 18], &[&MANA_POTION]).with(Manner::Fades);
static SIREN: Breed =
    breed("Siren", [20, 6, 0], [65, 20], &[&STRENGTH_POTION]).with(Manner::Calls(&DRIP_SPIRIT));
static URCHIN_KNIGHT: Breed =
    breed("Urchin Knight", [20, 5, 1], [60, 14], &[&HEALTH_POTION]).with(Manner::Thorns);
static TIDE_WIGHT: Breed =
    breed("Tide Wight", [20, 5, 1], [62, 12], &[&HEALTH_POTION]).with(Manner::Regenerates(2));
static RUST_GOLEM: Breed = breed("Rust Golem", [20, 5, 1], [62, 16], &[]).with(Manner::Rusts);

static HIERARCH: Breed = breed("Drowned Hierarch", [68, 7, 3], [200, 100], &[&TIARA])
    .with(Manner::Calls(&DRIP_SPIRIT))
    .boss();
static EEL_MOTHER: Breed =
    breed("Eel Mother", [80, 7, 3], [200, 100], &[&HEART_PEARL]).with(Manner::WindsUp(6)).boss();

static CORAL_BLADE: Ware = ware("Coral Blade", What::Weapon(5), "Damage 5, and it never dries", 20);
static TRIDENT: Ware = ware("Trident", What::Weapon(7), "Damage 7, one point for each sea", 50);
static TIARA: Ware =
    ware("Tide Tiara", What::Riches, "Gold, and a barnacle nobody dared remove", 250);
static HEART_PEARL: Ware = ware("Heart Pearl", What::Riches, "As big as a fist, and it beats", 250);
static TIDE_BELL: Ware = ware("Tide Bell", What::Relic, "Rung, it makes any water listen", 0);
static PEARLS: Ware = ware("String of Pearls", What::Riches, "A prayer for each, forgotten", 60);
static DROWNED_COINS: Ware = ware("Drowned Coins", What::Riches, "Green, and good", 40);
static SHELL_CUP: Ware = ware("Shell Cup", What::Riches, "Mother of pearl, rimmed with gold", 35);

pub(in crate::dungeon) static LORE: Lore = Lore {
    theme: Theme::Temple,
    entrances: places::ENTRANCES,
    rooms: places::ROOMS,
    vaults: places::VAULTS,
    secrets: places::SECRETS,
    senses: places::SENSES,
    companies: [
        &[
            &[&MUD_LEECH, &MUD_LEECH],
            &[&REEF_CRAB],
            &[&SCOUT],
            &[&PALE_FROG],
            &[&DRIP_SPIRIT],
            &[&BILGE_RAT, &BILGE_RAT],
        ],
        &[
            &[&ACOLYTE],
            &[&JELLY_SWARM],
            &[&PEARL_DIVER],
            &[&CORAL_GUARD, &MUD_LEECH],
            &[&LURKING_EEL],
            &[&LANTERN_FISH],
        ],
        &[
            &[&MIST_PRIEST],
            &[&SIREN],
            &[&URCHIN_KNIGHT],
            &[&TIDE_WIGHT],
            &[&RUST_GOLEM],
            &[&WRECK_REAVER],
        ],
    ],
    bosses: &[
        Boss { breed: &HIERARCH, lairs: places::SANCTUMS },
        Boss { breed: &EEL_MOTHER, lairs: places::POOLS },
    ],
    weapons: [&CORAL_BLADE, &TRIDENT],
    treasures: &[&PEARLS, &DROWNED_COINS, &SHELL_CUP, &tables::SILVER_CHALICE],
    relic: &TIDE_BELL,
    people: &[
        Human {
            role: Role::Merchant,
            name: "Net Trader",
            before: "A trader has hung his goods in a net from the vault.",
            after: "A trader has hung his goods in a net from the vault.",
        },
        Human {
            role: Role::ShrineKeeper,
            name: "Tide Keeper",
            before: "A tide keeper ladles water from one shell into another.",
            after: "A tide keeper rests, her shells both empty.",
        },
        Human {
            role: Role::Hermit,
            name: "Salt Hermit",
            before: "A hermit scrapes salt from the wall and tastes it.",
            after: "A hermit is asleep with salt on his beard.",
        },
        Human {
            role: Role::Knight,
            name: "Shipwrecked Knight",
            before: "A shipwrecked knight sits dripping on a step and holds his side.",
            after: "The knight you saved wrings out his cloak and hums.",
        },
    ],
    furniture: &[
        Furniture("behind", "Barnacled Idol", "A barnacled idol faces the wall."),
        Furniture("in", "Clam Bench", "A clam bench is not quite shut."),
        Furniture("under", "Wet Mosaic", "A wet mosaic of fishes lacks one fish."),
        Furniture("behind", "Tide Gauge", "A tide gauge reads higher than the ceiling."),
        Furniture("behind", "Kelp Curtain", "A kelp curtain sways where there is no current."),
        Furniture("under", "Anchor Stone", "An anchor stone has been dragged, and left a groove."),
        Furniture("under", "Offering Jar", "One offering jar stands upside down."),
        Furniture("behind", "Oar Rack", "An oar rack holds seven oars and a broom."),
        Furniture("under", "Cracked Bell Jar", "A cracked bell jar is blind with salt."),
        Furniture("behind", "Rope Ladder", "A rope ladder hangs from a ring and ends too soon."),
        Furniture("behind", "Figurehead", "A figurehead looks over her shoulder."),
        Furniture("behind", "Salt Pillar", "A salt pillar sounds hollow when you pass."),
        Furniture("behind", "Sponge Shelf", "A sponge shelf drips on one side."),
        Furniture("in", "Bronze Fish", "A bronze fish hangs on the wall with its mouth open."),
        Furniture("under", "Tiled Bench", "A tiled bench has one tile of another blue."),
        Furniture("in", "Sea Chest", "A sea chest lies open and looks empty."),
    ],
    events: choices::EVENTS,
    endings: [
        "The tide stops at your feet and waits for your word.",
        "Those you pulled from the water row you home, and sing all the way.",
        "You ring the tide bell once, and the sea remembers where it belongs.",
        "Your chart shows every chamber, and sailors swear by it.",
        "Your boat lies low with pearls, and gulls follow it as they follow wrecks.",
        "At low water the temple stands dry, and children run about in it.",
    ],
};
