# 8 KB. Leaves 512 bytes to the stack at least.
TALK_ROOM = -DTALK_POOL=1344 -DTALK_INPUT=96
TALK_LINKING = -Wl,--defsym=__DATA_REGION_LENGTH__=7680
