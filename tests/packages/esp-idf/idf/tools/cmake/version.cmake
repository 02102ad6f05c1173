# SPDX-License-Identifier: MIT
# STUB of ESP-IDF's version.cmake: the version is that of $STUB_IDF_VERSION, as major.minor.
string(REGEX MATCH "^([0-9]+)\\.([0-9]+)$" _ "$ENV{STUB_IDF_VERSION}")
set(IDF_VERSION_MAJOR ${CMAKE_MATCH_1})
set(IDF_VERSION_MINOR ${CMAKE_MATCH_2})
