# 8 KB hold a peer and a few texts; constant texts take from them, too. `long` has room for longer texts, `middle` for
# more of the test's own, `slots` for more requests, `narrow` for two peers, `tiny` for more, with less of everything: a
# test that needs more does not fit.
UNIT_ROOMS = short long middle slots narrow tiny
UNIT_ROOM_short = $(UNIT_BASE) -DUNIT_HEARD=640 -DUNIT_LOG=256 -DUNIT_QUOTED=640 -DUNIT_VALUE=320 -DUNIT_TEXT=640 -DUNIT_POOL=512
UNIT_ROOM_long = $(UNIT_BASE) -DUNIT_HEARD=1200 -DUNIT_LOG=512 -DUNIT_QUOTED=1000 -DUNIT_VALUE=720 -DUNIT_TEXT=2400 -DUNIT_POOL=2400 \
	-DUNIT_SLOTS=4 -DUNIT_ARENA=512
UNIT_ROOM_middle = $(UNIT_BASE) -DUNIT_HEARD=800 -DUNIT_LOG=128 -DUNIT_QUOTED=640 -DUNIT_VALUE=160 -DUNIT_TEXT=160 -DUNIT_POOL=160 \
	-DUNIT_SLOTS=3 -DUNIT_ARENA=512 -DUNIT_TX=256
UNIT_ROOM_slots = $(subst -DUNIT_SLOTS=3,-DUNIT_SLOTS=5,$(UNIT_ROOM_middle))
UNIT_ROOM_narrow = $(UNIT_BASE) -DUNIT_HEARD=320 -DUNIT_LOG=160 -DUNIT_QUOTED=400 -DUNIT_VALUE=200 -DUNIT_TEXT=320 -DUNIT_POOL=320 \
	-DUNIT_SLOTS=3 -DUNIT_ARENA=400 -DUNIT_TX=160
UNIT_ROOM_tiny = $(UNIT_BASE) -DUNIT_HEARD=280 -DUNIT_LOG=100 -DUNIT_QUOTED=280 -DUNIT_VALUE=160 -DUNIT_TEXT=280 -DUNIT_POOL=160 \
	-DUNIT_SLOTS=2 -DUNIT_ID=24 -DUNIT_ARENA=256 -DUNIT_TX=128
UNIT_BASE = -DUNIT_HASTE=64 -DUNIT_BRIEF
UNIT_GROUP = 4
UNIT_SECONDS = 20
UNIT_BOARD_SOURCES =
STACK_END = _end
# The compiler's own start-up code will do. Leaves 512 bytes to the stack at least; whether they last is seen when it runs.
UNIT_LINKING = -Wl,--defsym=__DATA_REGION_LENGTH__=7680
