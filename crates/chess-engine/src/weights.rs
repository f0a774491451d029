//! What each term of `terms` is worth, in centipawns: early, late.
//!
//! The numbers were fitted to how games of the engine against itself ended.

use crate::taper::{Taper, taper};
use crate::terms::COUNT;

#[rustfmt::skip]
pub(crate) static WEIGHTS: [Taper; COUNT] = [
    // squares: pawn
    taper(80, 114), taper(86, 112), taper(90, 112), taper(92, 112), taper(61, 115), taper(93, 128), taper(88, 125), taper(90, 127),
    taper(71, 121), taper(99, 104), taper(94, 118), taper(103, 103), taper(71, 126), taper(83, 122), taper(105, 117), taper(117, 108),
    taper(104, 128), taper(100, 134), taper(130, 146), taper(120, 116), taper(104, 161), taper(126, 147), taper(113, 151), taper(134, 159),
    taper(144, 159), taper(117, 196), taper(126, 180), taper(156, 177), taper(80, 114), taper(86, 112), taper(90, 112), taper(92, 112),
    // squares: knight
    taper(299, 286), taper(313, 289), taper(314, 298), taper(347, 317), taper(329, 314), taper(343, 302), taper(340, 306), taper(343, 306),
    taper(339, 319), taper(349, 296), taper(338, 334), taper(358, 300), taper(351, 289), taper(346, 330), taper(351, 327), taper(351, 328),
    taper(349, 307), taper(335, 331), taper(385, 328), taper(372, 337), taper(332, 306), taper(345, 309), taper(354, 319), taper(364, 323),
    taper(315, 304), taper(341, 316), taper(332, 317), taper(355, 327), taper(295, 288), taper(312, 303), taper(323, 311), taper(325, 314),
    // squares: bishop
    taper(311, 308), taper(329, 319), taper(339, 340), taper(342, 354), taper(342, 331), taper(359, 345), taper(365, 337), taper(358, 312),
    taper(334, 350), taper(366, 350), taper(358, 334), taper(353, 350), taper(368, 326), taper(359, 331), taper(367, 340), taper(384, 335),
    taper(336, 315), taper(362, 324), taper(375, 336), taper(351, 340), taper(335, 324), taper(360, 336), taper(326, 337), taper(367, 347),
    taper(329, 324), taper(349, 334), taper(367, 343), taper(362, 330), taper(339, 300), taper(339, 322), taper(328, 323), taper(332, 320),
    // squares: rook
    taper(490, 536), taper(474, 544), taper(508, 528), taper(516, 505), taper(482, 539), taper(468, 532), taper(481, 547), taper(481, 536),
    taper(446, 536), taper(474, 534), taper(487, 540), taper(500, 519), taper(498, 544), taper(472, 561), taper(478, 547), taper(496, 551),
    taper(490, 550), taper(493, 558), taper(506, 552), taper(508, 537), taper(501, 548), taper(492, 557), taper(495, 550), taper(486, 532),
    taper(510, 551), taper(514, 549), taper(513, 542), taper(506, 556), taper(497, 560), taper(507, 566), taper(496, 560), taper(498, 560),
    // squares: queen
    taper(1021, 975), taper(986, 972), taper(1028, 982), taper(1020, 964), taper(1008, 975), taper(1038, 987), taper(1025, 984), taper(1022, 992),
    taper(1010, 986), taper(1026, 1008), taper(992, 998), taper(1000, 1011), taper(994, 999), taper(1009, 1001), taper(1007, 1016), taper(1005, 1014),
    taper(1013, 1000), taper(998, 1003), taper(1008, 1010), taper(1003, 1014), taper(985, 989), taper(1010, 1004), taper(1011, 1010), taper(1010, 1006),
    taper(1033, 1000), taper(1015, 992), taper(1017, 1007), taper(1000, 1000), taper(1014, 982), taper(1004, 989), taper(1006, 992), taper(1004, 999),
    // squares: king
    taper(-3, -2), taper(15, -15), taper(5, -24), taper(6, -5), taper(1, -6), taper(14, 0), taper(-15, 8), taper(-2, 8),
    taper(-19, 9), taper(-3, 19), taper(-22, 20), taper(-27, 24), taper(-36, -4), taper(-35, 20), taper(-51, 24), taper(-56, 6),
    taper(-41, 20), taper(-38, 23), taper(-61, 15), taper(-77, -6), taper(-45, 18), taper(-41, 30), taper(-72, 16), taper(-79, 0),
    taper(-49, -6), taper(-44, 18), taper(-64, 13), taper(-77, 11), taper(-45, -8), taper(-41, -6), taper(-63, -1), taper(-72, 4),
    // mobility: knight
    taper(-13, -32), taper(-7, -33), taper(3, -4), taper(13, -7), taper(6, 6), taper(17, 1), taper(24, 17), taper(33, 6),
    taper(27, -6),
    // mobility: bishop
    taper(-34, -65), taper(-33, -33), taper(-16, -7), taper(-7, -10), taper(-11, 12), taper(0, 27), taper(0, 30), taper(16, 30),
    taper(15, 30), taper(21, 14), taper(17, 21), taper(26, 7), taper(21, -2), taper(19, -23),
    // mobility: rook
    taper(-41, -43), taper(-31, -37), taper(-20, -8), taper(-18, -3), taper(-8, -10), taper(-14, -5), taper(-9, 11), taper(0, 3),
    taper(15, 2), taper(9, 21), taper(2, 26), taper(0, 40), taper(25, 22), taper(3, 35), taper(44, 6),
    // mobility: queen
    taper(-26, -39), taper(-19, -36), taper(-23, -37), taper(-17, -34), taper(-12, -32), taper(-12, -34), taper(-9, -22), taper(-15, -25),
    taper(-5, -25), taper(-8, -6), taper(-8, -2), taper(-13, -2), taper(-2, 5), taper(0, 7), taper(4, 6), taper(-5, 23),
    taper(6, 26), taper(14, 18), taper(15, 20), taper(3, 12), taper(26, 27), taper(18, 18), taper(18, 20), taper(18, 22),
    taper(20, 28), taper(22, 31), taper(26, 39), taper(27, 39),
    // danger
    taper(0, 0), taper(1, 0), taper(2, 1), taper(5, 2), taper(9, 5), taper(15, 3), taper(12, -2), taper(28, -16),
    taper(30, -8), taper(36, -11), taper(37, -10), taper(49, -11), taper(47, 1), taper(68, -8), taper(73, -22), taper(90, -12),
    taper(107, -1), taper(122, 10), taper(139, 3), taper(182, 8), taper(176, -1), taper(215, 7), taper(248, 10), taper(268, 9),
    taper(312, 14), taper(320, 0), taper(370, 14), taper(395, 14), taper(418, 14), taper(423, 15), taper(421, 15), taper(417, 12),
    // shelter
    taper(-21, 3), taper(21, -17), taper(5, -13), taper(-10, -8), taper(0, -13), taper(5, 2), taper(8, 51), taper(0, 0),
    // storm
    taper(-9, -14), taper(-13, 35), taper(-29, 31), taper(-11, -8), taper(-5, -5), taper(14, -11), taper(18, -23), taper(0, 0),
    // passed
    taper(0, 0), taper(4, 22), taper(-13, 11), taper(3, 36), taper(20, 65), taper(31, 105), taper(61, 121), taper(0, 0),
    // passed, blocked
    taper(0, 0), taper(16, -3), taper(0, -13), taper(-6, -13), taper(1, -18), taper(-26, -39), taper(-34, -71), taper(0, 0),
    // passed, free
    taper(0, 0), taper(11, 12), taper(-3, 13), taper(-3, 10), taper(7, 41), taper(-8, 46), taper(21, 104), taper(0, 0),
    // passed, by our king's distance
    taper(0, 43), taper(4, 59), taper(-4, 25), taper(-1, 5), taper(-20, -15), taper(-14, -18), taper(4, -22), taper(4, -37),
    // passed, by their king's distance
    taper(10, -56), taper(13, -54), taper(-18, -22), taper(-9, 12), taper(-11, 37), taper(-27, 33), taper(6, 51), taper(9, 49),
    // phalanx
    taper(0, 0), taper(3, -7), taper(3, 15), taper(10, 15), taper(18, 28), taper(28, 36), taper(61, 66), taper(0, 0),
    // guarded
    taper(0, 0), taper(0, 0), taper(17, 9), taper(15, 14), taper(10, 18), taper(30, 51), taper(52, 69), taper(0, 0),
    // isolated
    taper(-3, -3),
    // doubled
    taper(-23, -23),
    // backward
    taper(-25, 8),
    // hit by a pawn
    taper(-9, -5), taper(64, 25), taper(62, 56), taper(79, 31), taper(57, 29), taper(0, 0),
    // hit by a minor piece
    taper(-4, 16), taper(29, 33), taper(23, 24), taper(53, 13), taper(52, 37), taper(0, 0),
    // hit by a rook
    taper(5, 21), taper(30, 30), taper(35, 20), taper(-4, 1), taper(43, 13), taper(0, 0),
    // hanging
    taper(22, 33),
    // push threat
    taper(21, 28),
    // bishop pair
    taper(49, 47),
    // bad bishop
    taper(-2, -5),
    // knight outpost
    taper(21, 11),
    // bishop outpost
    taper(31, 10),
    // minor piece behind pawn
    taper(5, 30),
    // rook on open file
    taper(43, -3),
    // rook on half-open file
    taper(21, 7),
    // tempo
    taper(29, 12),
];
