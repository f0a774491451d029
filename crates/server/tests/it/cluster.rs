//! Postgres for stories: a database in the one that tests/postgres runs, or a server of a story's own, free
//! to be stopped, killed and started. Both are thrown away afterwards.

use std::{
    env,
    ffi::OsStr,
    fs,
    hash::{BuildHasher, Hasher, RandomState},
    io::Read,
    net::TcpListener,
    os::unix::fs::{PermissionsExt, chown},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tempfile::TempDir;

/// Bytes that a few Postgres at a time do not fill.
const MUCH: u64 = 4 << 30;

pub struct Cluster {
    server: Server,
    port: u16,
    database: String,
}

enum Server {
    Own(TempDir),
    Shared,
}

#[allow(dead_code, reason = "each program that uses it needs another part of it")]
impl Cluster {
    /// An empty database in the server that AGON_TEST_POSTGRES names by its port, or in one of its own.
    /// Only databases of one server are apart: settings, locks on the server and its end are shared.
    pub fn database() -> Cluster {
        let Some(port) = env::var("AGON_TEST_POSTGRES").ok().and_then(|port| port.parse().ok())
        else {
            return Cluster::start();
        };
        let database = format!("story_{:x}", random());
        let cluster = Cluster { server: Server::Shared, port, database };
        cluster.maintain(&format!("create database {}", cluster.database));
        cluster
    }

    /// A server that forgets everything when the machine stops, which tests do not do.
    pub fn start() -> Cluster {
        let cluster = Cluster::prepare(&place());
        cluster.go_on();
        cluster
    }

    /// One that writes everything to the disk, to be measured.
    pub fn durable() -> Cluster {
        let cluster = Cluster::prepare(&env::temp_dir());
        cluster.go_on_with("");
        cluster
    }

    /// One that speaks TLS, as `localhost`.
    pub fn with_tls() -> Cluster {
        let cluster = Cluster::prepare(&place());
        let (key, certificate) = (cluster.file("key"), cluster.certificate());
        run(by_postgres("openssl").args(["req", "-x509", "-newkey", "rsa:2048", "-nodes"]).args([
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
            "-keyout",
            &key,
            "-out",
            &certificate,
        ]));
        let files = format!("-c ssl_key_file={key} -c ssl_cert_file={certificate}");
        cluster.go_on_with(&format!("-c fsync=off -c ssl=on {files}"));
        cluster
    }

    pub fn certificate(&self) -> String {
        self.file("certificate")
    }

    fn prepare(place: &Path) -> Cluster {
        let folder = tempfile::tempdir_in(place).expect("a temporary folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
        if let Some((user, group)) = postgres_user() {
            chown(folder.path(), Some(user), Some(group)).expect("the folder can be given away");
        }
        let port = quiet_port();
        let cluster = Cluster { server: Server::Own(folder), port, database: "postgres".into() };
        let data = cluster.data();
        run(tool("initdb")
            .args(["-A", "trust", "-U", "agon", "--no-sync", "-E", "UTF8"])
            .args(["--locale", "C", "-D", &data]));
        let place = cluster.folder().display();
        let lines = format!(
            "port = {port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '{place}'\n\
             max_connections = 200\n"
        );
        let file = PathBuf::from(&data).join("postgresql.auto.conf");
        fs::write(&file, lines).expect("settings");
        cluster
    }

    pub fn address(&self) -> String {
        format!("postgres://agon@127.0.0.1:{}/{}", self.port, self.database)
    }

    /// Runs a statement about databases.
    fn maintain(&self, sql: &str) {
        let address = format!("postgres://agon@127.0.0.1:{}/postgres", self.port);
        run(Cluster::psql().args(["-Xq", "-c", sql, &address]));
    }

    pub fn go_on(&self) {
        self.go_on_with("-c fsync=off");
    }

    fn go_on_with(&self, settings: &str) {
        let log = self.file("log");
        run(tool("pg_ctl").args(["-D", &self.data(), "-w", "-l", &log, "-o", settings, "start"]));
    }

    pub fn stop(&self) {
        run(tool("pg_ctl").args(["-D", &self.data(), "-m", "fast", "-w", "stop"]));
    }

    /// The program itself: Debian has a script before it, which takes longer than most questions.
    pub fn psql() -> Command {
        Command::new(program("psql"))
    }

    /// Answers of the store, a line each.
    pub fn ask(&self, sql: &str) -> Vec<String> {
        let output = Cluster::psql().args(["-XAtq", "-c", sql, &self.address()]).output();
        let output = output.expect("psql runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
    }

    /// Returns when somebody waits for a lock in this database.
    pub fn wait_for_a_lock(&self) {
        self.ask(
            "do $$ begin loop
                perform pg_stat_clear_snapshot();
                exit when exists (select from pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock');
                perform pg_sleep(0.01);
            end loop; end $$",
        );
    }

    /// All that is kept, as text.
    pub fn everything(&self) -> String {
        let tables = self.ask("select tablename from pg_tables where schemaname = 'public'");
        let rows = tables.iter().flat_map(|table| self.ask(&format!("select * from {table}")));
        rows.collect::<Vec<_>>().join("\n")
    }

    /// Its first process, which is the parent of all others.
    pub fn pid(&self) -> u32 {
        let file = self.folder().join("data/postmaster.pid");
        let lines = fs::read_to_string(file).expect("it runs");
        lines.lines().next().and_then(|pid| pid.parse().ok()).expect("a number")
    }

    fn data(&self) -> String {
        self.file("data")
    }

    fn file(&self, name: &str) -> String {
        self.folder().join(name).display().to_string()
    }

    fn folder(&self) -> &Path {
        match &self.server {
            Server::Own(folder) => folder.path(),
            Server::Shared => panic!("this story needs a server of its own: Cluster::start"),
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Server::Shared = self.server {
            return self.maintain(&format!("drop database {} with (force)", self.database));
        }
        let data = self.data();
        let mut stop = tool("pg_ctl");
        let _ = stop.args(["-D", &data, "-m", "immediate", "stop"]).stdout(Stdio::null()).status();
    }
}

/// Where there is room, in memory: a new Postgres is a thousand files, on a disk most of what a story takes.
fn place() -> PathBuf {
    let memory = "/dev/shm";
    let room = rustix::fs::statvfs(memory).map_or(0, |disk| disk.f_bavail * disk.f_frsize);
    if room > MUCH { memory.into() } else { env::temp_dir() }
}

/// A port that is free now and still will be in a moment: below those that the system gives to whoever
/// asks for any.
fn quiet_port() -> u16 {
    loop {
        let port = 15_000 + (random() % 15_000) as u16;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Whom Postgres runs as when we are root, for it refuses to be root.
fn postgres_user() -> Option<(u32, u32)> {
    let root = fs::metadata("/proc/self").map(|us| std::os::unix::fs::MetadataExt::uid(&us) == 0);
    if !root.expect("we know who we are") {
        return None;
    }
    let mut users = String::new();
    fs::File::open("/etc/passwd").and_then(|mut f| f.read_to_string(&mut users)).expect("users");
    let line = users.lines().find(|line| line.starts_with("postgres:"));
    let line = line.expect("there is a user postgres; apt-get install postgresql makes one");
    let number =
        |at: usize| line.split(':').nth(at).and_then(|n| n.parse().ok()).expect("a number");
    Some((number(2), number(3)))
}

fn tool(name: &str) -> Command {
    by_postgres(program(name))
}

fn program(name: &str) -> PathBuf {
    let installed = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = installed.map(|version| version.path().join("bin").join(name)).max();
    newest.filter(|path| path.exists()).unwrap_or_else(|| name.into())
}

/// A program to be run as whoever runs Postgres.
fn by_postgres(program: impl AsRef<OsStr>) -> Command {
    match postgres_user() {
        None => Command::new(program),
        Some(_) => {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program).current_dir("/");
            command
        }
    }
}

fn run(command: &mut Command) {
    // Not piped: a server that is started keeps these open.
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    let status = status.expect("Postgres is installed; if not: apt-get install postgresql");
    assert!(status.success(), "{command:?}");
}
