# SPDX-License-Identifier: MIT
# A stand-in for the pico-sdk: its functions and libraries that the package names. The headers state what is used; SDK and
# TinyUSB are played by what runs on the emulated chip, over tests/packages/pico.
message(STATUS "STAND-IN for the pico-sdk")
set(stand_in ${CMAKE_CURRENT_LIST_DIR}/../..)
set(tree ${stand_in}/../../..)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

function(pico_sdk_init)
	add_compile_options(-mcpu=cortex-m0plus -mthumb -Os -ffreestanding -ffunction-sections -fdata-sections
		-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
	foreach(library pico_time hardware_sync pico_unique_id)
		add_library(${library} INTERFACE)
		target_include_directories(${library} INTERFACE ${stand_in}/stated)
	endforeach()
	add_library(pico_stdlib INTERFACE)
	target_link_libraries(pico_stdlib INTERFACE pico_time)
	target_sources(pico_stdlib INTERFACE ${stand_in}/sdk.c ${tree}/boards/pico/boot.c
		${tree}/boards/firmware/cortex_m.c ${tree}/boards/firmware/cortex_m_clock.c ${tree}/port/port_ring.c ${tree}/port/uart/uart.c)
	target_include_directories(pico_stdlib INTERFACE ${tree}/boards/firmware ${tree}/port)
	target_link_options(pico_stdlib INTERFACE -mcpu=cortex-m0plus -mthumb -nostartfiles --specs=nano.specs -Wl,--gc-sections
		-L${tree}/boards/firmware -T${tree}/boards/pico/link.ld)
	add_library(tinyusb_device INTERFACE)
	target_sources(tinyusb_device INTERFACE ${stand_in}/device_stack.c)
	target_link_libraries(tinyusb_device INTERFACE pico_time)
endfunction()

function(pico_enable_stdio_usb target enabled)
	if(enabled)
		message(FATAL_ERROR "${target}: the port is quash's")
	endif()
endfunction()

function(pico_enable_stdio_uart)
endfunction()

function(pico_add_extra_outputs target)
	set_target_properties(${target} PROPERTIES SUFFIX ".elf")
endfunction()
