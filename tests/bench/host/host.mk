# `make bench`: the programs that are measured on the host beside others.
BENCH = tests/bench/host
BENCH_PARSERS = quash jsmn json_c jansson cjson yajl
BENCH_LIBRARY_json_c = -ljson-c
BENCH_LIBRARY_jansson = -ljansson
BENCH_LIBRARY_cjson = -lcjson
BENCH_LIBRARY_yajl = -lyajl
BENCH_PACKAGES = valgrind gnuplot-nox libjsmn-dev libjson-c-dev libjansson-dev libcjson-dev libyajl-dev

bench-quick: $(OUT)/toolbox $(OUT)/$(BENCH)/client $(OUT)/$(BENCH)/peers bench-known bench-lto

# The toolbox with its config known, and with -flto.
bench-known: $(BUILD)/quash.c
	$(MAKE) BUILD=$(BUILD)/bench/known CFLAGS='$(CFLAGS) -DQUASH_THE_CONFIG=toolbox_config -DQUASH_API= -I$(BUILD)' \
		$(BUILD)/bench/known/host/$(BENCH)/known
bench-lto:
	$(MAKE) BUILD=$(BUILD)/bench/lto AR=gcc-ar CFLAGS='$(CFLAGS) -flto=auto' $(BUILD)/bench/lto/host/toolbox

$(OUT)/$(BENCH)/known.o: private FLAGS += -ffreestanding
$(OUT)/$(BENCH)/known: $(call objects,$(BENCH)/known.c $(APPS_SHARED) $(addprefix boards/host/,arguments.c board.c gather.c main.c) \
	$(addprefix port/posix/posix_,serve.c stdio.c))
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)

$(OUT)/$(BENCH)/client $(OUT)/$(BENCH)/peers: %: %.o $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ $(PLACED)

$(BENCH_PARSERS:%=$(OUT)/$(BENCH)/parsers/parse_%): $(OUT)/$(BENCH)/parsers/parse_%: $(OUT)/$(BENCH)/parsers/parse_%.o \
	$(OUT)/$(BENCH)/parsers/parse_main.o $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ $(BENCH_LIBRARY_$*) $(PLACED)

.PHONY: bench-quick bench-known bench-lto
