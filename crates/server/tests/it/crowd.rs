//! A store with very many games, written in one go: what lists show is there, and two turns each.

use std::time::{SystemTime, UNIX_EPOCH};

/// How the two stores differ in what is written here.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "each program that uses it needs another part of it")]
pub enum Sql {
    Sqlite,
    Postgres,
}

/// Games a minute apart, the last one now. Two of three are over, one of ten is a match of a
/// league, one of five is Claude's; the others' names have eighty games each: `p0x`, `p1x`, ...
pub fn crowd(sql: Sql, games: u32) -> String {
    let numbers = match sql {
        Sql::Sqlite => format!(
            "with recursive all_of (n) as (select 0 union all select n + 1 from all_of
             where n + 1 < {games}) select n from all_of"
        ),
        Sql::Postgres => format!("select generate_series(0, {games} - 1)::bigint as n"),
    };
    let hex = match sql {
        Sql::Sqlite => "printf('%08x', id)",
        Sql::Postgres => "lpad(to_hex(id), 8, '0')",
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later").as_millis();
    let card = r#"{"to_move":0,"moves":2,"fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2","last":{"uci":"e7e5","san":"e5"},"hints":false}"#;
    format!(
        "create temporary table crowd as
         select n, (n * 2654435761) % 4294967296 as id,
             case when n % 10 = 9 then 'even-odd' else 'chess' end as kind,
             {now} - ({games} - n) * 60000 as at,
             case when n % 5 = 0 then 'claude' else 'p' || (n / 100) || 'x' end as name
         from ({numbers}) as numbers order by 2;
         insert into games (id, kind, rules, setup, seed, luck, practice, created_at, outcome,
                            winner, last_at, turns, ended, lone, computer_due, words, card)
         select id, kind, 1, '{{}}', n, n, false, at, case when n % 3 <> 0 then 'checkmate' end,
             case when n % 3 <> 0 then 0 end, at + 30000, 2, n % 3 <> 0, kind = 'chess',
             false, ' ' || {hex} || case when kind = 'chess' then ' chess' else ' even odd' end
                 || ' agent ' || name || ' computer 3', '{card}'
         from crowd;
         insert into seats (game, seat, player, name, manner, at)
         select id, 0, 'agent', name, '', at from crowd;
         insert into seats (game, seat, player, name, manner, at)
         select id, 1, 'computer 3', '', '', at from crowd;
         insert into turns (game, number, seat, move, at)
         select id, 1, 0, 'e2e4', at from crowd where kind = 'chess';
         insert into turns (game, number, seat, move, at)
         select id, 2, 1, 'e7e5', at + 30000 from crowd where kind = 'chess';
         insert into terms (term, game) select name, id from crowd order by name, id;
         drop table crowd;"
    )
}
