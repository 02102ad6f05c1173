# Constant texts lie in RAM there, and take most of 8 KB: so its processor has all the memory that it can address, in a machine without
# devices. What fits into a Mega is seen with the peer of the transcripts, and with its programs.
UNIT_SIZES = -DUNIT_HASTE=64 -DUNIT_BRIEF -DUNIT_HEARD=3072 -DUNIT_LOG=2048 -DUNIT_QUOTED=4096 -DUNIT_VALUE=2048 -DUNIT_TEXT=8192 -DUNIT_POOL=8192 \
	-DUNIT_SAID=0xF000 -DUNIT_SAID_SIZE=4096
UNIT_LEAST = 96
UNIT_ALONE = tests/boards/mega2560/wide/said.c
UNIT_EMULATOR = qemu-system-avr -M none,memory-backend=all -cpu avr6-avr-cpu -m 16M -object memory-backend-file,id=all,size=16M,share=on,mem-path=IMAGE.memory \
	-display none -monitor none -serial none -device loader,file=IMAGE
# Where the data of that processor lie in the emulator.
UNIT_HEARD_AT = 0x80F000 4096
UNIT_BOARD_SOURCES =
STACK_END = _end
# The compiler's own start-up code will do. Leaves 4 KB to the stack.
UNIT_LINKING = -Wl,--defsym=__DATA_REGION_LENGTH__=56832 -Wl,--defsym=__stack=0xEFFF
UNIT_CHANGE = avr-objcopy --change-section-lma .data=0x800200
