# make run    a working console on this machine: needs Go and a C compiler
# make test   everything the gate checks; installs what tests need where it may
# make check  the fast part: generated code, format, vet, staticcheck, unit tests
# make bench  measures beside peers and writes docs/measurements/
# make bench-hosts  only runs on hosts with links of known rates, into docs/measurements/
# make test-hosts   holds such runs against their predictions; for a quiet machine, as root
# make fmt    formats and regenerates

GO ?= go
TOOL = $(GO) tool -modfile=tools.mod
CONSOLE = bin/console

.PHONY: run test check bench bench-hosts test-hosts fmt build

run: build
	$(CONSOLE) serve

build:
	@mkdir -p bin
	$(GO) build -o $(CONSOLE) ./cmd/console

test:
	.ci/test

check:
	.ci/check

bench: build
	$(GO) run ./e2e/bench -console $(CONSOLE) -out docs/measurements
	$(GO) test -run '^$$' -bench 'BuildAndCheckAllTo64$$|BuildAndCheck$$/all-reduce-ring-1024$$' -benchtime 1x ./engine/schedule

bench-hosts: build
	$(GO) run ./e2e/bench -console $(CONSOLE) -parts hosts -out docs/measurements

test-hosts:
	LOCKSTEP_MEASURE=1 $(GO) test ./e2e -run TestRunsOnHosts -v

fmt:
	$(TOOL) templ generate
	$(TOOL) templ fmt views
	gofmt -w $$(git ls-files '*.go' | grep -v _templ.go)
