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
    /// Who and where with all secrets, and the parameters after it.
    pub(super) fn parts(&self) -> (&str, impl Iterator<Item = &str>) {
        // A password may hold any sign that was not escaped; the last @ ends it.
        let place = self.0.rfind('@').unwrap_or_default();
        let query = self.0[place..].find('?').map_or(self.0.len(), |at| place + at);
        let parameters = self.0[query..].trim_start_matches('?').split('&');
        (&self.0[..query], parameters.filter(|parameter| !parameter.is_empty()))
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (base, parameters) = self.parts();
        let (scheme, rest) = base.split_once("://").unwrap_or(("postgres", base));
        let (who, place) = rest.rsplit_once('@').unwrap_or(("", rest));
        write!(f, "{scheme}://{}", who.split(':').next().unwrap_or_default())?;
        write!(f, "{}{place}", if who.is_empty() { "" } else { "@" })?;
        let open = |parameter: &&str| !parameter.to_lowercase().contains("password");
        let parameters: Vec<_> = parameters.filter(open).collect();
        if parameters.is_empty() { Ok(()) } else { write!(f, "?{}", parameters.join("&")) }
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Address, String> {
        match text.split_once(':') {
            Some(("sqlite", path)) if !path.is_empty() => Ok(Address::Sqlite(path.into())),
            // Looked at more closely when it is opened: what is refused here is repeated in full.
            Some(("postgres" | "postgresql", _)) => Ok(Address::Postgres(Url(text.to_owned()))),
            _ if text.contains("://") => Ok(Address::Postgres(Url(text.to_owned()))),
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
        check("sqlite:games.db", "sqlite:games.db");
        check("postgress://ann:s3cret@db/agon", "postgress://ann@db/agon");
        assert!("games.db".parse::<Address>().is_err());
        assert!("sqlite:".parse::<Address>().is_err());
    }
}
