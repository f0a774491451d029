// The games on the dashboard: a page of them from the server, kept fresh by its events.

import { Leagues } from '../games/league/leagues.svelte';
import type { Summary as LeagueSummary } from '../games/league/types';
import { api, Refused } from '../net/api';
import { follow, type Connection } from '../net/events';
import type { Listed } from '../parts/kinds';
import type { GameQuery } from '../wire/app';

export type Filter = Exclude<NonNullable<GameQuery['status']>, 'asleep'>;
/** A kind's name, `league` or `any`. */
export type KindFilter = string;
const PAGE = 48;
/** What the page says while it has no answer. */
export const CUT_OFF = 'The server cannot be reached. Reconnecting…';
const FILTERS: Filter[] = ['live', 'over', 'all'];
const KIND = /^[a-z-]{1,40}$/;

export class Games {
  list = $state.raw<Listed[]>([]);
  /** New games kept back while the person looks further down, so that nothing jumps. */
  held = $state.raw<Listed[]>([]);
  filter = $state<Filter>('live');
  kind = $state<KindFilter>('any');
  text = $state('');
  loaded = $state(false);
  busy = $state(false);
  more = $state(false);
  failed = $state('');
  connection = $state<Connection>('connecting');
  /** Told in the same stream, so that the dashboard holds one connection. */
  readonly leagues = new Leagues();

  /** Hears of every game that changes, listed or not. */
  onheard: (game: Listed) => void = () => {};

  /** Settled when they are known, or cannot be. */
  leaguesLoaded: Promise<void> = Promise.resolve();

  /** When the list was true, as the server says it. */
  private moment = '';
  /** Where the list goes on, as the server says it. */
  private next = '';
  private begin = () => {};
  private readonly firstLoad = new Promise<void>((begin) => (this.begin = begin));
  private asked = 0;
  private loading = Promise.resolve();

  /** Begins with what the address asks for. */
  constructor(address = location.search) {
    const asked = new URLSearchParams(address);
    this.filter = FILTERS.find((filter) => filter === asked.get('show')) ?? 'live';
    this.kind = KIND.exec(asked.get('kind') ?? '')?.[0] ?? 'any';
    this.text = asked.get('q')?.slice(0, 100) ?? '';
  }

  /** The address under which somebody else sees the same list. */
  get address(): string {
    const said = new URLSearchParams();
    if (this.filter !== 'live') said.set('show', this.filter);
    if (this.kind !== 'any') said.set('kind', this.kind);
    if (this.text.trim()) said.set('q', this.text.trim());
    return said.size > 0 ? `/?${said}` : '/';
  }

  start(): () => void {
    let unfollow = () => {};
    let isOver = false;
    this.leaguesLoaded = this.leagues.load();
    void this.firstLoad.then(() => {
      if (!isOver) unfollow = this.follow();
    });
    return () => {
      isOver = true;
      unfollow();
    };
  }

  /** Hears the news from the moment on when the list was true. */
  private follow(): () => void {
    let isFirst = true;
    return follow<Listed>(`/api/events?since=${this.moment}`, {
      onevent: (game) => this.heard(game),
      others: {
        league: (league: LeagueSummary) => this.leagues.heard(league),
        missed: () => void this.catchUp(),
      },
      onconnection: (state) => {
        this.connection = state;
        // What happened while we were deaf is only in the list.
        if (state === 'live' && !isFirst) void this.catchUp();
        if (state === 'live') isFirst = false;
      },
    });
  }

  load(): Promise<void> {
    return (this.loading = this.firstPage());
  }

  async loadMore() {
    if (!this.next) return;
    const asked = ++this.asked;
    this.busy = true;
    try {
      const { games, next } = await api.list<Listed>({ ...this.query(), ...place(this.next) });
      if (asked !== this.asked) return;
      const known = new Set(this.list.map((game) => game.game_id));
      this.list = [...this.list, ...games.filter((game) => !known.has(game.game_id))];
      this.goesOn(next);
    } catch (error) {
      if (asked === this.asked) this.failed = (error as Error).message;
    } finally {
      if (asked === this.asked) this.busy = false;
    }
  }

  showHeld() {
    this.list = [...this.held, ...this.list];
    this.held = [];
  }

  private async firstPage() {
    const asked = ++this.asked;
    this.busy = true;
    try {
      const { games, moment, next } = await api.list<Listed>(this.query());
      if (asked !== this.asked) return;
      this.moment ||= moment;
      this.begin();
      this.list = this.kind === 'league' ? [] : games;
      this.held = [];
      this.goesOn(next);
      this.failed = '';
      this.loaded = true;
    } catch (error) {
      if (asked !== this.asked) return;
      if (error instanceof Refused && error.status === 400 && this.kind !== 'any') {
        // The address asks for a kind that is not played here.
        this.kind = 'any';
        void this.load();
      } else {
        this.failed = error instanceof Refused ? error.message : CUT_OFF;
        setTimeout(() => asked === this.asked && this.load(), 2500);
      }
    } finally {
      if (asked === this.asked) this.busy = false;
    }
  }

  private goesOn(next: string) {
    this.next = next;
    this.more = next !== '';
  }

  /** Asks for as much of the list as is shown: what happened meanwhile is told nowhere else. */
  private async catchUp() {
    void this.leagues.load();
    await this.loading;
    if (this.kind === 'league') return;
    const asked = this.asked;
    const games: Listed[] = [];
    let next = '';
    try {
      do {
        const limit = Math.max(PAGE, this.list.length - games.length);
        const page = await api.list<Listed>({ ...this.query(), limit, ...place(next) });
        games.push(...page.games);
        next = page.next;
      } while (next && games.length < this.list.length);
    } catch {
      // The page says that it is cut off, and comes back here when it is not.
      return;
    }
    if (asked !== this.asked) return;
    for (const game of games) this.onheard(game);
    // Who is not among them any more has ended, or is further down.
    const found = new Map(games.map((game) => [game.game_id, game]));
    const stay = scrollY < 60 ? games : this.list.flatMap(({ game_id }) => found.get(game_id) ?? []);
    this.list = stay;
    this.held = games.filter((game) => !stay.includes(game));
    this.goesOn(next);
  }

  private query(): GameQuery {
    const status = this.filter === 'all' ? undefined : this.filter;
    if (this.kind === 'league') return { limit: 1 };
    const kind = this.kind === 'any' ? undefined : this.kind;
    return { kind, status, q: this.text.trim(), limit: PAGE };
  }

  private heard(game: Listed) {
    this.onheard(game);
    this.list = replaced(this.list, game);
    this.held = replaced(this.held, game);
    const known = [...this.list, ...this.held].some(({ game_id }) => game_id === game.game_id);
    if (known || !this.loaded || !matches(game, this)) return;
    if (scrollY < 60) this.list = [game, ...this.list];
    else this.held = [game, ...this.held];
  }
}

type Wish = Pick<Games, 'filter' | 'kind' | 'text'>;

/** Whether a game that stirs belongs on top of the list. What a search finds, the server says. */
export function matches(game: Listed, { filter, kind, text }: Wish): boolean {
  const isLive = game.status === 'live' && !game.asleep;
  return (
    (filter === 'all' || (filter === 'live' ? isLive : game.status === 'over')) &&
    (kind === 'any' || kind === game.kind) &&
    text.trim() === ''
  );
}

/** The place in the list that the server means. */
function place(next: string): Pick<GameQuery, 'before' | 'id'> {
  if (!next) return {};
  const said = new URLSearchParams(next);
  return { before: Number(said.get('before')), id: said.get('id') ?? undefined };
}

// A game that ends stays where it is until the list is asked for anew.
function replaced(games: Listed[], game: Listed): Listed[] {
  const at = games.findIndex(({ game_id }) => game_id === game.game_id);
  return at < 0 ? games : games.with(at, game);
}
