# 8 KB. Leaves 432 bytes to the stack at least.
TALK_ROOM = -DTALK_POOL=1408 -DTALK_INPUT=96
TALK_LINKING = -Wl,--defsym=__DATA_REGION_LENGTH__=7760
