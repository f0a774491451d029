import { expect, test } from 'vitest';
import { Past } from './past.svelte';

/** A game of three moves, of which the second was turn 4; what is asked for comes when it is answered. */
function played() {
  const asked: number[] = [];
  const answers = new Map<number, (step: string) => void>();
  const past = new Past<string>(
    () => [1, 4, 5],
    (turn) => {
      asked.push(turn);
      return new Promise((answer) => answers.set(turn, answer));
    },
  );
  const answer = async (turn: number, step: string) => {
    answers.get(turn)!(step);
    await Promise.resolve();
  };
  return { past, asked, answer };
}

test('a game is followed until somebody looks back', () => {
  const { past, asked } = played();
  expect([past.ply, past.atEnd, past.shown, asked]).toEqual([3, true, undefined, []]);
});

test('what is past is asked for once, by its turn', async () => {
  const { past, asked, answer } = played();
  past.show(2);
  expect([past.ply, past.shown]).toEqual([2, undefined]);
  await answer(4, 'second');
  expect(past.shown).toBe('second');
  past.show(3);
  expect([past.atEnd, past.shown]).toEqual([true, undefined]);
  past.show(2);
  expect([past.shown, asked]).toEqual(['second', [4]]);
});

test('what was shown last stays until the next is known', async () => {
  const { past, answer } = played();
  past.show(1);
  await answer(1, 'first');
  past.show(0);
  expect([past.ply, past.shown]).toEqual([0, 'first']);
  await answer(0, 'beginning');
  expect(past.shown).toBe('beginning');
});

test('nobody steps out of a game', () => {
  const { past } = played();
  past.show(-1);
  expect(past.ply).toBe(0);
  past.show(9);
  expect([past.ply, past.atEnd]).toEqual([3, true]);
});
