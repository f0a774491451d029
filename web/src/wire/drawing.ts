// Made from the server's own types by `make docs`; not to be edited.

export type Cell = { 
/**
 * The name of the cell in moves.
 */
name?: string, mark?: Mark, 
/**
 * The move that a click here makes, if there is one.
 */
move?: string, 
/**
 * The moves that begin here, each ending on another cell: where there are any, a click makes
 * none.
 */
drags?: Array<Drag>, 
/**
 * It belongs to the last move, or to what has won.
 */
bright?: boolean, };

export type Drag = { 
/**
 * The cell where it ends, counted as they are in the grid.
 */
to: number, move: string, };

export type Grid = { ground: Ground, columns: number, 
/**
 * Row by row, the top one first.
 */
cells: Array<Cell>, 
/**
 * Under the columns, and before the rows.
 */
column_labels: Array<string>, row_labels: Array<string>, 
/**
 * The shape of each seat's pieces, also while none is on the board.
 */
shapes?: Array<PieceShape>, };

export type Ground = "squares" | "checkered" | "lines" | "holes" | "hexes";

export type Hand = { title: string, 
/**
 * None for a card that lies face down.
 */
cards: Array<string | null>, };

export type Mark = { seat: Seat, shape: PieceShape, };

export type Numbers = { head: Array<string>, rows: Array<Array<string>>, };

export type Part = { "part": "grid" } & Grid | { "part": "hand" } & Hand | { "part": "track" } & Track | { "part": "numbers" } & Numbers;

export type PieceShape = "cross" | "ring" | "disc" | "stone" | "pawn";

export type Seat = number;

export type Track = { title: string, filled: number, places: number, 
/**
 * The move that a click on each of those filled makes, from the first to the last.
 */
moves: Array<string | null>, };
