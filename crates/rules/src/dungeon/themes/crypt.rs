//! The crypt: bone, candle smoke, and the dead who do not agree to it.

mod choices;
mod places;

use super::{Boss, Furniture, Human, Lore, SCOUT, Spot, Theme};
use crate::dungeon::{
    manners::Manner,
    tables::{self, Breed, CROWN, GOLD_COINS, HEALTH_POTION, IRON_SWORD, MANA_POTION, STEEL_SWORD},
    tables::{STRENGTH_POTION, Ware, What, breed, ware},
    world::Role,
};

static GRAVE_RAT: Breed = breed("Grave Rat", [7, 1, 0], [12, 2], &[]).with(Manner::FleesAtHalf);
static CRYPT_SPIDER: Breed = breed("Crypt Spider", [11, 2, 0], [20, 3], &[]).with(Manner::Poisons);
static BONE_HAND: Breed = breed("Bone Hand", [9, 2, 0], [18, 3], &[]).with(Manner::Rises);
static DUST_IMP: Breed = breed("Dust Imp", [10, 2, 0], [20, 4], &[]).with(Manner::DrainsMana);
static CANDLE_WISP: Breed = breed("Candle Wisp", [9, 1, 0], [18, 4], &[]).with(Manner::Burns);

static SKELETON_GUARD: Breed =
    breed("Skeleton Guard", [16, 3, 1], [40, 8], &[&GOLD_COINS]).with(Manner::Guards);
static GRAVE_ROBBER: Breed =
    breed("Grave Robber", [17, 4, 1], [40, 16], &[&HEALTH_POTION]).with(Manner::Steals(30));
static TOMB_BEETLE: Breed = breed("Tomb Beetle", [18, 4, 0], [38, 6], &[]).with(Manner::Shell(3));
static MOURNER: Breed =
    breed("Mourner", [17, 3, 1], [42, 10], &[&MANA_POTION]).with(Manner::Withers);
static CORPSE_HOUND: Breed =
    breed("Corpse Hound", [18, 4, 0], [42, 6], &[]).with(Manner::StrikesLeavers);

static HOLLOW_MONK: Breed =
    breed("Hollow Monk", [19, 4, 1], [42, 10], &[&GOLD_COINS]).with(Manner::WindsUp(5));

static THORN_SAINT: Breed = breed("Thorn Saint", [20, 5, 1], [60, 14], &[]).with(Manner::Thorns);
static WIGHT: Breed = breed("Wight", [16, 5, 1], [62, 16], &[&HEALTH_POTION]).with(Manner::Drinks);
static BARROW_SHADE: Breed =
    breed("Barrow Shade", [14, 5, 1], [62, 14], &[&MANA_POTION]).with(Manner::Fades);
static BONE_CALLER: Breed =
    breed("Bone Caller", [20, 5, 0], [65, 22], &[&STRENGTH_POTION]).with(Manner::Calls(&BONE_HAND));
static PLAGUE_BEARER: Breed =
    breed("Plague Bearer", [22, 5, 0], [60, 12], &[&HEALTH_POTION]).with(Manner::Bursts);
static GHOUL: Breed = breed("Ghoul", [21, 5, 1], [60, 12], &[]).with(Manner::Enrages(2));

static BONE_KING: Breed =
    breed("Bone King", [39, 7, 3], [200, 100], &[&CROWN]).with(Manner::Regenerates(2)).boss();
static PLAGUE_ABBESS: Breed =
    breed("Plague Abbess", [42, 7, 3], [200, 100], &[&MITRE]).with(Manner::Poisons).boss();

static MITRE: Ware = ware("Abbess's Mitre", What::Riches, "Cloth of gold, moth-eaten", 250);
static PSALTER: Ware = ware("Founder's Psalter", What::Relic, "The names of all who lie here", 0);
static GRAVE_GOLD: Ware = ware("Grave Gold", What::Riches, "Coins from dead eyes", 45);
static SILVER_CENSER: Ware = ware("Silver Censer", What::Riches, "It still smells of myrrh", 40);
static BONE_FLUTE: Ware = ware("Bone Flute", What::Riches, "Nobody will ask whose", 35);

pub(in crate::dungeon) static LORE: Lore = Lore {
    theme: Theme::Crypt,
    entrances: places::ENTRANCES,
    rooms: places::ROOMS,
    vaults: places::VAULTS,
    secrets: places::SECRETS,
    senses: places::SENSES,
    companies: [
        &[
            &[&GRAVE_RAT, &GRAVE_RAT],
            &[&CRYPT_SPIDER],
            &[&SCOUT],
            &[&BONE_HAND],
            &[&CANDLE_WISP],
            &[&DUST_IMP],
        ],
        &[
            &[&SKELETON_GUARD, &GRAVE_RAT],
            &[&GRAVE_ROBBER],
            &[&TOMB_BEETLE],
            &[&MOURNER],
            &[&CORPSE_HOUND],
            &[&HOLLOW_MONK],
        ],
        &[
            &[&WIGHT],
            &[&BARROW_SHADE],
            &[&BONE_CALLER],
            &[&PLAGUE_BEARER],
            &[&GHOUL],
            &[&THORN_SAINT],
        ],
    ],
    bosses: &[
        Boss { breed: &BONE_KING, lairs: places::THRONES },
        Boss { breed: &PLAGUE_ABBESS, lairs: places::CHANCELS },
    ],
    weapons: [&IRON_SWORD, &STEEL_SWORD],
    treasures: &[&GRAVE_GOLD, &SILVER_CENSER, &BONE_FLUTE, &tables::JEWELED_RING],
    relic: &PSALTER,
    people: &[
        Human {
            role: Role::Merchant,
            name: "Grave Pedlar",
            before: "A pedlar of grave goods looks up from his tray.",
            after: "A pedlar of grave goods looks up from his tray.",
        },
        Human {
            role: Role::ShrineKeeper,
            name: "Candle Sister",
            before: "A sister trims the candles of a small altar.",
            after: "A sister prays, her hands still shaking from your healing.",
        },
        Human {
            role: Role::Hermit,
            name: "Bone Hermit",
            before: "A hermit sorts finger bones by size.",
            after: "A hermit has gone back to his finger bones.",
        },
        Human {
            role: Role::Knight,
            name: "Wounded Knight",
            before: "A wounded knight leans against a tomb.",
            after: "The knight you saved sits upright and salutes.",
        },
    ],
    furniture: &[
        Furniture("in", "Cracked Urn", "A cracked urn stands askew in its niche."),
        Furniture("behind", "Stone Angel", "A stone angel points at nothing."),
        Furniture("behind", "Coffin Rack", "A coffin rack holds five, and has room for six."),
        Furniture("behind", "Faded Tapestry", "A faded tapestry hangs too far from the wall."),
        Furniture("behind", "Votive Shelf", "A votive shelf has lost its middle lamp."),
        Furniture("behind", "Family Plaque", "One family plaque is cleaner than the rest."),
        Furniture("under", "Prayer Stool", "A prayer stool stands with its back to the altar."),
        Furniture(
            "under",
            "Iron Candlestick",
            "An iron candlestick is bolted to the floor, and turns.",
        ),
        Furniture("in", "Ledger Desk", "A ledger desk slopes toward the wall."),
        Furniture(
            "behind",
            "Broken Crozier",
            "A broken crozier hangs on two nails, one of them new.",
        ),
        Furniture(
            "under",
            "Hourglass Stand",
            "An hourglass stand holds an hourglass without sand.",
        ),
        Furniture("under", "Stained Rug", "A stained rug lies flatter on one side."),
        Furniture("in", "Cold Hearth", "A cold hearth has no soot in its chimney."),
        Furniture("in", "Holy Water Stoup", "A holy water stoup is full to the brim."),
        Furniture("under", "Wheeled Bier", "A wheeled bier stands across a corner."),
        Furniture("in", "Burial Niche", "One burial niche is deeper than it should be."),
    ],
    events: choices::EVENTS,
    endings: [
        "You sit down on what it left empty, and the dead bow.",
        "Those you were kind to carry you up into the morning.",
        "You read the names aloud, and one by one the dead lie down.",
        "Your map of the crypt is copied for a hundred years.",
        "The dead are poorer by all you could carry, and they know your name.",
        "The bells of the valley ring, and nobody is pulling the ropes.",
    ],
};
