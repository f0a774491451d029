//! What stands in front of several nodes: it gives every request to one of them at random.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    thread,
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use futures_util::stream;

#[derive(Clone)]
pub struct Balancer {
    nodes: Arc<Mutex<Vec<String>>>,
    http: reqwest::Client,
}

impl Balancer {
    /// Opens it on a thread of its own, which ends with the test.
    pub fn open() -> (Balancer, SocketAddr) {
        // It passes redirects on, as every balancer does.
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        let http = http.build().expect("a client");
        let balancer = Balancer { nodes: Arc::default(), http };
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        listener.set_nonblocking(true).expect("it can be");
        let router = Router::new().fallback(forward).with_state(balancer.clone());
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
                axum::serve(listener, router).await.expect("it serves");
            });
        });
        (balancer, address)
    }

    pub fn set(&self, nodes: Vec<String>) {
        *self.nodes.lock().expect("nodes") = nodes;
    }

    fn any(&self) -> Option<String> {
        let nodes = self.nodes.lock().expect("nodes");
        let chance = getrandom::u64().expect("chance") as usize;
        (!nodes.is_empty()).then(|| nodes[chance % nodes.len()].clone())
    }
}

async fn forward(State(balancer): State<Balancer>, request: Request) -> Response {
    let Some(node) = balancer.any() else { return StatusCode::BAD_GATEWAY.into_response() };
    let (parts, body) = request.into_parts();
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    let body = to_bytes(body, 64 << 20).await.unwrap_or_default();
    let asked = balancer.http.request(parts.method, format!("http://{node}{path}"));
    match asked.headers(parts.headers).body(body).send().await {
        Ok(answer) => {
            let mut response = Response::builder().status(answer.status());
            *response.headers_mut().expect("headers") = answer.headers().clone();
            response.headers_mut().expect("headers").remove("transfer-encoding");
            let chunks = stream::unfold(answer, |mut answer| async move {
                let chunk = answer.chunk().await.transpose()?;
                Some((chunk, answer))
            });
            response.body(Body::from_stream(chunks)).expect("a response")
        }
        Err(_) => StatusCode::BAD_GATEWAY.into_response(),
    }
}
