# SPDX-License-Identifier: MIT
# `make install` and `make uninstall`. For BOARD=microbit they put the libraries of that board, and nothing else.

PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
LIBDIR = $(PREFIX)/lib
INCLUDEDIR = $(PREFIX)/include
DATADIR = $(PREFIX)/share
MANDIR = $(DATADIR)/man
INSTALL = install

PORT_LIBRARY = $(OUT)/libquash-port.a
PORT_SOURCES = $(filter-out port/template.c port/uart/uart_avr.c,$(wildcard port/*.c port/uart/*.c port/http/*.c) port/usb/usb.c) \
	$(filter port/uart/uart_avr.c,$(BOARD_SOURCES))
POSIX_LIBRARY = $(OUT)/libquash-posix.a

$(PORT_LIBRARY): $(call objects,$(PORT_SOURCES))
$(POSIX_LIBRARY): $(call objects,$(wildcard port/posix/*.c))

ifeq ($(BOARD),host)
INSTALLED = $(LIBRARY) $(PORT_LIBRARY) $(POSIX_LIBRARY) $(QUASH:%=$(OUT)/quash-%)
# An installation by root then builds nothing, which `make clean` of its user could not remove.
all: $(INSTALLED)
else
INSTALLED = $(LIBRARY) $(PORT_LIBRARY)
endif

# What the library was compiled with, for those who link it.
install_with = DESTDIR='$(DESTDIR)' BINDIR='$(BINDIR)' LIBDIR='$(LIBDIR)' INCLUDEDIR='$(INCLUDEDIR)' DATADIR='$(DATADIR)' \
	MANDIR='$(MANDIR)' INSTALL='$(INSTALL)' OUT='$(OUT)' BOARD='$(BOARD)' PROGRAMS='$(QUASH)' VERSION="$$(sh port/package/version.sh)" \
	SIZE_BITS='$(patsubst -DQUASH_SIZE_BITS=%,%,$(filter -DQUASH_SIZE_BITS=%,$(FLAGS)))' \
	POINTER_BYTES="$$($(CC) $(FLAGS) -dM -E -x c /dev/null | sed -n 's/^\#define __SIZEOF_POINTER__ //p')"

## install: library, headers, quash-bridge, quash-inspect, manuals, to PREFIX=/usr/local below DESTDIR=; BOARD=microbit: its libraries
install: $(INSTALLED)
	@$(install_with) sh port/package/install.sh install

## uninstall: removes what install has put, with the same PREFIX and DESTDIR
uninstall:
	@$(install_with) sh port/package/install.sh uninstall

.PHONY: install uninstall
