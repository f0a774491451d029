// A piece that is picked up on a grid: from which cell, where it can be put down and what that plays,
// and how it follows the pointer that drags it.

import type { Cell } from '../wire/drawing';

/** A pointer that has moved so far since it was pressed drags. */
const DRAG_PX = 5;

interface Point {
  x: number;
  y: number;
}

export class Picked {
  private from = $state<number>();
  /** Where the pointer is that drags it. */
  dragged = $state.raw<Point | null>(null);
  private pressed: (Point & { at: number; pointer: number }) | null = null;
  /** What a press has done already is not done again by the click that ends it: it has dragged, or picked up. */
  private hasDragged = false;
  private justPicked: number | undefined;

  /** `cells` are empty while nothing may be moved. */
  constructor(private readonly cells: () => Cell[]) {}

  /** Another's turn takes it out of the hand. */
  readonly at = $derived.by(() => (this.begins(this.from) ? this.from : undefined));
  /** What is played by putting it down, by cell. */
  readonly ends = $derived.by(() => {
    const drags = this.at === undefined ? [] : (this.cells()[this.at]?.drags ?? []);
    return new Map(drags.map(({ to, move }) => [to, move]));
  });

  private begins(at: number | undefined): boolean {
    return at !== undefined && !!this.cells()[at]?.drags;
  }

  letGo() {
    this.from = undefined;
    this.pressed = null;
    this.dragged = null;
  }

  /** A click on a cell, or Enter there: what it plays, if anything. Else what begins there is picked up. */
  click(at: number, event: MouseEvent): string | undefined {
    const justPicked = this.justPicked;
    this.justPicked = undefined;
    if (event.detail > 0 && (this.hasDragged || justPicked === at)) return undefined;
    const move = this.ends.get(at) ?? this.cells()[at]?.move;
    if (move) return move;
    this.from = this.begins(at) && at !== this.at ? at : undefined;
    return undefined;
  }

  /** What begins under the pointer is picked up at once, so that one sees where it can go. */
  press(at: number, event: PointerEvent) {
    this.hasDragged = false;
    this.justPicked = undefined;
    if (event.button !== 0 || !this.begins(at) || this.ends.has(at)) return;
    this.pressed = { at, pointer: event.pointerId, x: event.clientX, y: event.clientY };
    if (at === this.at) return;
    this.from = at;
    this.justPicked = at;
  }

  /** Whether it is dragged now. */
  drag(event: PointerEvent): boolean {
    const pressed = this.pressed;
    if (pressed?.pointer !== event.pointerId) return false;
    if (!(event.buttons & 1)) this.pressed = null;
    const [x, y] = [event.clientX, event.clientY];
    const isFar = Math.hypot(x - pressed.x, y - pressed.y) > DRAG_PX;
    if (!this.pressed || !(this.dragged || isFar)) return false;
    if (!this.dragged) {
      this.hasDragged = true;
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    }
    this.dragged = { x, y };
    return true;
  }

  /** The pointer leaves it on this cell, or on none: what that plays. On its own cell it stays picked up. */
  drop(at: number | undefined): string | undefined {
    const wasDragged = this.dragged !== null;
    this.pressed = null;
    this.dragged = null;
    if (!wasDragged || at === this.at) return undefined;
    const move = at === undefined ? undefined : this.ends.get(at);
    if (!move) this.from = undefined;
    return move;
  }
}

/** From where to where a move leads. */
export function endsOf(move: string, cells: Cell[]): { from: number; to: number } | null {
  for (const [from, { drags = [] }] of cells.entries()) {
    const drag = drags.find((drag) => drag.move === move);
    if (drag) return { from, to: drag.to };
  }
  return null;
}
