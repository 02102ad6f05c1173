# 16 KB hold a peer, what it says and a stack when the tests' texts are short.
UNIT_ROOM = -DUNIT_HEARD=2048 -DUNIT_LOG=768 -DUNIT_QUOTED=640 -DUNIT_VALUE=1024 -DUNIT_POOL=1024
