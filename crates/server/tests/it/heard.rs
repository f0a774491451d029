//! A server that a test starts in its own way, and all that it says on stderr.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread::{self, JoinHandle},
};

pub struct Heard {
    child: Child,
    pub address: String,
    said: Option<JoinHandle<String>>,
}

impl Heard {
    /// Returns when the server listens.
    pub fn start(command: &mut Command) -> Heard {
        let mut child =
            command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("agon starts");
        let stderr = BufReader::new(child.stderr.take().expect("stderr is piped"));
        let (tell, told) = mpsc::channel();
        let said = thread::spawn(move || {
            let mut said = String::new();
            for line in stderr.split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).into_owned();
                if let Some((_, rest)) = line.split_once("listens on http://") {
                    let _ = tell.send(rest.split(' ').next().expect("an address").to_owned());
                }
                said += &line;
                said.push('\n');
            }
            said
        });
        let address = told.recv().expect("agon says where it listens");
        Heard { child, address, said: Some(said) }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to stop; all it has said.
    pub fn close(mut self) -> String {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
        self.child.wait().expect("it ends");
        self.said.take().expect("it is closed once").join().expect("stderr can be read")
    }
}

impl Drop for Heard {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
