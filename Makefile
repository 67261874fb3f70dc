# The front door: on a bare Debian machine `make demo` and `make test` need nothing before them.
# Everything is built by meson in build/; this file installs what is missing and calls it.

BUILD := build
NINJA := ninja -C $(BUILD)
SCHEDLAB := $(BUILD)/src/schedlab

.PHONY: all program demo test test-kernel check bench bless validate install clean deps

all: $(BUILD)/build.ninja
	@$(NINJA) --quiet

# The program without its tests.
program: $(BUILD)/build.ninja
	@$(NINJA) --quiet src/schedlab

deps:
	@tools/install-deps

$(BUILD)/build.ninja: meson.build tools/install-deps
	@tools/install-deps
	@test -f $@ || meson setup $(BUILD) --buildtype=release -Dwerror=true >$(BUILD).log 2>&1 \
		|| { cat $(BUILD).log; rm -f $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log
	@touch $@

# The main job: the founding question, on a machine that few people own. --explain tells why.
demo: program
	$(SCHEDLAB) compare share/experiments/smt-gate-kunpeng920.json

test: all
	@tools/run-tests $(BUILD)

# The real schedulers of Linux 6.1 and 6.12 as engines; takes minutes when they are to be built.
test-kernel: all
	@tools/test-kernel $(BUILD)

check: all
	@tools/check

bench: all
	@tools/run-bench $(BUILD)

# Rewrites the expected output of the golden cases; review the difference like code.
bless: all
	@tools/golden --bless $(SCHEDLAB)

# Predicted beside published for every experiment that names a published table.
validate: all
	$(SCHEDLAB) compare share/experiments/smt-gate-kunpeng920.json
	$(SCHEDLAB) compare share/experiments/idle-cpumask-192.json
	$(SCHEDLAB) compare share/experiments/latest-idle-snb-2s.json
	$(SCHEDLAB) bench topology-copy

# PREFIX says where to; DESTDIR, when given, is put before it.
PREFIX ?= /usr/local
install: $(BUILD)/build.ninja
	@meson configure $(BUILD) "-Dprefix=$(PREFIX)"
	@$(NINJA) --quiet build.ninja >/dev/null
	@$(NINJA) --quiet src/schedlab src/schedlab.1 src/schedlab.bash
	@meson install -C $(BUILD) --no-rebuild --quiet
	@echo "schedlab is in $(DESTDIR)$(PREFIX)/bin, its files in $(DESTDIR)$(PREFIX)/share/schedlab"

clean:
	rm -rf $(BUILD)
