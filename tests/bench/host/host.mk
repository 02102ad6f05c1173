# `make bench`: the programs that are measured on the host beside others.
BENCH = tests/bench/host
BENCH_PARSERS = quash jsmn json_c jansson cjson yajl
BENCH_LIBRARY_json_c = -ljson-c
BENCH_LIBRARY_jansson = -ljansson
BENCH_LIBRARY_cjson = -lcjson
BENCH_LIBRARY_yajl = -lyajl
BENCH_PACKAGES = valgrind gnuplot-nox libjsmn-dev libjson-c-dev libjansson-dev libcjson-dev libyajl-dev

bench-quick: $(OUT)/toolbox $(OUT)/$(BENCH)/client $(OUT)/$(BENCH)/peers

$(OUT)/$(BENCH)/client $(OUT)/$(BENCH)/peers: %: %.o $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ -o $@

$(BENCH_PARSERS:%=$(OUT)/$(BENCH)/parsers/parse_%): $(OUT)/$(BENCH)/parsers/parse_%: $(OUT)/$(BENCH)/parsers/parse_%.o \
	$(OUT)/$(BENCH)/parsers/parse_main.o $(LIBRARY)
	$(call SHOW,LD  $@)$(LINK) $^ $(BENCH_LIBRARY_$*) -o $@

.PHONY: bench-quick
