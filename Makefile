# The commands of this project. `make play` to play, `make test` to check everything.
.POSIX:
.PHONY: play setup precomputed screens pictures docs site-check test quick coverage system-packages check format \
  soak release-check container-check integrations bench \
  bench-here test-gpu pins clean

PYTHON = .venv/bin/python
GPU_PYTHON = PYTHONPATH=src:$$PYTHONPATH python3

# Modules stay compiled, whatever the surroundings say: the tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE =

play:
	@sh scripts/setup.sh play
	@.venv/bin/evenodds play

setup:
	@sh scripts/setup.sh all

# The results that come with the package, computed anew: after a change of rules, claims or figures.
# LADDERS=1 computes the ladders of levels first, and keeps those that are close.
precomputed: setup
	$(PYTHON) scripts/precompute.py $(if $(LADDERS),--ladders)

# Pictures of every screen of the terminal app, in screens/.
screens: setup
	$(PYTHON) -m tests.app.snapshots screens

# The pictures of the documentation, and the preview images of the games.
pictures: system-packages setup
	$(PYTHON) -m scripts.draw_pictures

# The documentation as a site, in build/site. Every link and anchor is checked, and that no page
# loads anything from another host; of the notebooks, that marimo takes them.
docs: setup .docs/installed
	.docs/bin/marimo --quiet check --strict examples/notebooks/*.py
	$(PYTHON) -m scripts.build_docs build
	cd build && ../.docs/bin/zensical build --strict
	! grep -rlE '(src|href)="(https?:)?//[^"]*[.](js|css|woff2?|svg|png)"' build/site

# The site as its readers see it: every page on a phone and a desktop, light and dark, and the search.
site-check: system-packages docs
	$(PYTHON) -m tests.project.site_check $(PAGE)

.docs/installed: requirements/docs.txt
	$(PYTHON) -m venv --clear .docs
	.docs/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $<
	touch $@

# Six workers on two cores: tests wait for servers and browsers as often as they compute, and with four
# of them a fifth of the processor's time was left.
test: system-packages check
	$(PYTHON) -m pytest -q -n 6 --dist loadgroup

# What can be tested without processes, browsers, databases and long computations: half a minute.
quick: setup
	$(PYTHON) -m pytest -q -n 2 --dist loadgroup -m "not processes and not browser and not database and not long"

# The same tests, and which lines they come by: half as long again.
coverage: system-packages check
	$(PYTHON) -m pytest -q -n 3 --dist loadgroup --cov --cov-report=term

# What is missing of the machine is said before anything that takes long.
system-packages:
	@sh scripts/system_packages.sh

check: setup
	.venv/bin/ruff format --check --quiet .
	.venv/bin/ruff check --quiet .
	.venv/bin/ruff check --quiet --preview --select PLW1514 src  # files have an encoding
	$(PYTHON) -m mypy
	.venv/bin/lint-imports --no-cache
	@sh scripts/javascript.sh

format: setup
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .

# Long runs that look for what rarely happens.
soak: system-packages setup
	$(PYTHON) -m tests.soak

# The files of a release, built into dist/, installed and used as people will. Downloads packages.
release-check: setup
	$(PYTHON) -m tests.project.release_check --tag "$(TAG)"

# Every step of deploy/Containerfile in a bare Debian folder, and deploy/compose.yaml's commands in it.
# As root, on a machine with debootstrap; PostgreSQL and nginx are tried where they are installed.
container-check: setup
	$(PYTHON) -m tests.project.container_check

# The packages of integrations/, each in an environment of its own with the library that it is for:
# verifiers, OpenEnv, Inspect, TextArena. Downloads packages; `NAMES="inspect openenv"` checks some.
integrations: setup
	@PYTHON=$(PYTHON) sh scripts/integrations.sh $(NAMES)

# All figures, written to docs/performance.md; `make bench PART=network` measures one part anew.
# `BESIDE=COMMIT` measures another commit in the same run (first, network, pages) and writes nothing.
# PART=gpu is for a machine with a GPU, on which it installs nothing.
bench:
	@if [ "$(PART)" = gpu ]; then $(GPU_PYTHON) -m bench gpu; \
	else $(MAKE) bench-here PART="$(PART)"; fi

bench-here: system-packages setup .peers/installed bench/boardgame/node_modules
	$(PYTHON) -m bench $(PART)

# The solver on a GPU compared with the processor's, with the Python and libraries of that machine.
test-gpu:
	$(GPU_PYTHON) -m tests.gpu
	$(GPU_PYTHON) -m tests.gpu '{"underdog": {"numbers": 13}}'

bench/boardgame/node_modules: bench/boardgame/package-lock.json
	cd bench/boardgame && npm ci --no-audit --no-fund --silent
	touch $@

# Other people's solvers, for comparison only, in an environment of their own.
.peers/installed: requirements/peers.txt
	$(PYTHON) -m venv --clear .peers
	.peers/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $<
	touch $@

# Write the pinned versions anew. The old files go first: stale pins persist otherwise.
pins: setup
	rm -f requirements/*.txt
	$(PYTHON) -m uv pip compile $(PIN) pyproject.toml requirements/build.in \
	  -o requirements/play.txt
	$(PYTHON) -m uv pip compile $(PIN) pyproject.toml requirements/build.in --group dev \
	  --extra all -c requirements/play.txt -o requirements/all.txt
	$(PYTHON) -m uv pip compile $(PIN) pyproject.toml requirements/build.in --extra server \
	  --extra solver -c requirements/all.txt -o requirements/server.txt
	$(PYTHON) -m uv pip compile $(PIN) requirements/peers.in -o requirements/peers.txt
	$(PYTHON) -m uv pip compile $(PIN) requirements/docs.in -o requirements/docs.txt
	for name in inspect openenv textarena verifiers; do $(PYTHON) -m uv pip compile $(PIN) \
	  --no-emit-package evenodds integrations/$$name/pyproject.toml requirements/build.in \
	  -o requirements/$$name.txt || exit 1; done
	! grep -n '://' requirements/*.txt

PIN = --quiet --generate-hashes --universal --python-version 3.11 --no-header --no-annotate \
  --no-emit-index-url --no-emit-find-links

clean:
	rm -rf .venv .peers .docs build .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage dist \
	  tests/js/node_modules integrations/*/.venv
