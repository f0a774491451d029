// A game of any kind on a page or in a chat, as a person sees and handles it.

import { expect } from '@playwright/test';

export class Table {
  /** The game in a page, or in the frame of a view. */
  constructor(root) {
    this.root = root;
    this.status = root.getByTestId('status');
    this.grid = root.getByTestId('grid');
    this.moves = root.getByTestId('moves').locator('[data-ply]');
    this.pieces = this.grid.locator('[data-mark]');
    this.playable = root.getByTestId('drawing').locator('[aria-disabled="false"]');
    /** Where what is picked up can be put down. */
    this.ends = this.grid.locator('[aria-label*=" plays "]');
    this.picked = this.grid.locator('[aria-label$="picked up"]');
    this.cards = root.getByTestId('card');
    this.choices = root.getByTestId('choices').getByRole('button');
    /** Where there are too many to choose from by a button, one is written here. */
    this.entry = root.getByTestId('choices').getByRole('textbox');
  }

  /** A person opens the link to a game of two that an agent began. Returns the table and the agent's pass. */
  static async byLink(page, house, setup) {
    const { facts, link } = await house.call('createGame', { type: 'human', ...setup });
    await page.goto(link);
    const table = new Table(page);
    await expect(table.status).toHaveText('Your move');
    return { table, agent: facts.pass };
  }

  cell(name) {
    return this.grid.locator(`[data-name="${name}"]`);
  }

  /** Moves a piece by dragging it, as a hand does: not in one leap. `page` is where the mouse is. */
  async drag(page, from, to, midway = async () => {}) {
    const [start, end] = [await middle(this.cell(from)), await middle(this.cell(to))];
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(start.x + 8, start.y + 3);
    await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
    await page.mouse.move(end.x, end.y, { steps: 3 });
    await midway();
    await page.mouse.up();
  }

  /** Moves a piece by a click on its square and another on the one it goes to. */
  async step(from, to) {
    await this.cell(from).click();
    await this.cell(to).click();
  }

  /** Waits until so many moves were made and it is our turn. */
  async expectTurn(moves) {
    await expect(this.moves).toHaveCount(moves);
    await expect(this.status).toHaveText('Your move');
  }

  /** Waits until a seat's piece lies on a square, or none. */
  async expectAt(name, seat) {
    if (seat) await expect(this.cell(name)).toHaveAttribute('data-mark', seat);
    else await expect(this.cell(name)).not.toHaveAttribute('data-mark');
  }

  /** Plays the first move there is. */
  async playFirst() {
    // An example of one stands there.
    if (await this.entry.count()) await this.entry.fill((await this.entry.getAttribute('placeholder')).split(', ')[0]);
    await this.playable.or(this.choices).first().click();
    // What was picked up goes to the first place it can.
    if (await this.picked.count()) await this.ends.first().click();
  }

  /** Plays the first move there is, until it is over; in connect four that loses to whoever looks ahead. */
  async playOut() {
    const isOver = /^You (won|lost): |^Draw/;
    for (let turn = 0; turn < 50; turn++) {
      await expect(this.status).toHaveText(new RegExp(`^Your move$|${isOver.source}`));
      if (isOver.test(await this.status.textContent())) return;
      const before = await this.moves.count();
      await this.playFirst();
      await expect.poll(() => this.moves.count()).toBeGreaterThan(before);
    }
  }

  /** Steps through a game in which every move lays a piece, to its end and back, by button and by key. */
  async stepThrough(keyboard) {
    const length = await this.moves.count();
    const button = (name) => this.root.getByRole('group', { name: 'Replay' }).getByRole('button', { name });
    await button('First move (Home)').click();
    await expect(this.pieces).toHaveCount(0);
    await expect(button('Step back (left arrow)')).toBeDisabled();
    for (let shown = 1; shown <= length; shown++) {
      if (shown % 2) await button('Step forward (right arrow)').click();
      else await keyboard.press('ArrowRight');
      await expect(this.pieces).toHaveCount(shown);
    }
    await expect(button('Latest move (End)')).toBeDisabled();
    await keyboard.press('ArrowLeft');
    await expect(this.pieces).toHaveCount(length - 1);
    // What was looked back at is past: nothing can be played there.
    await expect(this.playable).toHaveCount(0);
    await keyboard.press('Home');
    await expect(this.pieces).toHaveCount(0);
    await keyboard.press('End');
    await expect(this.pieces).toHaveCount(length);
  }
}

async function middle(locator) {
  const { x, y, width, height } = await locator.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}
