# Thin: the real work is cargo's and npm's.

default: run

# What tests/need had to get is found there.
export PATH := $(CURDIR)/target/tools/bin:$(PATH):$(HOME)/.cargo/bin

# Most stories wait for something most of the time: as many again are told meanwhile.
export NEXTEST_TEST_THREADS := $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))

# Rust, a C compiler and Node, or a line that says what is missing.
tools:
	@tests/need cargo cc:build-essential node

# Builds the server and starts it on http://127.0.0.1:8000, with its games in your data folder.
# More flags: make run ARGS="--listen 127.0.0.1:9000"
run: tools pages
	cargo run --release -p agon -- serve $(ARGS)

# The pages that the program carries, built anew when web/ has changed. (A folder changes when a file goes.)
PAGES = crates/server/pages/built
WEB = $(shell find web/src web/pages) $(wildcard web/*.*) examples/player.py

pages: $(PAGES)

$(PAGES): web/node_modules/.installed $(WEB)
	cd web && npm run --silent build
	touch $@

web/node_modules/.installed: web/package-lock.json | tools
	cmp -s $< $@ || (cd web && npm ci --loglevel=error)
	cp $< $@

# Stories about every listed game, run for the games written for tests (rules/tests/it/toys.rs).
OF_TOYS = package(agon) & binary(it) & test(/^secrets_at_the_doors::|every_(answer|game|kind)/)

# Everything a change must pass, with what it needs installed. The minutes of each stage are printed at the end,
# also when one has failed.
test: tools pages
	cargo nextest --version >/dev/null 2>&1 || cargo install --locked cargo-nextest
	tests/need python3 strip:binutils nginx stockfish fairy-stockfish gnuchess initdb:postgresql
	@tests/stage --begin
	@$(MAKE) --no-print-directory stages; status=$$?; tests/stage --end; exit $$status

# .config/nextest.toml names the stories that are run again on three nodes.
stages:
	tests/stage fmt cargo fmt --check
	tests/stage clippy cargo clippy --workspace --all-targets -- -D warnings
	tests/stage build cargo nextest run --workspace --no-run
	tests/stage rust tests/postgres cargo nextest run --workspace
	AGON_TOYS=1 tests/stage toys cargo nextest run --workspace -E '$(OF_TOYS)'
	AGON_TEST_NODES=3 tests/stage nodes tests/postgres cargo nextest run --workspace --profile nodes
	tests/stage web sh -c 'cd web && npm run --silent check && npm test --silent'
	tests/side-by-side oracle clients "hostile --short" golden "dist --short" seeds
	tests/stage browser tests/browser/run

# What takes no browser and no database, for every save.
check: pages
	cargo fmt --check
	cargo clippy --workspace --all-targets -- -D warnings
	cargo nextest run -p rules -p players -p chess-engine
	cargo nextest run -p agon --bin agon -E 'not test(/^store::(tests|faults)/)'
	cd web && npm run --silent check && npm test --silent

# Plays every line of the seeds against the server, on the ports they name, and prints how many hold.
seeds: pages
	cargo build -p agon
	tests/seeds/run $(ARGS)

# Random games through MCP, judged by another chess library move by move, and small games in lock-step
# with OpenSpiel: many more of them than `make test` plays. Then the computer plays OpenSpiel's, and is
# given won games of connect four. More or fewer: make oracle GAMES=500
oracle: pages
	cargo build --release -p agon
	cargo build --release -p rules -p players --examples
	AGON_COUNT_ALL=1 cargo test --release -p rules --test it counts::
	AGON_COUNT_ALL=1 cargo test --release -p players -p chess-engine --test it every_level_plays_the_same
	AGON=target/release/agon tests/oracle/run $(or $(GAMES),5000) $(or $(GAMES),10000) 100 1000
	CARGO_TARGET_DIR=target/oracle/connect-four cargo run --release \
		--manifest-path tests/oracle/connect-four/Cargo.toml

# Attacks the server in every way we know, for at most ten minutes, and prints one table.
# More flags: make hostile ARGS="--minutes 2 --only Postgres"
hostile: pages
	cargo build --release -p agon
	AGON=target/release/agon tests/hostile/run $(ARGS)

# Measures, prints one table and writes it to target/bench.md. The chess engine is measured beside
# stockfish where that is installed; then every page is weighed in a browser on a slow line.
bench: pages
	cargo bench -p agon
	cargo build --release -p agon
	AGON=target/release/agon tests/clients/run weigh.js
	AGON=target/release/agon tests/browser/run weigh | tee -a target/bench.md

# Writes docs/tools.md, docs/games.md and what docs/levels.md says of games but chess anew, from what the
# server and the games say, and docs/seeds.md from the rows.
docs: pages
	AGON_WRITE_DOCS=1 cargo nextest run -p agon -p players documents
	python3 -B tests/seeds/seeds.py --write

# Takes the pictures of the README and the documents again, from the pages as they are; then one of each page
# that a story looks at, in target/browser/pictures.
pictures: pages
	cargo build -p agon
	tests/browser/run pictures
	AGON_PICTURES=1 tests/browser/run

# Everything a release consists of, in target/dist: the program for Linux, Windows and macOS, built from here, as
# archives, Python wheels, npm packages and one .mcpb, with server.json and sums. docs/releasing.md tells more.
# For some platforms only: make dist PLATFORMS="x86_64-unknown-linux-musl"
dist: tools pages
	cargo deny --version >/dev/null 2>&1 || cargo install --locked cargo-deny
	cargo deny check --hide-inclusion-graph licenses bans sources
	packaging/build $(PLATFORMS)
	packaging/pack.py target/programs target/dist

# Plays in the chat hosts that people use, with a scripted model behind each.
# Some hosts only: make test-hosts HOSTS=codex
test-hosts: pages
	cargo build -p agon
	tests/hosts/run $(HOSTS)

# Unpacks and installs what `make dist` left as a stranger would, in a clean Debian, up to the first move; the
# crates are packed and built without Node. Prints a table. One row: make test-dist ROW=npx
test-dist:
	tests/dist/run $(ROW)

# Prints lines of code, comments and tests per crate and folder, packages in the lock files, and the
# size of the program. Of an earlier commit: make size REVISION=HEAD~10
size:
	@tests/size $(REVISION)

# Rates the computer's levels, prints the ratings and writes docs/levels.md. Takes up where it was left.
# In chess it plays Stockfish and Fairy-Stockfish (apt install stockfish fairy-stockfish), an hour at a
# time: make calibrate ARGS="--minutes 20 --levels 1-6". In another game the levels play each other and
# OpenSpiel's player, where tests/oracle/run has installed it, for ten minutes:
# make calibrate GAME=othello ARGS="--minutes 5"
calibrate:
ifeq ($(or $(GAME),chess),chess)
	nice cargo run --release -p chess-engine --example calibrate -- --write docs/levels.md $(ARGS)
else
	nice cargo run --release -p players --example levels -- $(GAME) $(ARGS)
	$(MAKE) docs
endif

.PHONY: default tools run pages dist test-dist test-hosts test stages check seeds oracle hostile bench docs pictures size calibrate
