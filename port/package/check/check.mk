# SPDX-License-Identifier: MIT
# For make: one line checks a config before the firmware is compiled.
#
#     include quash/port/package/check/check.mk
#     $(eval $(call quash_check,CONFIG,TABLES,OBJECTS))
#
# OBJECTS are compiled only when CONFIG, of the C files TABLES, is right, and find quash_checked_CONFIG.h. CC, CPPFLAGS and CFLAGS
# are those of the device; HOSTCC is the compiler of this computer. What is made stands in $(QUASH_CHECKED).
QUASH_CHECKED ?= quash-checked
quash_check_script := $(dir $(lastword $(MAKEFILE_LIST)))check.sh

define quash_check
$(3): $(QUASH_CHECKED)/quash_checked_$(1).h
$(3): CPPFLAGS += -I$(QUASH_CHECKED)
$(QUASH_CHECKED)/quash_checked_$(1).h: $(2)
	HOSTCC="$(or $(HOSTCC),cc)" sh $(quash_check_script) $(QUASH_CHECKED) $(1) $(2) -- $(CC) $(CPPFLAGS) $(CFLAGS)
-include $(QUASH_CHECKED)/$(1).d
endef
