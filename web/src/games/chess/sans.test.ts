import { expect, test } from 'vitest';
import { replayed } from './sans';
import { START_FEN } from './types';

/** How it stands after these moves, and the last of them in UCI. */
function check(start: string, sans: string, placement: string, uci?: string) {
  const stood = replayed(start, sans.split(' '));
  expect(stood.length).toBe(sans.split(' ').length + 1);
  expect(stood.at(-1)!.fen.split(' ')[0]).toBe(placement);
  if (uci) expect(stood.at(-1)!.uci).toBe(uci);
}

test.each([
  ['a pawn steps once or twice', START_FEN, 'e4 e6', 'rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR', 'e7e6'],
  ['a pawn beside it is not meant', '4k3/8/8/8/8/3P4/4P3/4K3 w - - 0 1', 'e4', '4k3/8/8/8/4P3/3P4/8/4K3', 'e2e4'],
  ['a pawn takes', START_FEN, 'e4 d5 exd5', 'rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR', 'e4d5'],
  ['a pawn takes in passing', START_FEN, 'e4 a6 e5 d5 exd6', 'rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR', 'e5d6'],
  ['a pawn becomes a knight', '8/P6k/8/8/8/8/8/K7 w - - 0 1', 'a8=N', 'N7/7k/8/8/8/8/8/K7', 'a7a8n'],
  ['both castle', 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1', 'O-O O-O-O', '2kr3r/8/8/8/8/8/8/R4RK1', 'e8c8'],
  ['a king castles that began elsewhere', '1r3kr1/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1', 'O-O', '1r3kr1/8/8/8/8/8/8/1R3RK1', 'f1g1'],
  ['the knight that is named', '4k3/8/8/8/8/8/8/N3K1N1 w - - 0 1', 'Ne2', '4k3/8/8/8/8/8/4N3/N3K3', 'g1e2'],
  ['of two knights the one that is not pinned', '4r2k/8/8/8/8/2N5/4N3/4K3 w - - 0 1', 'Nd5', '4r2k/8/8/3N4/8/8/4N3/4K3', 'c3d5'],
  ['of two rooks the one with a free way', '7k/8/8/8/R2p3R/8/8/K7 w - - 0 1', 'Re4', '7k/8/8/8/R2pR3/8/8/K7', 'h4e4'],
  ['of two rooks that of the file', '7k/8/8/8/R6R/8/8/K7 w - - 0 1', 'Rae4', '7k/8/8/8/4R2R/8/8/K7', 'a4e4'],
  ['of two rooks that of the rank', '7k/8/8/R7/8/8/8/R6K w - - 0 1', 'R1a3', '7k/8/8/R7/8/R7/8/7K', 'a1a3'],
  ['a queen of three', '7k/8/8/8/Q6Q/8/8/K6Q w - - 0 1', 'Qh4e1+', '7k/8/8/8/Q7/8/8/K3Q2Q', 'h4e1'],
  ['black goes down', '4k3/3p4/8/8/8/8/8/4K3 b - - 0 1', 'd5', '4k3/8/8/3p4/8/8/8/4K3', 'd7d5'],
])('%s', (_, start, sans, placement, uci) => check(start, sans, placement, uci));

test('a pinned knight is told by the king behind it, and a pawn straight ahead pins nothing', () => {
  // The knight on e2 stands before its king, and the pawn before the other king attacks nobody.
  check('4r2k/8/8/8/8/8/4N1N1/4K3 w - - 0 1', 'Nf4', '4r2k/8/8/8/5N2/8/4N3/4K3', 'g2f4');
  check('7k/8/8/8/8/4p3/8/N3K1N1 w - - 0 1', 'Nb3', '7k/8/8/8/8/1N2p3/8/4K1N1', 'a1b3');
});

test('a whole game, to its mate', () => {
  const opera =
    'e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 ' +
    'Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#';
  check(START_FEN, opera, '1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5', 'd1d8');
  const checks = replayed(START_FEN, opera.split(' ')).flatMap(({ check }, ply) => (check ? ply : []));
  expect(checks).toEqual([21, 29, 31, 33]);
});

test('what cannot be read ends it', () => {
  expect(replayed(START_FEN, ['e4', 'Ke4', 'd4']).length).toBe(2);
});
