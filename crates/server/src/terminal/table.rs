//! Tables for people: as wide as what is in them, and no wider than the terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{HEADING, styled};

const GAP: &str = "  ";
/// Stands for the rest of a cell.
const CUT: &str = "...";
/// A column that gives way keeps so much.
const LEAST: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Column {
    Left(&'static str),
    Right(&'static str),
    /// To the left, and cut if the table is too wide; the last of them first.
    GivesWay(&'static str),
}

impl Column {
    fn title(self) -> &'static str {
        let (Column::Left(title) | Column::Right(title) | Column::GivesWay(title)) = self;
        title
    }
}

pub struct Table<const N: usize> {
    columns: [Column; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    pub fn new(columns: [Column; N]) -> Table<N> {
        Table { columns, rows: Vec::new() }
    }

    pub fn row(&mut self, cells: [String; N]) {
        self.rows.push(cells);
    }

    /// Within `most` columns of the terminal, if that is said and can be done.
    pub fn fit(&self, most: Option<usize>) -> String {
        let titles = self.columns.map(|column| column.title().to_owned());
        let lines = || std::iter::once(&titles).chain(&self.rows);
        let mut widths: [usize; N] = std::array::from_fn(|n| {
            lines().map(|cells| cells[n].width()).max().unwrap_or_default()
        });
        let whole = widths.iter().sum::<usize>() + GAP.len() * N.saturating_sub(1);
        let mut over = most.map_or(0, |most| whole.saturating_sub(most));
        for (column, width) in self.columns.iter().zip(&mut widths).rev() {
            if matches!(column, Column::GivesWay(_)) {
                let gives = over.min(width.saturating_sub(LEAST));
                *width -= gives;
                over -= gives;
            }
        }
        let mut text = String::new();
        for (number, cells) in lines().enumerate() {
            let cells = cells.iter().zip(self.columns).zip(widths);
            let cells = cells.map(|((cell, column), width)| place(cell, column, width));
            let line = cells.collect::<Vec<_>>().join(GAP);
            let line = line.trim_end();
            text += &if number == 0 { styled(HEADING, line) } else { line.to_owned() };
            text.push('\n');
        }
        text
    }
}

fn place(cell: &str, column: Column, width: usize) -> String {
    let cell = cut(cell, width);
    // Counted in columns of the terminal, which `format!` does not know.
    let space = " ".repeat(width.saturating_sub(cell.width()));
    match column {
        Column::Right(_) => space + &cell,
        Column::Left(_) | Column::GivesWay(_) => cell + &space,
    }
}

fn cut(cell: &str, width: usize) -> String {
    if cell.width() <= width {
        return cell.to_owned();
    }
    let mut room = width.saturating_sub(CUT.len());
    let fits = |c: &char| {
        let wide = c.width().unwrap_or_default();
        let fits = wide <= room;
        room = room.saturating_sub(wide);
        fits
    };
    cell.chars().take_while(fits).collect::<String>() + CUT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table<3> {
        let mut table =
            Table::new([Column::Right("rank"), Column::GivesWay("name"), Column::Left("id")]);
        table.row(["1".into(), "Anna the Unreasonably Patient".into(), "P01".into()]);
        table.row(["12".into(), "将棋の先生がいちばん強い".into(), "P02".into()]);
        table
    }

    fn lines(most: Option<usize>) -> Vec<String> {
        let text = anstream::adapter::strip_str(&table().fit(most)).to_string();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_table_is_as_wide_as_what_is_in_it() {
        let whole = lines(None);
        assert_eq!(whole[0], "rank  name                           id");
        assert_eq!(whole[1], "   1  Anna the Unreasonably Patient  P01");
        assert_eq!(whole[2], "  12  将棋の先生がいちばん強い       P02");
        assert_eq!(lines(Some(200)), whole);
    }

    #[test]
    fn a_table_that_is_too_wide_gives_way_in_one_column() {
        let narrow = lines(Some(26));
        assert!(narrow.iter().all(|line| line.width() <= 26), "{narrow:?}");
        assert_eq!(narrow[1], "   1  Anna the Unr...  P01");
        assert_eq!(narrow[2], "  12  将棋の先生が...  P02");
        let hopeless = lines(Some(5));
        assert_eq!(hopeless[1], "   1  Anna ...  P01", "it stays readable");
    }
}
