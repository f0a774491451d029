export type Ground = "squares" | "lines" | "holes";

export type Shape = "cross" | "ring" | "disc" | "stone";

export type Mark = { seat: number, shape: Shape, };

export type Cell = { name: string, mark?: Mark, move?: string, bright?: boolean, };

export type Grid = { ground: Ground, columns: number, cells: Array<Cell>, column_labels: Array<string>, row_labels: Array<string>, };

export type Hand = { title: string, cards: Array<string | null>, };

export type Track = { title: string, filled: number, places: number, moves: Array<string | null>, };

export type Numbers = { head: Array<string>, rows: Array<Array<string>>, };

export type Part = { "part": "grid" } & Grid | { "part": "hand" } & Hand | { "part": "track" } & Track | { "part": "numbers" } & Numbers;
