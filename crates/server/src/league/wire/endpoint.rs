//! Addresses that agents give, and which of them may be called: an agent must not be able to send
//! us where it cannot go itself.
//!
//! Calling them is in `post`.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    str::FromStr,
    sync::{Arc, OnceLock},
};

use ipnet::IpNet;
use reqwest::Url;
use tokio::net::lookup_host;

use super::errors::{Forbidden, NotANet};

pub(super) const MAX_URL: usize = 2048;

/// A range of addresses, like `10.0.0.0/8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Net(IpNet);

impl FromStr for Net {
    type Err = NotANet;

    fn from_str(text: &str) -> Result<Net, NotANet> {
        // One address is a range too.
        let net = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        net.map(Net).map_err(|_| NotANet(text.into()))
    }
}

/// Never called, whatever the owner opens: link-local, where clouds keep their secrets, and what
/// is no one machine's address.
const NEVER: &[&str] = &[
    "0.0.0.0/8",
    "169.254.0.0/16",
    "192.0.0.192/32",
    "100.100.100.200/32",
    "168.63.129.16/32",
    "224.0.0.0/4",
    "255.255.255.255/32",
    "::/128",
    "fe80::/10",
    "fd00:ec2::254/128",
    "ff00::/8",
];

/// Which addresses may be called. Loopback where only this machine can call us; others by the
/// owner's word.
#[derive(Clone, Debug)]
pub struct AllowedAddresses {
    allowed: Arc<[Net]>,
    /// Those of them that the owner named.
    named: Arc<[Net]>,
    never: Arc<[Net]>,
    /// Where we listen ourselves.
    doors: Arc<OnceLock<Vec<SocketAddr>>>,
}

impl Default for AllowedAddresses {
    fn default() -> AllowedAddresses {
        AllowedAddresses::opened_to(&[])
    }
}

impl AllowedAddresses {
    pub fn opened_to(nets: &[Net]) -> AllowedAddresses {
        let net = |text: &str| text.parse().expect("our own ranges are right");
        let allowed = [nets, &[net("127.0.0.0/8"), net("::1/128")]].concat().into();
        AllowedAddresses { allowed, ..AllowedAddresses::public(nets) }
    }

    /// For a server that others than this machine can call: they must not reach through it what
    /// listens here, unless the owner says so.
    pub fn public(nets: &[Net]) -> AllowedAddresses {
        let net = |text: &&str| text.parse().expect("our own ranges are right");
        let (allowed, never): (Arc<[Net]>, _) = (nets.into(), NEVER.iter().map(net).collect());
        AllowedAddresses { named: allowed.clone(), allowed, never, doors: Arc::default() }
    }

    /// Those that a stranger may have us call: without what listens on this machine, unless the owner
    /// named it.
    pub fn for_strangers(&self) -> AllowedAddresses {
        AllowedAddresses { allowed: self.named.clone(), ..self.clone() }
    }

    /// Those that a name may stand for. A name with dots can point to another address tomorrow, and
    /// a stranger may own it, so it stands for nothing on this machine unless the owner said so.
    pub fn for_name(&self, name: &str) -> AllowedAddresses {
        if name.trim_end_matches('.').contains('.') { self.for_strangers() } else { self.clone() }
    }

    /// Where we listen is no player's address.
    pub fn keep_out_of(&self, doors: Vec<SocketAddr>) {
        let _ = self.doors.set(doors);
    }

    fn is_our_door(&self, ip: IpAddr, port: u16) -> bool {
        let ip = plain(ip);
        let same = |door: &SocketAddr| {
            let at = plain(door.ip());
            door.port() == port
                && (at == ip || (at.is_unspecified() || at.is_loopback()) && ip.is_loopback())
        };
        self.doors.get().is_some_and(|doors| doors.iter().any(same))
    }

    /// For addresses that the owner typed.
    pub fn trusting() -> AllowedAddresses {
        let net = |text: &str| text.parse().expect("our own ranges are right");
        AllowedAddresses::opened_to(&[net("0.0.0.0/0"), net("::/0")])
    }

    #[cfg(test)]
    pub fn closed() -> AllowedAddresses {
        AllowedAddresses { allowed: Arc::new([]), ..AllowedAddresses::default() }
    }

    pub fn permits(&self, ip: IpAddr) -> bool {
        let (given, ip) = (ip, plain(ip));
        // Nobody needs a gateway to reach this machine from itself.
        if given.to_canonical().is_ipv6() && ip.is_ipv4() && ip.is_loopback() {
            return false;
        }
        let within = |nets: &[Net]| nets.iter().any(|Net(net)| net.contains(&ip));
        within(&self.allowed) && !within(&self.never)
    }
}

/// The IPv4 address inside an IPv6 one, if that is where it leads.
fn plain(ip: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = ip else { return ip };
    let inside = |high: u16, low: u16| {
        IpAddr::V4(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
    };
    match v6.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => inside(high, low),
        _ => ip.to_canonical(),
    }
}

/// An address that may be called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Endpoint(Url);

impl Endpoint {
    /// Resolves the name, and wants every address behind it permitted.
    pub async fn check(url: &str, allowed: &AllowedAddresses) -> Result<Endpoint, Forbidden> {
        let url = read(url)?;
        let host = url.host_str().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let mut allowed = allowed.clone();
        let addresses: Vec<IpAddr> = match host.parse() {
            Ok(ip) => vec![ip],
            Err(_) => {
                allowed = allowed.for_name(host);
                let port = url.port_or_known_default().unwrap_or(80);
                let found = lookup_host((host, port)).await.into_iter().flatten();
                found.map(|address| address.ip()).collect()
            }
        };
        if addresses.is_empty() {
            return Err(Forbidden::Unresolved(host.into()));
        }
        let port = url.port_or_known_default().unwrap_or(0);
        if port == 0 {
            return Err(Forbidden::NoPort);
        }
        if addresses.iter().any(|ip| allowed.is_our_door(*ip, port)) {
            return Err(Forbidden::OurDoor(format!("{host}:{port}")));
        }
        match addresses.into_iter().find(|ip| !allowed.permits(*ip)) {
            Some(ip) => Err(Forbidden::Address(ip)),
            None => Ok(Endpoint(url)),
        }
    }

    pub fn url(&self) -> &Url {
        &self.0
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

fn read(url: &str) -> Result<Url, Forbidden> {
    let url = url.trim();
    match url.len() {
        0 => return Err(Forbidden::Empty),
        1..=MAX_URL => {}
        _ => return Err(Forbidden::TooLong),
    }
    let url = Url::parse(url).map_err(|why| Forbidden::NotAUrl(why.to_string()))?;
    match url.scheme() {
        "http" | "https" => {}
        other => return Err(Forbidden::Scheme(other.into())),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Forbidden::Credentials);
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn check(url: &str, allowed: &AllowedAddresses, expected: Result<&str, &str>) {
        let found = Endpoint::check(url, allowed).await;
        let found = found.map(|endpoint| endpoint.to_string()).map_err(|why| why.to_string());
        match (&found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected),
            (Err(why), Err(part)) => assert!(why.contains(part), "{url}: {why}"),
            _ => panic!("{url}: {found:?}, but {expected:?} was expected"),
        }
    }

    #[tokio::test]
    async fn a_server_others_can_call_calls_neither_its_own_machine_nor_itself() {
        let allowed = AllowedAddresses::public(&[]);
        check("http://127.0.0.1:8101/mcp", &allowed, Err("is not called")).await;
        let allowed = AllowedAddresses::public(&["127.0.0.0/8".parse().unwrap()]);
        check("http://127.0.0.1:8101/mcp", &allowed, Ok("http://127.0.0.1:8101/mcp")).await;
        for door in ["127.0.0.1:8000", "0.0.0.0:8000", "[::]:8000"] {
            let allowed = AllowedAddresses::default();
            allowed.keep_out_of(vec![door.parse().unwrap()]);
            for own in ["127.0.0.1", "[::1]", "localhost", "[::ffff:127.0.0.1]"] {
                check(&format!("http://{own}:8000/mcp"), &allowed, Err("listens itself")).await;
            }
            check("http://127.0.0.1:8101/mcp", &allowed, Ok("http://127.0.0.1:8101/mcp")).await;
        }
    }

    #[tokio::test]
    async fn only_this_machine_is_called_unless_the_owner_says_more() {
        let allowed = AllowedAddresses::default();
        let mcp = "http://127.0.0.1:8101/mcp";
        check(mcp, &allowed, Ok(mcp)).await;
        check("http://[::1]:8101/a/b?c=d", &allowed, Ok("http://[::1]:8101/a/b?c=d")).await;
        check("http://localhost:8101/mcp", &allowed, Ok("http://localhost:8101/mcp")).await;
        check("https://127.9.9.9/mcp", &allowed, Ok("https://127.9.9.9/mcp")).await;
        check("http://2130706433:8101/mcp", &allowed, Ok(mcp)).await;
        check("http://0x7f.1:8101/mcp", &allowed, Ok(mcp)).await;
        check("http://[::ffff:127.0.0.1]/", &allowed, Ok("http://[::ffff:7f00:1]/")).await;
        for (url, why) in [
            ("", "an endpoint is needed"),
            ("   ", "an endpoint is needed"),
            ("localhost", "not a URL"),
            ("localhost:8101/mcp", "only http and https"),
            ("file:///etc/passwd", "only http and https are called, not file"),
            ("gopher://127.0.0.1/", "only http and https"),
            ("http://", "not a URL"),
            ("http://user:word@127.0.0.1/mcp", "user or password"),
            ("http://127.0.0.1@evil.example/", "user or password"),
            ("http://169.254.169.254/latest/meta-data", "169.254.169.254 is not called"),
            ("http://0xa9fea9fe/", "169.254.169.254 is not called"),
            ("http://[::ffff:169.254.169.254]/", "is not called"),
            ("http://[64:ff9b::a9fe:a9fe]/", "is not called"),
            ("http://[2002:a9fe:a9fe::1]/", "is not called"),
            ("http://[64:ff9b::7f00:1]:8101/", "is not called"),
            ("http://[2002:7f00:1::1]:8101/", "is not called"),
            ("http://127.0.0.1:0/mcp", "port 0"),
            ("http://[fe80::1]/", "is not called"),
            ("http://0.0.0.0:8000/", "is not called"),
            ("http://[::]/", "is not called"),
            ("http://10.0.0.1/", "10.0.0.1 is not called"),
            ("http://8.8.8.8/", "8.8.8.8 is not called"),
            ("http://nobody.invalid/", "nobody.invalid cannot be found"),
        ] {
            check(url, &allowed, Err(why)).await;
        }
        check(&format!("http://127.0.0.1/{}", "a".repeat(3000)), &allowed, Err("longer")).await;
    }

    #[tokio::test]
    async fn the_owner_opens_ranges_but_never_link_local() {
        let nets = ["10.1.0.0/16", "fd00::/8"].map(|text| text.parse().unwrap());
        let allowed = AllowedAddresses::opened_to(&nets);
        check("http://10.1.2.3/mcp", &allowed, Ok("http://10.1.2.3/mcp")).await;
        check("http://[fd00::7]/mcp", &allowed, Ok("http://[fd00::7]/mcp")).await;
        check("http://127.0.0.1/mcp", &allowed, Ok("http://127.0.0.1/mcp")).await;
        check("http://10.2.0.1/mcp", &allowed, Err("10.2.0.1")).await;
        check("http://[fd00:ec2::254]/", &allowed, Err("fd00:ec2::254")).await;
        let all = AllowedAddresses::trusting();
        check("http://8.8.8.8/mcp", &all, Ok("http://8.8.8.8/mcp")).await;
        check("http://169.254.169.254/", &all, Err("169.254.169.254")).await;
        check("http://[fe80::1]/", &all, Err("fe80::1")).await;
        check("http://100.100.100.200/", &all, Err("100.100.100.200")).await;
    }

    #[test]
    fn a_name_with_dots_stands_for_nothing_on_this_machine() {
        let allowed = AllowedAddresses::opened_to(&["10.1.0.0/16".parse().unwrap()]);
        let check = |name: &str, expected: bool| {
            let allowed = allowed.for_name(name);
            assert_eq!(allowed.permits("127.0.0.1".parse().unwrap()), expected, "{name}");
            assert!(allowed.permits("10.1.2.3".parse().unwrap()), "{name}");
        };
        check("localhost", true);
        check("localhost.", true);
        check("agent", true);
        check("agent.example", false);
        check("localhost.agent.example.", false);
    }

    #[test]
    fn ranges_are_read() {
        for good in ["10.0.0.0/8", "0.0.0.0/0", "::/0", "fd00::/8", "127.0.0.1", "::1"] {
            assert!(good.parse::<Net>().is_ok(), "{good}");
        }
        for bad in ["", "10.0.0.0/33", "10.0.0.0/", "10.0.0/8", "::/129", "a/8", "10.0.0.0/-1"] {
            assert!(bad.parse::<Net>().is_err(), "{bad}");
        }
        // However its own address is written.
        let allowed = AllowedAddresses::public(&["10.129.2.3/9".parse().unwrap()]);
        assert!(allowed.permits("10.200.0.1".parse().unwrap()));
        assert!(!allowed.permits("10.127.0.1".parse().unwrap()));
        assert!(!allowed.permits("::10.200.0.1".parse().unwrap()));
    }
}
