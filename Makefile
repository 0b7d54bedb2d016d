# make dist puts a static binary for each target into dist/, with SHA256SUMS. The bytes are
# those of any machine with the same Go that builds the same commit: no paths, no cgo, and
# the revision (+dirty with changes) as the only word about the build.
TARGETS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
VERSION ?= $(shell sed -n 's/^const Version = "\(.*\)"/\1/p' components/experiment/result/result.go)-$(shell git rev-parse --short=12 HEAD)$(shell git diff --quiet HEAD || echo +dirty)
DIST ?= dist

.PHONY: dist pictures site image
dist:
	@mkdir -p $(DIST)
	@rm -f $(DIST)/causeway-* $(DIST)/SHA256SUMS
	@set -e; for t in $(TARGETS); do \
	  os=$${t%/*}; arch=$${t#*/}; \
	  exe=; [ $$os != windows ] || exe=.exe; \
	  out=$(DIST)/causeway-$(VERSION)-$$os-$$arch$$exe; \
	  echo $$out; \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch GOAMD64=v1 GOARM64=v8.0 GOFLAGS= \
	    go build -trimpath -buildvcs=true -ldflags='-s -w' -o $$out ./cmd/causeway; \
	  go version -m $$out | grep -q vcs.revision= || echo "warning: go puts no revision into it in a linked worktree; build in a clone"; \
	done
	@cd $(DIST) && sha256sum causeway-* > SHA256SUMS && cat SHA256SUMS

# make pictures draws docs/pictures anew: the figures by the commands of the pages that show
# them, and screenshots of two reports by a headless Chromium. TestDocs compares the figures.
CHROMIUM ?= chromium
pictures:
	UPDATE_DOCS=1 go test -short -count=1 ./cmd/causeway -run '^TestDocs$$'
	@set -e; dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; here=$$(pwd); \
	  go build -o $$dir/causeway ./cmd/causeway; cd $$dir; \
	  ./causeway init my; \
	  ./causeway run my/config.yaml --quiet --out first; \
	  ./causeway sweep my/sweep.yaml --quiet --out shapes; \
	  shot() { $(CHROMIUM) --headless --no-sandbox --hide-scrollbars --window-size=1280,$$3 \
	    --screenshot=$$here/docs/pictures/$$2 file://$$dir/$$1/report.html; }; \
	  shot first report.png 1012; shot shapes sweep.png 975; \
	  mkdir tto; ./causeway validate tto --html tto/report.html >/dev/null; shot tto validate.png 900

# make site writes the pages of docs/ as a static site into site/: .ci/site, a module of its own.
# It fails on a link, a picture or a heading that does not exist.
SITE ?= site
site:
	@cd .ci/site && GOFLAGS= go run . -root $(CURDIR) -out $(abspath $(SITE))

# make image builds the container of .github/Containerfile, with docker or podman.
DOCKER ?= docker
image:
	$(DOCKER) build -f .github/Containerfile -t causeway:$(VERSION) .
