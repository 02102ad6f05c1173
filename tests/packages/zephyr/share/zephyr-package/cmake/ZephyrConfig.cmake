# SPDX-License-Identifier: MIT
# No Zephyr: stubs of the CMake functions that the module and its sample call. They do what Zephyr 4 documents of each, for
# the modules in EXTRA_ZEPHYR_MODULES, and compile against headers that state what is used. STUB_INCLUDES has these,
# STUB_SOURCES what takes a kernel's place in a program for the host; without any, only libraries are built.
message(STATUS "STUB of Zephyr: no kernel is here")

project(StubOfZephyr LANGUAGES C)
add_library(zephyr_interface INTERFACE)
target_include_directories(zephyr_interface INTERFACE ${STUB_INCLUDES})

# What Kconfig makes of the application's prj.conf: .config, autoconf.h, and each CONFIG_ as a variable.
find_program(STUB_PYTHON python3 REQUIRED)
execute_process(COMMAND ${CMAKE_COMMAND} -E env "EXTRA_CONF_FILE=${EXTRA_CONF_FILE}" ${STUB_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/../../../configure.py ${CMAKE_CURRENT_SOURCE_DIR}
	${CMAKE_CURRENT_BINARY_DIR} ${EXTRA_ZEPHYR_MODULES} ${ZEPHYR_EXTRA_MODULES} COMMAND_ERROR_IS_FATAL ANY)
include(${CMAKE_CURRENT_BINARY_DIR}/config.cmake)
target_compile_options(zephyr_interface INTERFACE -imacros ${CMAKE_CURRENT_BINARY_DIR}/autoconf.h)

function(zephyr_include_directories)
	foreach(folder ${ARGN})
		get_filename_component(folder ${folder} ABSOLUTE)
		if(NOT IS_DIRECTORY ${folder})
			message(FATAL_ERROR "no folder ${folder}")
		endif()
		target_include_directories(zephyr_interface INTERFACE ${folder})
	endforeach()
endfunction()

function(zephyr_compile_definitions)
	target_compile_definitions(zephyr_interface INTERFACE ${ARGN})
endfunction()

macro(zephyr_library_named name)
	set(ZEPHYR_CURRENT_LIBRARY ${name})
	add_library(${name} STATIC)
	target_link_libraries(${name} PUBLIC zephyr_interface)
	set_property(GLOBAL APPEND PROPERTY STUB_LIBRARIES ${name})
endmacro()

function(zephyr_library_sources)
	target_sources(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGN})
endfunction()

function(zephyr_library_sources_ifdef toggle)
	if(${${toggle}})
		zephyr_library_sources(${ARGN})
	endif()
endfunction()

foreach(folder ${STUB_MODULE_FOLDERS})
	get_filename_component(name ${folder} DIRECTORY)
	get_filename_component(name ${name} NAME)
	add_subdirectory(${folder} ${CMAKE_CURRENT_BINARY_DIR}/modules/${name})
endforeach()

add_library(app STATIC)
target_link_libraries(app PUBLIC zephyr_interface)

if(STUB_SOURCES)
	get_property(libraries GLOBAL PROPERTY STUB_LIBRARIES)
	add_executable(zephyr ${STUB_SOURCES})
	set_target_properties(zephyr PROPERTIES RUNTIME_OUTPUT_DIRECTORY zephyr SUFFIX .elf)
	target_link_libraries(zephyr PRIVATE -Wl,--whole-archive app ${libraries} -Wl,--no-whole-archive
		-Wl,--gc-sections zephyr_interface pthread)
endif()
