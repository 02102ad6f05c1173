# 8 KB. Leaves 432 bytes to the stack at least.
TALK_ROOM = -DTALK_POOL=1688 -DTALK_INPUT=88
TALK_LINKING = -Wl,--defsym=__DATA_REGION_LENGTH__=7760
