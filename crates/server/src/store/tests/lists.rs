//! Lists and searches: the same on every store.

use super::*;

const DAY: Millis = 24 * 60 * 60 * 1000;

/// Listed one page at a time, each by its number's first digit.
async fn list(store: &dyn Store, change: impl FnOnce(&mut Wanted)) -> Vec<u32> {
    let mut wanted = everything();
    change(&mut wanted);
    let mut all = Vec::new();
    loop {
        let list = store.list(wanted.clone()).await.expect("a list");
        all.extend(list.games.iter().map(|game| game.id.number() >> 28));
        match list.next {
            Some(_) if wanted.limit == 3 => return all,
            Some(next) => wanted.before = Some(next),
            None => return all,
        }
    }
}

/// Six games, of which the third is over and moved last; the fourth is a dungeon.
async fn play(store: &dyn Store, start: Millis) {
    for number in 1..=6 {
        let kind = if number == 4 { "dungeon" } else { "chess" };
        let name = ["Ann-Marie von", "Bob"][number as usize % 2];
        let at = start + i64::from(number / 2);
        let mut game = seated(number << 28, vec![seat(0, name)]);
        (game.kind, game.created_at, game.last_at) = (kind.into(), at, at);
        store.create(game).await.unwrap();
    }
    let third = GameId::from_number(3 << 28);
    let last = SavedTurn { at: start + 10, ..turn(1, "x") };
    store.append(chess(third), last, won()).await.unwrap();
}

async fn check(store: &dyn Store) {
    assert_eq!(list(store, |_| {}).await, [3, 6, 5, 2, 1]);
    assert_eq!(list(store, |w| w.limit = 3).await, [3, 6, 5]);
    assert_eq!(list(store, |w| w.limit = 2).await, [3, 6, 5, 2, 1], "page by page");
    assert_eq!(list(store, |w| w.progress = Progress::Over).await, [3]);
    assert_eq!(list(store, |w| w.progress = Progress::Unfinished).await, [6, 5, 2, 1]);
    assert_eq!(list(store, |w| w.kinds = vec!["chess", "dungeon"]).await, [3, 6, 5, 4, 2, 1]);
    assert_eq!(list(store, |w| w.order = Order::Newest).await, [6, 5, 3, 2, 1]);
    for (text, found) in [
        ("bO", &[3, 5, 1][..]),
        (" ann ", &[6, 2]),
        ("marie", &[6, 2]),
        ("von an", &[6, 2]),
        ("arie", &[]),
        ("ann bob", &[]),
        ("3000", &[3]),
        ("0", &[]),
        ("agent", &[3, 6, 5, 2, 1]),
        ("ches ag bob", &[3, 5, 1]),
        ("computer", &[]),
        ("%", &[]),
        ("x' or 'a", &[]),
    ] {
        assert_eq!(list(store, |w| w.text = text.into()).await, found, "{text}");
    }
    let dungeons = |w: &mut Wanted| w.kinds = vec!["chess", "dungeon"];
    let lone = |w: &mut Wanted| {
        dungeons(w);
        w.whose = Whose::LoneAgents;
    };
    assert_eq!(list(store, lone).await, [4], "a dungeon has one seat");
}

#[tokio::test]
async fn lists_go_by_the_last_move_and_searches_by_the_beginnings_of_words() {
    for place in Place::both() {
        let store = place.open().await;
        play(&*store, 1000).await;
        check(&*store).await;
        let third = store.entry(GameId::from_number(3 << 28)).await.unwrap().expect("the game");
        assert_eq!((third.turns, third.last_at, third.created_at), (1, 1010, 1001));
        assert_eq!((third.glimpse.as_deref(), third.winner), (Some("won"), Some(Seat(1))));
        assert_eq!(third.seats, [seat(0, "Bob")]);
        assert_eq!(store.entry(GameId::from_number(5)).await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_seat_that_is_taken_is_found_and_touches_the_game() {
    for place in Place::both() {
        let store = place.open().await;
        play(&*store, 1000).await;
        let first = GameId::from_number(1 << 28);
        let eve = SavedSeat { at: 2000, ..seat(1, "Éve") };
        assert!(store.sit(chess(first), eve, vec![Hashed::of("eve")]).await.unwrap());
        assert_eq!(list(&*store, |_| {}).await, [1, 3, 6, 5, 2]);
        assert_eq!(list(&*store, |w| w.text = "éV".into()).await, [1]);
        assert_eq!(list(&*store, |w| w.text = "bob éve".into()).await, [1]);
        let eves = Wanted { whose: Whose::Connections(Hashed::of("eve")), ..everything() };
        let eves = store.list(eves).await.unwrap().games;
        assert_eq!((eves[0].id, eves[0].yours, eves.len()), (first, Some(Seat(1)), 1));
    }
}

#[tokio::test]
async fn what_nobody_touches_for_a_day_sleeps_until_somebody_moves() {
    for place in Place::both() {
        let store = place.open().await;
        play(&*store, now() - DAY - 1000).await;
        let live = |w: &mut Wanted| w.progress = Progress::Live;
        let asleep = |w: &mut Wanted| w.progress = Progress::Asleep;
        assert_eq!(list(&*store, live).await, [0; 0]);
        assert_eq!(list(&*store, asleep).await, [6, 5, 2, 1]);
        let second = GameId::from_number(2 << 28);
        assert!(store.entry(second).await.unwrap().expect("it").is_asleep());
        store.append(chess(second), SavedTurn { at: now(), ..turn(1, "x") }, on()).await.unwrap();
        assert_eq!(list(&*store, live).await, [2]);
        assert_eq!(list(&*store, asleep).await, [6, 5, 1]);
        assert!(!store.entry(second).await.unwrap().expect("it").is_asleep());
    }
}

#[tokio::test]
async fn games_that_wait_for_the_computer_are_known() {
    for place in Place::both() {
        let store = place.open().await;
        let waits = Gist { computer_due: true, ..on() };
        store.create(new_game(1)).await.unwrap();
        store.create(SavedGame { computer_due: true, ..new_game(2) }).await.unwrap();
        let [one, two] = [1, 2].map(GameId::from_number);
        assert_eq!(store.due_to_computer(10).await.unwrap(), [two]);
        store.append(chess(one), turn(1, "x"), waits.clone()).await.unwrap();
        store.append(chess(two), turn(1, "x"), on()).await.unwrap();
        assert_eq!(store.due_to_computer(10).await.unwrap(), [one]);
    }
}

#[tokio::test]
async fn a_copy_has_the_lists_of_its_original() {
    for from in Place::both() {
        let from = from.open().await;
        play(&*from, 1000).await;
        let waits = Gist { computer_due: true, ..on() };
        let dungeon = ChangedGame { id: GameId::from_number(4 << 28), kind: "dungeon" };
        from.append(dungeon, SavedTurn { at: 1002, ..turn(1, "x") }, waits).await.unwrap();
        for place in Place::both() {
            let to = place.open().await;
            copy(&*from, &*to, |_| {}).await.unwrap();
            check(&*to).await;
            for number in 1..=6 {
                let id = GameId::from_number(number << 28);
                assert_eq!(to.entry(id).await.unwrap(), from.entry(id).await.unwrap());
            }
            assert_eq!(to.due_to_computer(10).await.unwrap(), [dungeon.id]);
        }
    }
}

#[tokio::test]
async fn lists_that_nobody_waits_for_keep_no_connection() {
    let cluster = Cluster::database();
    let store = open(&cluster.address().parse().expect("an address")).await.expect("a store");
    let connect = async || {
        let connected = tokio_postgres::connect(&cluster.address(), tokio_postgres::NoTls).await;
        let (client, connection) = connected.expect("a connection");
        tokio::spawn(connection);
        client
    };
    let (lock, watch) = (connect().await, connect().await);
    lock.batch_execute("begin; lock table games in access exclusive mode").await.expect("a lock");
    let lists: Vec<_> = (0..60)
        .map(|_| {
            let store = store.clone();
            // Again and again, for each is given up after a while.
            tokio::spawn(async move {
                loop {
                    let _ = store.list(everything()).await;
                }
            })
        })
        .collect();
    let waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while watch.query_one(waiting, &[]).await.expect("a count").get::<_, i64>(0) < 8 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    lists.iter().for_each(|list: &tokio::task::JoinHandle<()>| list.abort());
    // Otherwise every connection would wait for the lock until patience is at its end.
    assert_eq!(store.session(Hashed::of("nobody")).await.expect("an answer"), None);
}
