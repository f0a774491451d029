//! A position as a picture for a document: the drawing that the rules make, as SVG.

use std::fmt::Write;

use rules::drawing::{Cell, Grid, Ground, Hand, Mark, Numbers, Part, PieceShape, Track};

/// How wide a cell is, and what is left around.
const CELL: f64 = 36.0;
const MARGIN: f64 = 26.0;
/// Two rows of six-sided cells are so far apart.
const SLANTED: f64 = 0.866;

/// On a square of 24.
const PAWN: &str = "M12 3a3.7 3.7 0 0 1 2.6 6.3l1.7 1.2c.5.4.2 1.2-.4 1.2h-1.3c.2 2.6 1.2 4.3 2.9 5.8.8.7 1.2 1.6 1.2 3H5.3c0-1.4.4-2.3 1.2-3 1.7-1.5 2.7-3.2 2.9-5.8H8.1c-.6 0-.9-.8-.4-1.2l1.7-1.2A3.7 3.7 0 0 1 12 3z";

const LABELS: &str = r##"fill="#7d7d7d" font-family="sans-serif" font-size="13""##;

/// Parts, one under the other; nothing where there is nothing to see.
pub fn svg(drawing: &[Part]) -> Option<String> {
    let (mut wide, mut high, mut body) = (0.0_f64, 0.0, String::new());
    for part in drawing {
        let drawn = match part {
            Part::Grid(grid) => draw_grid(grid),
            Part::Hand(hand) => draw_hand(hand),
            Part::Track(track) => draw_track(track),
            Part::Numbers(numbers) => draw_numbers(numbers),
        };
        let _ = writeln!(body, r#"<g transform="translate(0 {high:.0})">{}</g>"#, drawn.body);
        wide = wide.max(drawn.wide);
        high += drawn.high;
    }
    let size = format!(r#"width="{wide:.0}" height="{high:.0}" viewBox="0 0 {wide:.0} {high:.0}""#);
    let head = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" {size}>"#);
    (!drawing.is_empty()).then(|| format!("{head}\n{body}</svg>\n"))
}

struct Drawn {
    wide: f64,
    high: f64,
    body: String,
}

fn text(x: f64, y: f64, text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    format!(r#"<text x="{x:.1}" y="{y:.1}" {LABELS}>{text}</text>"#)
}

fn in_the_middle(x: f64, y: f64, label: &str) -> String {
    text(x, y, label).replacen("<text", r#"<text text-anchor="middle""#, 1)
}

fn draw_grid(grid: &Grid) -> Drawn {
    let columns = usize::from(grid.columns);
    let rows = grid.cells.len() / columns;
    let is_hexes = grid.ground == Ground::Hexes;
    let centre = |column: f64, row: f64| {
        let (right, down) = if is_hexes { (row / 2.0, row * SLANTED) } else { (0.0, row) };
        (MARGIN + (column + right + 0.5) * CELL, 4.0 + (down + 0.5) * CELL)
    };
    let (right, bottom) = centre(columns as f64 - 0.5, rows as f64 - 0.5);
    let mut body = String::new();
    if grid.ground == Ground::Holes {
        let (wide, high) = (columns as f64 * CELL, rows as f64 * CELL);
        let at = format!(r#"x="{MARGIN}" y="4" width="{wide}" height="{high}""#);
        let _ = write!(body, r##"<rect {at} rx="10" fill="#2f66c4"/>"##);
    }
    for (at, cell) in grid.cells.iter().enumerate() {
        let (column, row) = (at % columns, at / columns);
        let (x, y) = centre(column as f64, row as f64);
        let edges = [column > 0, column + 1 < columns, row > 0, row + 1 < rows];
        let is_dark = (rows - row + column) % 2 == 1;
        body += &draw_cell(grid.ground, cell, (x, y), edges, is_dark);
    }
    for (column, label) in grid.column_labels.iter().enumerate() {
        let (x, _) = centre(column as f64, rows as f64 - 1.0);
        body += &in_the_middle(x, bottom + 18.0, label);
    }
    for (row, label) in grid.row_labels.iter().enumerate() {
        let (x, y) = centre(-1.0, row as f64);
        body += &in_the_middle(x + 0.2 * CELL, y + 4.0, label);
    }
    Drawn { wide: right + 4.0, high: bottom + MARGIN, body }
}

/// The ground under a cell, and what lies on it. `edges` says on which sides there are others: left,
/// right, above, below.
fn draw_cell(
    ground: Ground,
    cell: &Cell,
    (x, y): (f64, f64),
    edges: [bool; 4],
    is_dark: bool,
) -> String {
    let half = CELL / 2.0;
    let fill = match ground {
        _ if cell.bright => "#f4d58d",
        Ground::Checkered if is_dark => "#7d9a83",
        _ => "#e8e2d4",
    };
    let line = r##"stroke="#8d8672""##;
    let mut body = match ground {
        Ground::Squares | Ground::Checkered => {
            let at = format!(r#"x="{}" y="{}" width="{CELL}" height="{CELL}""#, x - half, y - half);
            format!(r#"<rect {at} fill="{fill}" {line}/>"#)
        }
        Ground::Lines => {
            let at = format!(r#"x="{}" y="{}" width="{CELL}" height="{CELL}""#, x - half, y - half);
            let [left, right, up, down] = edges.map(|goes_on| if goes_on { half } else { 0.0 });
            let across = format!("M{} {y}H{}M{x} {}V{}", x - left, x + right, y - up, y + down);
            format!(r#"<rect {at} fill="{fill}"/><path d="{across}" {line}/>"#)
        }
        Ground::Holes => {
            let fill = if cell.bright { "#f4d58d" } else { "#dfe6f2" };
            format!(r#"<circle cx="{x}" cy="{y}" r="{}" fill="{fill}"/>"#, 0.42 * CELL)
        }
        Ground::Hexes => {
            let corner = |nth: u32| {
                let angle = f64::from(nth).mul_add(60.0, 30.0).to_radians();
                format!(
                    "{:.1},{:.1}",
                    x + angle.cos() * CELL * 0.577,
                    y + angle.sin() * CELL * 0.577
                )
            };
            let corners: Vec<_> = (0..6).map(corner).collect();
            format!(r#"<polygon points="{}" fill="{fill}" {line}/>"#, corners.join(" "))
        }
    };
    if let Some(mark) = cell.mark {
        body += &draw_mark(mark, x, y);
    }
    body
}

fn draw_mark(Mark { seat, shape }: Mark, x: f64, y: f64) -> String {
    let is_first = seat.0 == 0;
    let round = |fill: &str, line: &str, radius: f64| {
        let at = format!(r#"cx="{x:.1}" cy="{y:.1}" r="{:.1}""#, radius * CELL);
        format!(r#"<circle {at} fill="{fill}" stroke="{line}" stroke-width="1.5"/>"#)
    };
    match shape {
        PieceShape::Stone if is_first => round("#262626", "#000", 0.38),
        PieceShape::Stone => round("#fdfdfd", "#555", 0.38),
        PieceShape::Disc if is_first => round("#d8412f", "#9c2a1c", 0.4),
        PieceShape::Disc => round("#f2c53d", "#b18a14", 0.4),
        PieceShape::Ring => round("none", "#b3541e", 0.28).replace("\"1.5\"", "\"5\""),
        PieceShape::Pawn => {
            let (fill, line) = if is_first { ("#fdfdfd", "#262626") } else { ("#262626", "#000") };
            let at = format!(
                r#"transform="translate({:.1} {:.1}) scale({:.3})""#,
                x - 0.42 * CELL,
                y - 0.42 * CELL,
                0.84 * CELL / 24.0
            );
            format!(r#"<path {at} d="{PAWN}" fill="{fill}" stroke="{line}"/>"#)
        }
        PieceShape::Cross => {
            let by = 0.25 * CELL;
            let (left, top) = (x - by, y - by);
            let lines = format!("M{left} {top}l{0} {0}m-{0} 0l{0} -{0}", 2.0 * by);
            format!(r##"<path d="{lines}" stroke="#23639b" stroke-width="5"/>"##)
        }
    }
}

fn draw_hand(hand: &Hand) -> Drawn {
    let mut body = text(4.0, 32.0, &hand.title);
    for (at, card) in hand.cards.iter().enumerate() {
        let x = 96.0 + at as f64 * 38.0;
        let fill = if card.is_some() { "#fdfdfd" } else { "#6b7fa3" };
        let place = format!(r#"x="{x}" y="4" width="32" height="44" rx="4""#);
        let _ = write!(body, r##"<rect {place} fill="{fill}" stroke="#555"/>"##);
        body += &in_the_middle(x + 16.0, 32.0, card.as_deref().unwrap_or_default());
    }
    Drawn { wide: 104.0 + hand.cards.len() as f64 * 38.0, high: 54.0, body }
}

fn draw_track(track: &Track) -> Drawn {
    let mut body = text(4.0, 20.0, &track.title);
    for at in 0..track.places {
        let x = 84.0 + f64::from(at) * 22.0;
        let fill = if at < track.filled { "#8a5a2b" } else { "none" };
        let _ =
            write!(body, r##"<circle cx="{x}" cy="16" r="8" fill="{fill}" stroke="#8d8672"/>"##);
    }
    Drawn { wide: 90.0 + f64::from(track.places) * 22.0, high: 32.0, body }
}

fn draw_numbers(numbers: &Numbers) -> Drawn {
    let rows = [&numbers.head].into_iter().chain(&numbers.rows);
    let (mut body, mut high, mut wide) = (String::new(), 4.0, 0.0_f64);
    for row in rows {
        high += 20.0;
        for (at, cell) in row.iter().enumerate() {
            body += &text(4.0 + at as f64 * 120.0, high - 4.0, cell);
        }
        wide = wide.max(row.len() as f64 * 120.0);
    }
    Drawn { wide, high: high + 4.0, body }
}
