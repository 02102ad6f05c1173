# SPDX-License-Identifier: MIT
# quash_check(TARGET CONFIG TABLES...): TARGET is compiled only when CONFIG, of the C files TABLES, is right, and finds
# quash_checked_CONFIG.h. The compiler is that of the target, with CMAKE_C_FLAGS, its definitions and its folders of headers. HOSTCC in
# the environment or in the cache is the compiler of this computer.
set(quash_check_script "${CMAKE_CURRENT_LIST_DIR}/check.sh" CACHE INTERNAL "")

function(quash_check target config)
	set(folder "${CMAKE_CURRENT_BINARY_DIR}/quash-checked")
	set(header "${folder}/quash_checked_${config}.h")
	set(tables "")
	foreach(table ${ARGN})
		get_filename_component(path "${table}" ABSOLUTE)
		list(APPEND tables "${path}")
	endforeach()
	set(host "${HOSTCC}")
	if(NOT host AND NOT CMAKE_CROSSCOMPILING)
		set(host "${CMAKE_C_COMPILER}")
	elseif(NOT host)
		set(host cc)
	endif()
	separate_arguments(flags UNIX_COMMAND "${CMAKE_C_FLAGS}")
	set(folders "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
	set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
	set(depfile "")
	if(NOT CMAKE_VERSION VERSION_LESS 3.20 OR CMAKE_GENERATOR MATCHES Ninja)
		set(depfile DEPFILE "${folder}/${config}.d")
	endif()
	add_custom_command(OUTPUT "${header}"
		COMMAND "${CMAKE_COMMAND}" -E env "HOSTCC=${host}" sh "${quash_check_script}" "${folder}" "${config}" ${tables} --
			"${CMAKE_C_COMPILER}" ${flags} "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>"
			"$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
		DEPENDS ${tables} "${quash_check_script}" ${depfile}
		COMMENT "Checking the config ${config}" COMMAND_EXPAND_LISTS VERBATIM)
	target_sources(${target} PRIVATE "${header}")
	target_include_directories(${target} PRIVATE "${folder}")
endfunction()
