//! Getting through to Postgres: what the address asks for, with TLS or without, and which faults
//! pass by themselves.

use std::{error::Error as _, fs, io, sync::Arc, time::Duration};

use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject},
};
use tokio_postgres::{Config, config::SslMode, error::SqlState};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::store::{OpenError, address::Url};

/// How many questions are asked at once; the turns, the news and the listening have a connection
/// each beside these.
const POOL: usize = 8;
/// How long one attempt to connect may take.
const CONNECT: Duration = Duration::from_secs(3);
/// Timeouts in Postgres itself, so that nothing is stuck for ever.
const STATEMENT: &str = "-c statement_timeout=10000 -c idle_in_transaction_session_timeout=10000";

/// How to reach a database.
#[derive(Clone)]
pub struct Database {
    pub config: Config,
    pub tls: MakeRustlsConnect,
}

impl Database {
    pub fn new(url: &Url) -> Result<Database, OpenError> {
        let wrong = |why: String| OpenError::NoAddress(url.to_string(), why);
        let (base, parameters) = url.parts();
        if !base.starts_with("postgres://") && !base.starts_with("postgresql://") {
            return Err(wrong("it begins with postgres://".into()));
        }
        let mut mode = "prefer";
        let mut roots = None;
        let mut rest = Vec::new();
        for parameter in parameters {
            match parameter.split_once('=') {
                Some(("sslmode", asked)) => mode = asked,
                Some(("sslrootcert", path)) => roots = Some(path),
                _ => rest.push(parameter),
            }
        }
        let mut config: Config =
            format!("{base}?{}", rest.join("&")).parse().map_err(|error| wrong(in_full(&error)))?;
        config.ssl_mode(match mode {
            "disable" => SslMode::Disable,
            "allow" | "prefer" => SslMode::Prefer,
            "require" | "verify-ca" | "verify-full" => SslMode::Require,
            _ => return Err(wrong(format!("there is no sslmode={mode}"))),
        });
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        if config.get_application_name().is_none() {
            config.application_name("agon");
        }
        config.options([config.get_options().unwrap_or_default(), STATEMENT].join(" "));
        // A node whose cable was pulled is to notice within seconds.
        config.keepalives_idle(Duration::from_secs(5));
        config.keepalives_interval(Duration::from_secs(2));
        config.keepalives_retries(3);
        config.tcp_user_timeout(Duration::from_secs(10));
        let trust = Trust::new(mode, roots).map_err(wrong)?;
        Ok(Database { config, tls: MakeRustlsConnect::new(trust.into_client()) })
    }

    pub fn pool(&self) -> Pool {
        let recycling_method = RecyclingMethod::Fast;
        let config = self.config.clone();
        let manager =
            Manager::from_config(config, self.tls.clone(), ManagerConfig { recycling_method });
        Pool::builder(manager)
            .max_size(POOL)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(CONNECT))
            .create_timeout(Some(CONNECT))
            .build()
            .expect("a runtime is given")
    }
}

/// Whom we believe to be the database, as the address says: anyone (`prefer`, `require`), whoever
/// was vouched for (`verify-ca`), or only the very host that was meant (`verify-full`).
#[derive(Debug)]
struct Trust {
    crypto: Arc<CryptoProvider>,
    vouched: Option<Arc<WebPkiServerVerifier>>,
    by_name: bool,
}

impl Trust {
    fn new(mode: &str, roots: Option<&str>) -> Result<Trust, String> {
        let crypto = Arc::new(aws_lc_rs::default_provider());
        let verified = mode.starts_with("verify") || (mode == "require" && roots.is_some());
        let vouched = if verified { Some(authorities(roots)?) } else { None };
        let vouched = vouched
            .map(|roots| {
                WebPkiServerVerifier::builder_with_provider(roots.into(), crypto.clone()).build()
            })
            .transpose()
            .map_err(|error| error.to_string())?;
        Ok(Trust { crypto, vouched, by_name: mode == "verify-full" })
    }

    fn into_client(self) -> ClientConfig {
        ClientConfig::builder_with_provider(self.crypto.clone())
            .with_safe_default_protocol_versions()
            .expect("our own versions are supported")
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(self))
            .with_no_client_auth()
    }
}

/// The trusted certificate authorities: those in the file, or those of this machine.
fn authorities(file: Option<&str>) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    match file.filter(|file| *file != "system") {
        Some(file) => {
            let text = fs::read(file).map_err(|error| format!("{file}: {error}"))?;
            for certificate in CertificateDer::pem_slice_iter(&text) {
                let certificate = certificate.map_err(|error| format!("{file}: {error}"))?;
                roots.add(certificate).map_err(|error| format!("{file}: {error}"))?;
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    Ok(roots)
}

impl ServerCertVerifier for Trust {
    fn verify_server_cert(
        &self,
        server: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        use CertificateError::{NotValidForName, NotValidForNameContext};
        use rustls::Error::InvalidCertificate;
        let Some(vouched) = &self.vouched else { return Ok(ServerCertVerified::assertion()) };
        match vouched.verify_server_cert(server, between, name, ocsp, now) {
            Err(InvalidCertificate(NotValidForName | NotValidForNameContext { .. }))
                if !self.by_name =>
            {
                Ok(ServerCertVerified::assertion())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        server: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.crypto.signature_verification_algorithms;
        verify_tls12_signature(message, server, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        server: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.crypto.signature_verification_algorithms;
        verify_tls13_signature(message, server, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.crypto.signature_verification_algorithms.supported_schemes()
    }
}

/// Whether the same may well succeed in a moment: the database restarts, fails over, is crowded,
/// or two transactions were in each other's way.
pub fn may_pass(error: &tokio_postgres::Error) -> bool {
    let Some(code) = error.code() else {
        // A certificate that is not trusted will not be a moment later.
        let cut = error
            .source()
            .and_then(|cause| cause.downcast_ref::<io::Error>())
            .is_some_and(|cause| cause.kind() != io::ErrorKind::InvalidData);
        return error.is_closed() || cut;
    };
    // Class 08: the connection; 57P: somebody shuts down or starts up.
    code.code().starts_with("08")
        || code.code().starts_with("57P")
        || [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::TOO_MANY_CONNECTIONS,
            SqlState::READ_ONLY_SQL_TRANSACTION,
            SqlState::LOCK_NOT_AVAILABLE,
        ]
        .contains(code)
}

/// Whether it says that the connection has ended, and not what became of the question.
pub fn was_cut(error: &tokio_postgres::Error) -> bool {
    let code = error.code().map(SqlState::code);
    code.is_none_or(|code| code.starts_with("08") || code.starts_with("57P"))
}

/// An error and what caused it, in one line.
pub fn in_full(error: &tokio_postgres::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        text.push_str(&format!(": {deeper}"));
        cause = deeper.source();
    }
    text
}
