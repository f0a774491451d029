//! Where a store is, as `--store` says it.

use std::{fmt, path::PathBuf, str::FromStr};

#[derive(Clone, PartialEq, Eq)]
pub enum Address {
    Sqlite(PathBuf),
    Postgres(Url),
}

/// The address of a database. It may hold a password, so it is shown without one.
#[derive(Clone, PartialEq, Eq)]
pub struct Url(String);

impl Url {
    /// The address up to its parameters, with all secrets, and the parameters.
    pub(super) fn parts(&self) -> (&str, impl Iterator<Item = &str>) {
        // A password may hold any sign that was not escaped; the last @ ends it.
        let place = self.0.rfind('@').unwrap_or_default();
        let query = self.0[place..].find('?').map_or(self.0.len(), |at| place + at);
        let parameters = self.0[query..].trim_start_matches('?').split('&');
        (&self.0[..query], parameters.filter(|parameter| !parameter.is_empty()))
    }
}

/// Parameters that hold no secret.
const OPEN: [&str; 10] = [
    "sslmode",
    "sslrootcert",
    "sslcert",
    "user",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "connect_timeout",
    "application_name",
];

/// Without an @, what stands in the place of a port may be a password.
fn without_password(place: &str) -> &str {
    let is_port = |text: &str| {
        let port = text.split(['/', ',']).next().unwrap_or_default();
        port.chars().all(|sign| sign.is_ascii_digit())
    };
    match place.find(':') {
        Some(at) if !place.starts_with('[') && !is_port(&place[at + 1..]) => &place[..at],
        _ => place,
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (base, parameters) = self.parts();
        // The keys and values of libpq, which may be in any order and quoted.
        if !base.contains("://") && base.contains('=') {
            return f.write_str("postgres://...");
        }
        let (scheme, rest) = base.split_once("://").unwrap_or(("postgres", base));
        let (who, place) = rest.rsplit_once('@').unwrap_or(("", rest));
        write!(f, "{scheme}://{}", who.split(':').next().unwrap_or_default())?;
        match who {
            "" => write!(f, "{}", without_password(place))?,
            _ => write!(f, "@{place}")?,
        }
        let key = |parameter: &str| parameter.split('=').next().unwrap_or_default().to_owned();
        let is_open = |parameter: &&str| OPEN.contains(&key(parameter).as_str());
        let parameters: Vec<_> = parameters.filter(is_open).collect();
        if parameters.is_empty() { Ok(()) } else { write!(f, "?{}", parameters.join("&")) }
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Address, String> {
        match text.split_once(':') {
            Some(("sqlite", path)) if !path.is_empty() => Ok(Address::Sqlite(path.into())),
            // A text that is refused here is printed in full. Anything that may hold a password is
            // refused when it is opened, where only its open parts are printed.
            _ if [":", "@", "="].iter().any(|sign| text.contains(sign)) && text != "sqlite:" => {
                Ok(Address::Postgres(Url(text.to_owned())))
            }
            _ => Err("write it as sqlite:PATH, for example sqlite:games.db, or as \
                      postgres://USER@HOST/DATABASE"
                .into()),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Address::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Address::Postgres(url) => url.fmt(f),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Address {
    /// `agon.db` in the folder where this user's programs keep their data.
    pub fn of_user() -> Address {
        let folder = directories::ProjectDirs::from("", "", "agon")
            .map_or_else(|| PathBuf::from("."), |dirs| dirs.data_dir().to_owned());
        Address::Sqlite(folder.join("agon.db"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        let check = |text: &str, shown: &str| {
            let address: Address = text.parse().expect("an address");
            assert_eq!(address.to_string(), shown);
            assert_eq!(format!("{address:?}"), shown);
        };
        check("postgres://ann:s3cret@db/agon", "postgres://ann@db/agon");
        check("postgresql://ann:s3:c@ret@db:5433/agon", "postgresql://ann@db:5433/agon");
        check("postgres://ann@db/agon?sslmode=require", "postgres://ann@db/agon?sslmode=require");
        check("postgres://db/agon?user=ann&password=s3cret", "postgres://db/agon?user=ann");
        check("postgres:ann:s3cret@db", "postgres://postgres@db");
        check("postgres://ann:s?3/cret@db/agon", "postgres://ann@db/agon");
        check("postgres://:s3cret@db", "postgres://@db");
        check("postgres://ann:s3cret/agon", "postgres://ann");
        check("postgres://db:5433/agon", "postgres://db:5433/agon");
        check("postgres://[::1]:5433/agon", "postgres://[::1]:5433/agon");
        check("postgres//ann:s3cret@db/agon", "postgres://postgres//ann@db/agon");
        check("ann:s3cret@db/agon", "postgres://ann@db/agon");
        check("Postgres/ann:s3cret", "postgres://Postgres/ann");
        check("postgres://db/agon?user=ann&pasword=s3cret", "postgres://db/agon?user=ann");
        check("postgres://db/agon?sslpassword=s3cret&hostess=s3cret", "postgres://db/agon");
        check("host=db user=ann password=s3cret", "postgres://...");
        check("password=s3@cret host=db", "postgres://...");
        check("pg:ann:s3cret", "postgres://pg");
        check("sqlite:games.db", "sqlite:games.db");
        check("postgress://ann:s3cret@db/agon", "postgress://ann@db/agon");
        assert!("games.db".parse::<Address>().is_err());
        assert!("sqlite:".parse::<Address>().is_err());
    }
}
