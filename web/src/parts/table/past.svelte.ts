// A game's past as far as it was looked at: after how many of its moves it is shown, and how it was then.

export class Past<Step> {
  /** After how many moves it is shown; null follows the game. */
  private stopped = $state<number | null>(null);
  /** By the number of the turn. What is past stays as it is. */
  private steps = $state.raw<ReadonlyMap<number, Step>>(new Map());
  private before = $state.raw<Step | undefined>();

  /** `turns` are the numbers of those that were played; `ask` finds nothing where it no longer matters. */
  constructor(
    private readonly turns: () => number[],
    private readonly ask: (turn: number) => Promise<Step | undefined>,
  ) {}

  readonly length = $derived.by(() => this.turns().length);
  readonly ply = $derived.by(() => Math.min(this.stopped ?? this.length, this.length));
  readonly atEnd = $derived.by(() => this.ply === this.length);

  /** How it was; nothing while the game is followed. Until that is known, what was shown last stays. */
  readonly shown = $derived.by(() => (this.atEnd ? undefined : (this.steps.get(this.turn) ?? this.before)));

  show(next: number) {
    this.before = this.shown;
    const ply = Math.max(0, Math.min(this.length, next));
    this.stopped = ply === this.length ? null : ply;
    if (!this.atEnd) void this.lookBack(this.turn);
  }

  /** Goes where a key leads. */
  stepBy(event: KeyboardEvent) {
    const next = stepByKey(event, this);
    if (next === undefined) return;
    this.show(next);
    event.preventDefault();
  }

  private get turn(): number {
    return this.turns()[this.ply - 1] ?? 0;
  }

  private async lookBack(turn: number) {
    if (this.steps.has(turn)) return;
    const step = await this.ask(turn);
    if (step) this.steps = new Map(this.steps).set(turn, step);
  }
}

/** Whether a key is meant for the page, and not for the browser or for something on the page. */
export function isForPage(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  return !target.closest('input, textarea, select, dialog, [role="grid"], [role="dialog"]');
}

/** Where a key leads in a game. */
export function stepByKey(event: KeyboardEvent, { ply, length }: { ply: number; length: number }): number | undefined {
  if (!isForPage(event)) return undefined;
  const steps: Record<string, number> = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: length };
  return steps[event.key];
}
