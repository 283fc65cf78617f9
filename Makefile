# The commands of a working day. `make` alone lists them.

GOLANGCI_LINT_VERSION := v2.15.0
GOVULNCHECK_VERSION   := v1.9.0

TOOLS    := $(CURDIR)/.tools/bin
LINT     := $(TOOLS)/golangci-lint-$(GOLANGCI_LINT_VERSION)
VULN     := $(TOOLS)/govulncheck-$(GOVULNCHECK_VERSION)
# Modules of their own, so that what they need stays out of the product's dependencies.
COMPOSE  := tests/compose
MODULES  := $(COMPOSE) bench/engine

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: ## Start the server on the embedded engine
	go run .

.PHONY: test
test: ## Run all tests on the embedded engine
	go test ./...

.PHONY: check
check: ## Run the full gate, the same that CI runs
	scripts/check.sh

.PHONY: gen
gen: ## Write the generated code again
	go generate ./...

.PHONY: fmt
fmt: $(LINT) ## Format the code
	$(LINT) fmt
	for module in $(MODULES); do (cd $$module && $(LINT) fmt --config $(CURDIR)/.golangci.yml) || exit; done

.PHONY: lint
lint: $(LINT) ## Lint the code and the scripts
	$(LINT) config verify
	$(LINT) run --allow-serial-runners
	for module in $(MODULES); do (cd $$module && $(LINT) run --allow-serial-runners --config $(CURDIR)/.golangci.yml) || exit; done
	shellcheck --external-sources scripts/*.sh .ci/run

.PHONY: vet
vet: ## Run go vet
	go vet ./...
	for module in $(MODULES); do (cd $$module && go vet ./...) || exit; done

.PHONY: race
race: ## Run the short tests under the race detector
	go test -race -short ./...

.PHONY: drift
drift: ## Check that formatting, go.mod and generated code are as the tools write them
	scripts/drift.sh

.PHONY: engines
engines: ## Run the whole-program tests on DynamoDB Local and dynoxide
	scripts/engine-tests.sh dynamodb-local
	scripts/engine-tests.sh dynoxide

.PHONY: compose
compose: ## Test docker-compose.yml and the Dockerfile, without Docker
	cd $(COMPOSE) && go test -count=1 ./...

.PHONY: readme
readme: ## Run the commands of README.md in a fresh clone
	scripts/readme.sh

.PHONY: crash
crash: ## Kill the engine a thousand times while it writes
	go test -count=1 -v -timeout 60m ./tests/crash -kills 1000

.PHONY: bench
bench: ## Measure the engine beside DynamoDB Local and dynoxide into bench/engine/RESULTS.md, then run the Go benchmarks
	cd bench/engine && go run . -root ../.. -out RESULTS.md
	go test -count=1 -v -timeout 30m -run TestQueryCost ./tests -engine-items 1000000
	go test -run '^$$' -bench . -benchmem ./...

.PHONY: vuln
vuln: $(VULN) ## Look for known vulnerabilities (needs the Go vulnerability database)
	$(VULN) ./...

$(LINT):
	GOBIN=$(TOOLS) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
	ln -f $(TOOLS)/golangci-lint $@

$(VULN):
	GOBIN=$(TOOLS) go install golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION)
	ln -f $(TOOLS)/govulncheck $@
