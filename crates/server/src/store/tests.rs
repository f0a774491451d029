//! One suite for every kind of store: what one keeps, the other keeps.

#[path = "../../tests/it/cluster.rs"]
pub(super) mod cluster;
#[path = "../../tests/it/crowd.rs"]
pub(super) mod crowd;
mod lists;

use std::{collections::HashSet, sync::Arc, time::Duration};

use rules::{Outcome, Seat, Turn};
use tokio::time::timeout;

use self::cluster::Cluster;
use super::*;
use crate::player::Player;

/// A place for a store, which lasts as long as this does.
enum Place {
    File(tempfile::TempDir),
    Cluster(Cluster),
}

impl Place {
    fn both() -> [Place; 2] {
        [Place::File(tempfile::tempdir().expect("a folder")), Place::Cluster(Cluster::database())]
    }

    fn address(&self) -> Address {
        let address = match self {
            Place::File(folder) => format!("sqlite:{}", folder.path().join("agon.db").display()),
            Place::Cluster(cluster) => cluster.address(),
        };
        address.parse().expect("an address")
    }

    async fn open(&self) -> Arc<dyn Store> {
        open(&self.address()).await.expect("a store")
    }
}

fn new_game(number: u32) -> SavedGame {
    SavedGame {
        id: GameId::from_number(number),
        name: None,
        kind: "chess".into(),
        rules: 1,
        setup: "{}".into(),
        seed: u64::MAX - u64::from(number),
        luck: u64::MAX / 3 + u64::from(number),
        practice: number % 2 == 1,
        created_at: i64::from(number),
        outcome: None,
        winner: None,
        last_at: i64::from(number),
        glimpse: "a new game".into(),
        computer_due: false,
        news: News::default(),
    }
}

fn seated(number: u32, seats: Vec<SavedSeat>) -> SavedGame {
    SavedGame { news: News { seats, ..News::default() }, ..new_game(number) }
}

fn chess(id: GameId) -> ChangedGame {
    ChangedGame { id, kind: "chess" }
}

fn seat(number: u8, name: &str) -> SavedSeat {
    let manner = "table".into();
    let sitting = SavedSeat::new(Seat(number), Player::Agent);
    SavedSeat { name: name.into(), manner, at: 7, ..sitting }
}

fn turn(number: u32, text: &str) -> SavedTurn {
    let turn = Turn::new(number, Seat((number % 2) as u8), text);
    let (at, refused) = (i64::from(number), Some(0));
    SavedTurn { turn, at, request: None, comment: None, refused, loose: 0, tokens: None }
}

fn won() -> Gist {
    let outcome = Outcome::of_two(Some(Seat(1)), "checkmate");
    Gist { outcome: Some(outcome), glimpse: "won".into(), ..on() }
}

fn on() -> Gist {
    Gist { glimpse: "it goes on".into(), ..Gist::default() }
}

fn everything() -> Wanted {
    Wanted::of(vec!["chess"], 10)
}

#[tokio::test]
async fn a_game_is_read_back_as_it_was_written() {
    for place in Place::both() {
        let store = place.open().await;
        let (name, session) = (Hashed::of("name"), Hashed::of("session"));
        let mut game = seated(0xffff_fff0, vec![seat(0, "Ann")]);
        game.name = Some(name);
        game.news.connections = vec![(session, Seat(0))];
        let id = game.id;
        assert_eq!(store.create(game.clone()).await.unwrap(), Created::New);
        assert!(store.sit(chess(id), seat(1, "Bob ünïcode"), Vec::new()).await.unwrap());
        assert!(!store.sit(chess(id), seat(1, "Eve"), Vec::new()).await.unwrap());
        let mut first = turn(1, "e2e4");
        first.turn.report = Some("{\"a\":1}".into());
        first.request = Some("key".into());
        (first.refused, first.loose, first.tokens) = (None, 1, Some(1234));
        for _ in 0..2 {
            place.open().await.count_refused(id, Seat(1)).await.unwrap();
        }
        assert!(store.append(chess(id), first.clone(), on()).await.unwrap());
        store.count_refused(id, Seat(1)).await.unwrap();
        first.refused = Some(2);
        assert!(store.append(chess(id), turn(2, "e7e5"), won()).await.unwrap());
        assert!(!store.append(chess(id), turn(2, "d7d5"), on()).await.unwrap());
        // Another process reads it.
        let saved = place.open().await.load(id).await.unwrap().expect("the game");
        assert_eq!((saved.seed, saved.luck), (game.seed, game.luck));
        assert_eq!((saved.practice, saved.created_at), (game.practice, game.created_at));
        assert_eq!((saved.outcome.as_deref(), saved.winner), (Some("checkmate"), Some(Seat(1))));
        let bob = SavedSeat { refused: 3, ..seat(1, "Bob ünïcode") };
        assert_eq!(saved.news.seats, [seat(0, "Ann"), bob]);
        assert_eq!(saved.news.turns, [first, turn(2, "e7e5")]);
        assert_eq!(saved.news.connections, [(session, Seat(0))]);
        assert_eq!(store.news(id, 1).await.unwrap().turns, [turn(2, "e7e5")]);
        assert_eq!(store.named(name).await.unwrap(), Some(id));
        assert!(store.load(GameId::from_number(5)).await.unwrap().is_none());
        assert!(store.ping().await.is_ok());
    }
}

#[tokio::test]
async fn ids_and_names_are_given_once() {
    for place in Place::both() {
        let (here, there) = (place.open().await, place.open().await);
        assert_eq!(here.create(new_game(1)).await.unwrap(), Created::New);
        let another = SavedGame { seed: 5, ..new_game(1) };
        assert_eq!(there.create(another).await.unwrap(), Created::IdTaken);
        let named = |number| SavedGame { name: Some(Hashed::of("cup")), ..new_game(number) };
        let all = (10..30).map(|n| if n % 2 == 0 { &here } else { &there }.create(named(n)));
        let all = futures_util::future::join_all(all).await;
        let all: Vec<_> = all.into_iter().map(Result::unwrap).collect();
        let made: Vec<_> = (10..).zip(&all).filter(|(_, c)| **c == Created::New).collect();
        let [(number, _)] = made[..] else { panic!("{all:?}") };
        let taken = Created::NameTaken(GameId::from_number(number));
        assert_eq!(all.iter().filter(|created| **created == taken).count(), 19);
        assert_eq!(here.count(10).await.unwrap(), 2, "nothing is left of those that lost");
        assert_eq!(here.count_kind("chess").await.unwrap(), 2);
        assert_eq!(there.count_kind("league").await.unwrap(), 0);
    }
}

#[tokio::test]
async fn of_many_who_play_one_turn_one_does() {
    for place in Place::both() {
        let stores = [place.open().await, place.open().await, place.open().await];
        for number in 0..20 {
            stores[0].create(new_game(number)).await.unwrap();
        }
        // Every node asks for the first turn of every game, each in its own order.
        let asks =
            (0..60).map(|n| {
                let (node, game) =
                    (n % 3, GameId::from_number(if n % 2 == 0 { n } else { 59 - n } / 3));
                let store = stores[node as usize].clone();
                async move {
                    (game, store.append(chess(game), turn(1, &format!("ask {n}")), on()).await)
                }
            });
        let answers = futures_util::future::join_all(asks).await;
        let won: Vec<_> = answers.iter().filter(|(_, won)| *won.as_ref().unwrap()).collect();
        let games: HashSet<_> = won.iter().map(|(game, _)| game).collect();
        assert_eq!(won.len(), games.len(), "no turn was played twice");
        for (game, _) in answers {
            assert_eq!(stores[1].news(game, 0).await.unwrap().turns.len(), 1);
        }
    }
}

#[tokio::test]
async fn a_turn_that_postgres_refuses_does_not_fail_those_of_others() {
    let place = Place::Cluster(Cluster::database());
    let store = place.open().await;
    for number in 0..20 {
        store.create(new_game(number)).await.unwrap();
    }
    // All are queued before the first is sent. Postgres keeps no text with a zero in it.
    let text = |number| if number == 7 { "a\0b" } else { "e2e4" };
    let asks = (0..20).map(|n| store.append(chess(GameId::from_number(n)), turn(1, text(n)), on()));
    let answers = futures_util::future::join_all(asks).await;
    for (number, answer) in answers.into_iter().enumerate() {
        assert_eq!(answer.is_ok_and(|is_in| is_in), number != 7, "{number}");
    }
}

#[tokio::test]
async fn one_at_a_time_has_a_duty_and_it_ends_by_itself() {
    for place in Place::both() {
        let (here, there) = (place.open().await, place.open().await);
        let long = Duration::from_secs(60);
        assert!(here.hold("league", 1, long).await.unwrap());
        assert!(!there.hold("league", 2, long).await.unwrap());
        assert!(there.hold("another", 2, long).await.unwrap());
        assert!(here.hold("league", 1, long).await.unwrap());
        assert!(here.hold("league", 1, Duration::ZERO).await.unwrap());
        assert!(there.hold("league", 2, Duration::from_millis(1)).await.unwrap());
        while !here.hold("league", 1, long).await.unwrap() {}
        assert!(!there.hold("league", 2, long).await.unwrap());
    }
}

#[tokio::test]
async fn other_processes_hear_of_it() {
    for place in Place::both() {
        let (here, there) = (place.open().await, place.open().await);
        let game = GameId::from_number(1);
        let mut changes = there.changes();
        // On Postgres the ear is at the door a moment after the store is open.
        let heard = async {
            for number in 2.. {
                here.create(seated(number, vec![seat(0, "Ann")])).await.unwrap();
                if timeout(Duration::from_millis(100), changes.recv()).await.is_ok() {
                    return;
                }
            }
        };
        timeout(Duration::from_secs(20), heard).await.expect("it is heard");
        here.create(new_game(1)).await.unwrap();
        here.append(chess(game), turn(1, "e2e4"), on()).await.unwrap();
        let told = Change::Game { id: game, turn: 1, kind: Some("chess") };
        let last = async { while changes.recv().await.unwrap() != told {} };
        timeout(Duration::from_secs(20), last).await.expect("it is heard");
    }
}

#[tokio::test]
async fn news_that_could_not_be_told_is_said_to_be_missed() {
    let place = Place::Cluster(Cluster::start());
    let (here, there) = (place.open().await, place.open().await);
    let mut changes = there.changes();
    let game = GameId::from_number(1);
    let heard = async |changes: &mut tokio::sync::broadcast::Receiver<Change>| {
        timeout(Duration::from_secs(60), changes.recv()).await.expect("it is heard").unwrap()
    };
    here.create(new_game(1)).await.unwrap();
    here.append(chess(game), turn(1, "e2e4"), on()).await.unwrap();
    // Until the other one listens.
    while timeout(Duration::from_millis(100), changes.recv()).await.is_err() {
        here.say("hello".into()).await.unwrap();
    }
    // Postgres takes no text that is so long.
    here.say("x".repeat(9000)).await.unwrap();
    while heard(&mut changes).await != Change::Missed {}
    here.settle().await.unwrap();
    let Place::Cluster(cluster) = &place else { unreachable!() };
    // Open connections stay, except the one that notifies.
    cluster.ask(
        "update pg_database set datallowconn = false where datname = 'postgres';
         select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'agon tells'",
    );
    here.append(chess(game), turn(2, "e7e5"), on()).await.unwrap();
    here.settle().await.unwrap();
    let address = cluster.address().replace("/postgres", "/template1");
    let allow = "update pg_database set datallowconn = true where datname = 'postgres'";
    let allowed = Cluster::psql().args(["-XAtq", "-c", allow, &address]).status();
    assert!(allowed.expect("psql runs").success());
    while heard(&mut changes).await != Change::Missed {}
}

#[tokio::test]
async fn sessions_and_what_they_follow_are_kept_and_forgotten() {
    for place in Place::both() {
        let (here, there) = (place.open().await, place.open().await);
        let [one, two] = ["one", "two"].map(Hashed::of);
        here.save_session(one, "hello".into()).await.unwrap();
        here.save_session(one, "hello again".into()).await.unwrap();
        assert_eq!(there.session(one).await.unwrap().as_deref(), Some("hello again"));
        for (session, uri) in [(one, "a"), (one, "a"), (one, "b"), (two, "a")] {
            assert!(here.subscribe(session, uri, uri).await.unwrap());
        }
        there.unsubscribe(one, "b").await.unwrap();
        let both = vec![one, two];
        let followed = there.subscriptions(both.clone(), None).await.unwrap();
        let followed: HashSet<_> = followed.into_iter().collect();
        assert_eq!(followed, HashSet::from([(one, "a".to_owned()), (two, "a".to_owned())]));
        let of_one = there.subscriptions(vec![one], None).await.unwrap();
        assert_eq!(of_one, [(one, "a".to_owned())]);
        // A subscription is found by its subject.
        for (about, expected) in [(vec![], 0), (vec!["b"], 0), (vec!["b", "a"], 2)] {
            let about = about.into_iter().map(str::to_owned).collect();
            let found = there.subscriptions(both.clone(), Some(about)).await.unwrap();
            assert_eq!(found.len(), expected, "{found:?}");
        }
        for number in 1..MOST_FOLLOWED {
            assert!(here.subscribe(one, &number.to_string(), "").await.unwrap());
        }
        assert!(!here.subscribe(one, "one too many", "").await.unwrap());
        assert!(there.subscribe(one, "a", "a").await.unwrap(), "it is followed already");
        there.forget_session(one).await.unwrap();
        assert_eq!(here.session(one).await.unwrap(), None);
        assert_eq!(here.subscriptions(both.clone(), None).await.unwrap(), [(two, "a".to_owned())]);
        here.save_session(two, "hello".into()).await.unwrap();
        here.tidy(now() + 1000).await.unwrap();
        assert_eq!(there.session(two).await.unwrap(), None);
        assert!(there.subscriptions(both, None).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn the_newest_of_a_series_and_what_was_said_in_its_matches_are_kept() {
    for place in Place::both() {
        let store = place.open().await;
        for number in [1, 2] {
            store.create(new_game(number)).await.unwrap();
        }
        let (name, [one, two]) = (Hashed::of("cup"), [1, 2].map(GameId::from_number));
        assert_eq!(store.named(name).await.unwrap(), None);
        for newest in [one, two] {
            store.set_named(name, newest).await.unwrap();
            assert_eq!(store.named(name).await.unwrap(), Some(newest));
        }
        let logged = |contest: &str, text: &str, until| LoggedMessages {
            league: one,
            contest: contest.into(),
            player: "P01".into(),
            at: 7,
            until,
            text: text.into(),
        };
        let long = now() + 60_000;
        let longest = long + 60_000;
        let said = [logged("R1M1", "first", longest), logged("R1M1", "second", longest)];
        store.add_to_match_log(said.to_vec()).await.unwrap();
        assert_eq!(store.match_log(one, "R1M1").await.unwrap(), said);
        assert_eq!(store.match_log(two, "R1M1").await.unwrap(), []);
        // However long one is kept, the others are trimmed when there are too many.
        let batch = |n: i64| (1..=2500).map(move |i| logged("R1M3", "more", long + n + i));
        for n in 1..=10 {
            store.add_to_match_log(batch(n).collect()).await.unwrap();
        }
        let more = store.match_log(one, "R1M3").await.unwrap().len() as i64;
        assert!((MOST_LOGGED - 2500..MOST_LOGGED + 2500).contains(&more), "{more}");
        assert_eq!(store.match_log(one, "R1M1").await.unwrap(), said);
        store.keep_longer(one, "R1M3", 1).await.unwrap();
        // Old messages go when a new one comes.
        store.keep_longer(one, "R1M1", 1).await.unwrap();
        store.add_to_match_log(vec![logged("R1M2", "third", long)]).await.unwrap();
        assert_eq!(store.match_log(one, "R1M1").await.unwrap(), []);
        assert_eq!(store.match_log(one, "R1M2").await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_store_is_copied_whole_and_only_into_an_empty_one() {
    let [file, cluster] = Place::both();
    let other_file = Place::File(tempfile::tempdir().expect("a folder"));
    let (from, to) = (file.open().await, cluster.open().await);
    for number in 1..=1200 {
        let name = (number % 3 == 0).then(|| Hashed::of(&number.to_string()));
        let mut game = seated(number, vec![seat(1, "Bob"), seat(0, "Ann")]);
        let connection = (number % 2 == 0).then(|| (Hashed::of("session"), Seat(1)));
        game.news.connections = connection.into_iter().collect();
        let created_at = i64::from(number / 7);
        from.create(SavedGame { name, created_at, ..game }).await.unwrap();
        for move_number in 1..=number % 4 {
            let after = if move_number == 3 { won() } else { on() };
            let tokens = Some(number);
            let played = SavedTurn { tokens, ..turn(move_number, "e2e4") };
            from.append(chess(GameId::from_number(number)), played, after).await.unwrap();
        }
    }
    let league = GameId::from_number(7);
    let series = Hashed::of("cup");
    from.set_named(series, league).await.unwrap();
    let logged = |n: i64| LoggedMessages {
        league,
        contest: "R1M1".into(),
        player: "P01".into(),
        at: n,
        until: now() + 3_600_000,
        text: format!("logged {n}"),
    };
    let logged: Vec<_> = (0..1200).map(logged).collect();
    from.add_to_match_log(logged.clone()).await.unwrap();
    assert_eq!(copy(&*from, &*to, |_| {}).await.unwrap(), 1200);
    assert_eq!(to.named(series).await.unwrap(), Some(league));
    assert_eq!(to.match_log(league, "R1M1").await.unwrap(), logged);
    assert!(copy(&*from, &*to, |_| {}).await.is_err(), "it is not empty any more");
    // And back again, with the secret that opens the seats.
    let (again, back) = (cluster.open().await, other_file.open().await);
    assert_eq!(again.secret(), from.secret());
    assert_eq!(copy(&*again, &*back, |_| {}).await.unwrap(), 1200);
    let game = GameId::from_number(999);
    assert_eq!(back.load(game).await.unwrap(), from.load(game).await.unwrap());
}

#[tokio::test]
async fn ten_nodes_may_open_a_new_database_at_once() {
    let place = Place::Cluster(Cluster::database());
    let opened = (0..10).map(|_| place.open());
    let opened = futures_util::future::join_all(opened).await;
    let secrets: HashSet<_> = opened.iter().map(|store| store.secret().to_vec()).collect();
    assert_eq!(secrets.len(), 1);
}

#[tokio::test]
async fn a_database_that_is_not_ours_or_too_new_or_gone_is_refused_with_the_reason() {
    let cluster = Cluster::start();
    let refused = async |address: String| {
        let address: Address = address.parse().expect("an address");
        let Err(error) = open(&address).await else { panic!("{address} was opened") };
        assert!(!error.to_string().contains("s3cret"), "{error}");
        error.to_string()
    };
    let address = cluster.address();
    cluster.ask("create table games (id int)");
    assert!(refused(address.clone()).await.contains("is not a store of agon"));
    cluster.ask("drop table games");
    open(&address.parse().expect("an address")).await.expect("it is empty");
    cluster.ask("update agon_schema set version = 99");
    assert!(refused(address.clone()).await.contains("newer agon (store version 99"));
    cluster.ask("update agon_schema set version = 11");
    assert!(refused(address.clone()).await.contains("was kept by an unreleased agon"));
    assert_eq!(cluster.ask("select version from agon_schema"), ["11"], "it is left as it is");
    let with_password = address.replace("agon@", "agon:s3cret@") + "?connect_timeout=5";
    let no_database = with_password.replace("/postgres?", "/nowhere?");
    assert!(refused(no_database).await.contains("database \"nowhere\" does not exist"));
    let mode = format!("{with_password}&sslmode=sometimes");
    assert!(refused(mode).await.contains("sslmode=sometimes"));
    // This server has no TLS, so whoever insists on it is not let down.
    let insist = format!("{with_password}&sslmode=require");
    assert!(refused(insist).await.contains("TLS"));
    let typo = "postgress://agon:s3cret@db/agon";
    assert!(refused(typo.into()).await.contains("it begins with postgres://"));
    assert!(refused("postgres://agon:s3cret@".into()).await.contains("postgres://agon@"));
}

#[tokio::test]
async fn tls_is_as_the_address_asks() {
    let cluster = Cluster::with_tls();
    let by_name = cluster.address().replace("127.0.0.1", "localhost");
    let check = async |address: &str, mode: &str, expected: bool| {
        let address: Address = format!("{address}?{mode}").parse().expect("an address");
        let opened = open(&address).await;
        let why = opened.as_ref().err().map(ToString::to_string);
        assert_eq!(opened.is_ok(), expected, "{address}: {why:?}");
    };
    let trusted = format!("sslrootcert={}", cluster.certificate());
    check(&by_name, "sslmode=disable", true).await;
    check(&by_name, "sslmode=require", true).await;
    check(&by_name, "sslmode=verify-full", false).await;
    check(&by_name, &format!("sslmode=verify-full&{trusted}"), true).await;
    // The certificate is for another name than the one that was meant.
    check(&cluster.address(), &format!("sslmode=verify-full&{trusted}"), false).await;
    check(&cluster.address(), &format!("sslmode=verify-ca&{trusted}"), true).await;
    let told = "select count(*) from pg_stat_ssl join pg_stat_activity using (pid)
                where ssl and application_name like 'agon%'";
    let store = open(&format!("{by_name}?sslmode=require").parse().expect("an address")).await;
    let store = store.expect("a store");
    store.ping().await.expect("it answers");
    assert_ne!(cluster.ask(told), ["0"], "it is spoken to over TLS");
}

#[tokio::test]
async fn the_very_same_asked_for_again_is_done_once() {
    for place in Place::both() {
        let (here, there) = (place.open().await, place.open().await);
        let (id, mine, theirs) = (GameId::from_number(1), Hashed::of("mine"), Hashed::of("theirs"));
        for store in [&here, &there, &here] {
            assert_eq!(store.create(new_game(1)).await.unwrap(), Created::New);
            assert!(store.sit(chess(id), seat(0, "Ann"), vec![mine]).await.unwrap());
            assert!(!store.sit(chess(id), seat(0, "Ann"), vec![theirs]).await.unwrap());
            assert!(!store.sit(chess(id), seat(0, "Ann"), Vec::new()).await.unwrap());
            assert!(store.append_again(chess(id), turn(1, "e2e4"), on()).await.unwrap());
            let later = SavedTurn { at: 8, ..turn(1, "e2e4") };
            assert!(!store.append_again(chess(id), later, on()).await.unwrap());
            let keyed = SavedTurn { request: Some("key".into()), ..turn(1, "e2e4") };
            assert!(!store.append_again(chess(id), keyed, on()).await.unwrap());
            // A first attempt is another caller's, who plays the same in the same millisecond.
            assert!(!store.append(chess(id), turn(1, "e2e4"), on()).await.unwrap());
        }
        let saved = here.load(id).await.unwrap().expect("the game");
        assert_eq!((saved.news.seats.len(), saved.news.turns.len()), (1, 1));
        assert_eq!(saved.news.connections, [(mine, Seat(0))]);
    }
}

#[tokio::test]
async fn whoever_opens_a_link_sits_down_then_and_by_their_name() {
    for place in Place::both() {
        let (here, there) = (place.open().await, place.open().await);
        let (id, key) = (GameId::from_number(1), Hashed::of("browser"));
        here.create(seated(1, vec![seat(0, ""), seat(1, "Bob")])).await.unwrap();
        let link = |number, opened| Link { number, opened };
        let ann = |at| Opener { key: Some(key), name: Some("Ann".into()), at };
        let open = async |store: &Arc<dyn Store>, number, opener| {
            let links = (link(number, false), link(number, true));
            store.relink(chess(id), Seat(0), links, Some(opener)).await.unwrap()
        };
        assert!(open(&here, 0, ann(50)).await);
        assert!(!open(&there, 0, Opener { name: Some("Eve".into()), ..ann(60) }).await);
        let opened = SavedSeat { at: 50, link: link(0, true), ..seat(0, "Ann") };
        assert_eq!(there.news(id, 0).await.unwrap().seats, [opened.clone(), seat(1, "Bob")]);
        assert_eq!(there.news(id, 0).await.unwrap().connections, [(key, Seat(0))]);
        let found = there.list(Wanted { text: "ann".into(), ..everything() }).await.unwrap();
        assert_eq!(
            found.games.iter().map(|game| (game.id, game.last_at)).collect::<Vec<_>>(),
            [(id, 50)]
        );
        // A new link seats nobody yet; whoever opens it without a name keeps the one there is.
        let renew = (link(0, true), link(1, false));
        assert!(there.relink(chess(id), Seat(0), renew, None).await.unwrap());
        let renewed = SavedSeat { link: link(1, false), ..opened };
        assert_eq!(here.news(id, 0).await.unwrap().seats[0], renewed);
        assert!(open(&there, 1, Opener { key: None, name: None, at: 70 }).await);
        let again = SavedSeat { at: 70, link: link(1, true), ..renewed };
        assert_eq!(here.news(id, 0).await.unwrap().seats[0], again);
    }
}

#[tokio::test]
async fn a_lease_that_reaches_further_than_any_can_is_over() {
    for place in Place::both() {
        let store = place.open().await;
        let lease = Duration::from_secs(3);
        // As one who held it would have it whose clock was then set back by a day.
        let day = Duration::from_secs(24 * 60 * 60);
        assert!(store.hold("computer 1", 1, day).await.unwrap());
        assert!(!store.hold("computer 1", 2, Duration::ZERO).await.unwrap(), "it is not another's");
        let lapsed = store.lapsed("computer", Duration::from_secs(30)).await.unwrap();
        assert_eq!(lapsed, ["computer 1"]);
        assert!(store.hold("computer 1", 2, lease).await.unwrap());
        assert!(!store.hold("computer 1", 1, lease).await.unwrap());
        assert!(store.lapsed("computer", Duration::from_secs(30)).await.unwrap().is_empty());
    }
}
