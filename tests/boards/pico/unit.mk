# 264 KB. Its emulator runs some million instructions a second, so it has the tests that take few.
UNIT_SIZES = -DUNIT_HEARD=3072 -DUNIT_LOG=2048 -DUNIT_QUOTED=8192 -DUNIT_VALUE=4096 -DUNIT_TEXT=16384 -DUNIT_POOL=24576 -DUNIT_HASTE=64
UNIT_FILES = test_port_console test_port_ring test_lex test_slots test_accept test_decide test_step test_request
UNIT_SECONDS = 240
