// A board on a page or in a chat, as a person sees and handles it.

import { expect } from '@playwright/test';

export class Board {
  /** The board in a page, or in the frame of a view. */
  constructor(root) {
    this.root = root;
    this.board = root.getByTestId('board');
    this.squares = this.board.locator('cg-board');
    this.status = root.getByTestId('status');
    this.moves = root.getByTestId('moves').locator('[data-ply]');
    this.claim = root.locator('#chkWaitMate');
    this.input = root.locator('#moveInput');
    this.confirm = root.locator('#btnConfirm');
  }

  /** Drags a piece, as in e2e4. */
  async drag(move, mark = 'move-dest') {
    const { mouse } = this.board.page();
    await this.#pickUp(move.slice(0, 2), mark);
    await mouse.move(...(await this.#middle(move.slice(2, 4))), { steps: 4 });
    await mouse.up();
  }

  /** Drags a piece off the board. */
  async dragOff(square, mark = 'move-dest') {
    const { mouse } = this.board.page();
    await this.#pickUp(square, mark);
    const { x, y } = await this.squares.boundingBox();
    await mouse.move(x - 3, y - 3, { steps: 4 });
    await mouse.up();
  }

  /** Clicks on one square, then on the other. */
  async click(move) {
    const { mouse } = this.board.page();
    // A second click on a piece lets go of it; a third takes it again.
    await expect(async () => {
      await mouse.click(...(await this.#middle(move.slice(0, 2))));
      await expect(this.squares.locator('square.move-dest:visible')).not.toHaveCount(0, { timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
    await mouse.click(...(await this.#middle(move.slice(2, 4))));
  }

  /** Touches one square, then the other. */
  async tap(move) {
    const { touchscreen } = this.board.page();
    await touchscreen.tap(...(await this.#middle(move.slice(0, 2))));
    await expect(this.squares.locator('square.move-dest:visible')).not.toHaveCount(0);
    await touchscreen.tap(...(await this.#middle(move.slice(2, 4))));
  }

  /** Chooses what a pawn becomes, by its letter. */
  async promote(letter) {
    await this.root.getByTestId('promotion').locator(`[data-promote="${letter}"]`).click();
  }

  async resign() {
    await this.root.getByRole('button', { name: 'Resign' }).click();
    await this.root.getByRole('button', { name: 'Yes, resign' }).click();
  }

  /** Waits until a piece stands on a square, like 'white pawn', or none. */
  async expectAt(square, piece) {
    // A frame may still be on its way to its page.
    const stands = async () => expect(await this.at(square), `on ${square}`).toBe(piece);
    await expect(stands).toPass({ intervals: [100], timeout: 60_000 });
  }

  async at(square) {
    const pieces = this.squares.locator('piece:not(.fading, .ghost)');
    return pieces.evaluateAll(
      (pieces, square) => pieces.find((piece) => piece.cgKey === square)?.cgPiece ?? null,
      square,
    );
  }

  /** Takes a piece as soon as it may move: the squares it can go to are marked. */
  async #pickUp(square, mark) {
    const { mouse } = this.board.page();
    await expect(async () => {
      await mouse.move(...(await this.#middle(square)));
      await mouse.down();
      const marks = await this.squares.locator(`square.${mark}:visible`).count();
      if (marks === 0) await mouse.up();
      expect(marks, `squares that ${square} can go to`).toBeGreaterThan(0);
    }).toPass({ intervals: [100], timeout: 60_000 });
  }

  async #middle(square) {
    await this.squares.scrollIntoViewIfNeeded();
    const { x, y, width } = await this.squares.boundingBox();
    let [file, rank] = ['abcdefgh'.indexOf(square[0]), 8 - Number(square[1])];
    if (await this.board.locator('.cg-wrap.orientation-black').count()) {
      [file, rank] = [7 - file, 7 - rank];
    }
    return [x + ((file + 0.5) * width) / 8, y + ((rank + 0.5) * width) / 8];
  }
}
