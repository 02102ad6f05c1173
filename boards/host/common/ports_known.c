/* SPDX-License-Identifier: MIT */
#include "ports_known.h"

/* A bootloader of a board has a PID of its own, and no row: the maker's stands for it. */
const struct port_kind ports_known[] = {
	{ 0x03eb, 0x2111, OPENING_KEEPS, true, "Microchip EDBG" },
	{ 0x03eb, 0x2145, OPENING_KEEPS, true, "Microchip mEDBG" },
	{ 0x03eb, 0x2175, OPENING_KEEPS, true, "Microchip nEDBG" },
	{ 0x03eb, 0, OPENING_VARIES, true, "Microchip (Atmel)" },
	{ 0x0403, 0x6001, OPENING_VARIES, false, "FTDI FT232" },
	{ 0x0403, 0, OPENING_VARIES, false, "FTDI" },
	{ 0x0451, 0xbef3, OPENING_KEEPS, false, "Texas Instruments XDS110" },
	{ 0x0451, 0, OPENING_KEEPS, false, "Texas Instruments" },
	{ 0x045b, 0, OPENING_KEEPS, true, "Renesas" },
	{ 0x0483, 0x374b, OPENING_KEEPS, false, "ST-Link V2-1" },
	{ 0x0483, 0x374e, OPENING_KEEPS, false, "ST-Link V3" },
	{ 0x0483, 0x5740, OPENING_KEEPS, false, "STM32 with USB" },
	{ 0x0483, 0, OPENING_KEEPS, false, "STMicroelectronics" },
	{ 0x04b4, 0, OPENING_KEEPS, false, "Infineon (Cypress)" },
	{ 0x04d8, 0x00dd, OPENING_VARIES, false, "Microchip MCP2221" },
	{ 0x04d8, 0, OPENING_KEEPS, true, "Microchip" },
	{ 0x067b, 0x2303, OPENING_VARIES, false, "Prolific PL2303" },
	{ 0x067b, 0, OPENING_VARIES, false, "Prolific" },
	{ 0x0d28, 0x0204, OPENING_KEEPS, false, "DAPLink, as of the micro:bit" },
	{ 0x0d28, 0, OPENING_KEEPS, false, "Arm (mbed)" },
	{ 0x10c4, 0xea60, OPENING_VARIES, false, "Silicon Labs CP210x" },
	{ 0x10c4, 0, OPENING_VARIES, false, "Silicon Labs" },
	{ 0x1209, 0, OPENING_KEEPS, true, "open hardware (pid.codes)" },
	{ 0x1366, 0, OPENING_KEEPS, true, "SEGGER J-Link" },
	{ 0x16c0, 0x0483, OPENING_KEEPS, true, "Teensy" },
	{ 0x16c0, 0, OPENING_KEEPS, true, "PJRC, and others with a shared VID" },
	{ 0x1915, 0, OPENING_KEEPS, true, "Nordic" },
	{ 0x1a86, 0x55d4, OPENING_VARIES, false, "WCH CH9102" },
	{ 0x1a86, 0x7523, OPENING_VARIES, false, "WCH CH340" },
	{ 0x1a86, 0, OPENING_VARIES, false, "WCH" },
	{ 0x1b4f, 0, OPENING_KEEPS, true, "SparkFun" },
	{ 0x1cbe, 0x00fd, OPENING_KEEPS, false, "Texas Instruments ICDI" },
	{ 0x1cbe, 0, OPENING_KEEPS, false, "Texas Instruments (Luminary)" },
	{ 0x1fc9, 0, OPENING_KEEPS, false, "NXP" },
	{ 0x1ffb, 0, OPENING_KEEPS, true, "Pololu" },
	{ 0x2341, 0x0001, OPENING_RESETS, true, "Arduino Uno" },
	{ 0x2341, 0x0010, OPENING_RESETS, true, "Arduino Mega 2560" },
	{ 0x2341, 0x003d, OPENING_RESETS, true, "Arduino Due, programming port" },
	{ 0x2341, 0x0042, OPENING_RESETS, true, "Arduino Mega 2560 R3" },
	{ 0x2341, 0x0043, OPENING_RESETS, true, "Arduino Uno R3" },
	{ 0x2341, 0x0058, OPENING_VARIES, true, "Arduino Nano Every" },
	{ 0x2341, 0x0069, OPENING_KEEPS, true, "Arduino Uno R4 Minima" },
	{ 0x2341, 0x0242, OPENING_RESETS, true, "Arduino Mega 2560 R3" },
	{ 0x2341, 0x0243, OPENING_RESETS, true, "Arduino Uno R3" },
	{ 0x2341, 0x1002, OPENING_KEEPS, true, "Arduino Uno R4 WiFi" },
	{ 0x2341, 0x8036, OPENING_KEEPS, true, "Arduino Leonardo" },
	{ 0x2341, 0x8037, OPENING_KEEPS, true, "Arduino Micro" },
	{ 0x2341, 0, OPENING_VARIES, true, "Arduino" },
	{ 0x239a, 0, OPENING_KEEPS, true, "Adafruit" },
	{ 0x2886, 0, OPENING_KEEPS, true, "Seeed" },
	{ 0x28e9, 0, OPENING_KEEPS, false, "GigaDevice" },
	{ 0x2a03, 0x0042, OPENING_RESETS, true, "Arduino Mega 2560 R3" },
	{ 0x2a03, 0x0043, OPENING_RESETS, true, "Arduino Uno R3" },
	{ 0x2a03, 0, OPENING_VARIES, true, "Arduino" },
	{ 0x2b04, 0, OPENING_KEEPS, true, "Particle" },
	{ 0x2e8a, 0x0004, OPENING_KEEPS, true, "Raspberry Pi Picoprobe" },
	{ 0x2e8a, 0x0005, OPENING_KEEPS, true, "Raspberry Pi Pico with MicroPython" },
	{ 0x2e8a, 0x000a, OPENING_KEEPS, true, "Raspberry Pi Pico" },
	{ 0x2e8a, 0x000c, OPENING_KEEPS, true, "Raspberry Pi Debug Probe" },
	{ 0x2e8a, 0, OPENING_KEEPS, true, "Raspberry Pi" },
	{ 0x303a, 0x1001, OPENING_VARIES, false, "ESP32 with USB of its own" },
	{ 0x303a, 0, OPENING_VARIES, true, "Espressif" },
	{ 0x3343, 0, OPENING_VARIES, true, "DFRobot" },
};

const size_t ports_known_count = sizeof ports_known / sizeof ports_known[0];

const struct port_kind *port_kind_of(uint16_t vid, uint16_t pid)
{
	for (size_t i = 0; i < ports_known_count; i++) {
		if (ports_known[i].vid == vid && (ports_known[i].pid == pid || ports_known[i].pid == 0))
			return &ports_known[i];
	}
	return NULL;
}

bool port_is_known(uint16_t vid)
{
	return port_kind_of(vid, 0) != NULL;
}
