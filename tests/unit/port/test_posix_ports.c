/* SPDX-License-Identifier: MIT
 * Serial ports: what folders and programs say of them, which one a name means, and how they are shown. */
#include "posix/posix_system.h"

#include "unit.h"

#include "heap.h"
#include "host_ports.h"
#include "ports_known.h"
#include "ports_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct ports ports;
static struct port found;

static int begin(void **state)
{
	(void)state;
	memset(&ports, 0, sizeof ports);
	memset(&found, 0, sizeof found);
	return 0;
}

static const char uno[] = "/dev/ttyACM0\0Arduino\0Uno\0007573531303335\0002341\0000043\0";
static const char other_uno[] = "/dev/ttyACM1\0Arduino\0Uno\0AA11\0002341\0000043\0";
static const char pico[] = "/dev/ttyACM2\0Raspberry Pi\0Pico\0E660\0002E8A\000000A\0";
static const char esp[] = "/dev/ttyACM3\0Espressif\0USB JTAG/serial debug unit\00034:85:18:AA:B7:C8\000303a\0001001\0";
static const char ch340[] = "/dev/ttyUSB0\0\0USB Serial\0\0001a86\0007523\0";
static const char other_ch340[] = "/dev/ttyUSB10\0\0USB Serial\0\0001a86\0007523\0";
static const char modem[] = "/dev/ttyUSB2\0Huawei\0Mobile\0\00012d1\0001506\0";
static const char plain[] = "/dev/ttyS0\0\0\0\0\0\0";

#define PLUG(text) ports_read(&ports, text, sizeof text - 1)

static enum port_choice choose(const char *name)
{
	return port_choose(&ports, name, &found);
}

static void assert_found(const char *name, const char *path)
{
	memset(&found, 0, sizeof found);
	assert_int_equal(choose(name), PORT_ONE);
	assert_string_equal(found.path, path);
}

/* --- Names */

static void test_names_are_no_paths(void **state)
{
	static const char *const right[] = { "auto", "usb:2341:0043", "usb:2E8A:000a", "usb:303a:1001:34:85:18:AA:B7:C8", "usb:0000:0000: x" };
	static const char *const wrong[] = { "usb:", "usb:2341", "usb:2341:", "usb:2341:43", "usb:2341:00433", "usb:2341:0043:", "usb:234g:0043",
		"usb:2341-0043", "usb:0x23:0043", "usb: 341:0043" };
	static const char *const paths[] = { "", "/dev/ttyACM0", "./auto", "auto0", "AUTO", "USB:2341:0043", "usb", "COM3" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(right); i++)
		assert_true(port_is_name(right[i]) && port_is_right_name(right[i]));
	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		assert_true(port_is_name(wrong[i]) && !port_is_right_name(wrong[i]));
	for (size_t i = 0; i < COUNT_OF(paths); i++)
		assert_false(port_is_name(paths[i]));
}

static void test_auto_is_the_only_board(void **state)
{
	(void)state;
	assert_int_equal(choose("auto"), PORT_NONE);
	PLUG(plain);
	PLUG(modem);
	assert_int_equal(choose("auto"), PORT_NONE);
	PLUG(pico);
	assert_found("auto", "/dev/ttyACM2");
	PLUG(ch340);
	memset(&found, 0, sizeof found);
	assert_int_equal(choose("auto"), PORT_SEVERAL);
	assert_string_equal(found.path, "");
}

static void test_a_device_of_usb_is_named_by_its_numbers(void **state)
{
	(void)state;
	PLUG(uno);
	PLUG(pico);
	PLUG(esp);
	PLUG(modem);
	assert_found("usb:2341:0043", "/dev/ttyACM0");
	assert_found("usb:2E8a:000A", "/dev/ttyACM2");
	assert_found("usb:303A:1001:34:85:18:aa:B7:C8", "/dev/ttyACM3");
	assert_found("usb:12d1:1506", "/dev/ttyUSB2");
	memset(&found, 0, sizeof found);
	assert_int_equal(choose("usb:2341:0042"), PORT_NONE);
	assert_int_equal(choose("usb:303a:1001:34:85:18:AA:B7"), PORT_NONE);
	PLUG(other_uno);
	assert_int_equal(choose("usb:2341:0043"), PORT_SEVERAL);
	assert_found("usb:2341:0043:aa11", "/dev/ttyACM1");
}

/* Whatever else is plugged in meanwhile, and under which number it comes back. */
static void test_a_name_stays_with_its_device(void **state)
{
	static const char back[] = "/dev/ttyACM7\0Arduino\0Uno\0007573531303335\0002341\0000043\0";
	(void)state;
	PLUG(uno);
	assert_int_equal(choose("auto"), PORT_ONE);
	PLUG(other_uno);
	PLUG(pico);
	assert_int_equal(choose("auto"), PORT_ONE);
	assert_string_equal(found.path, "/dev/ttyACM0");
	ports.count = 0;
	PLUG(other_uno);
	assert_int_equal(choose("auto"), PORT_NONE);
	PLUG(back);
	assert_int_equal(choose("auto"), PORT_ONE);
	assert_string_equal(found.path, "/dev/ttyACM7");
}

/* --- What folders have */

static char root[64];

static void put_file(const char *path, const char *text)
{
	char whole[256];
	snprintf(whole, sizeof whole, "%s/%s", root, path);
	FILE *const file = fopen(whole, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void make_folder(const char *path)
{
	char whole[256];
	snprintf(whole, sizeof whole, "%s/%s", root, path);
	assert_int_equal(mkdir(whole, 0700), 0);
}

static void make_port(const char *name, const char *device)
{
	char folder[64], link[256];
	snprintf(folder, sizeof folder, "class/%s", name);
	make_folder(folder);
	snprintf(link, sizeof link, "%s/class/%s/device", root, name);
	assert_int_equal(symlink(device, link), 0);
	snprintf(folder, sizeof folder, "class/%s/device/uevent", name);
	put_file(folder, "DRIVER=test\n");
}

static void make_usb(const char *folder, const char *vid, const char *pid)
{
	char path[128];
	make_folder(folder);
	snprintf(path, sizeof path, "%s/idVendor", folder);
	put_file(path, vid);
	snprintf(path, sizeof path, "%s/idProduct", folder);
	put_file(path, pid);
}

static void remove_root(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -r %s", root);
	assert_int_equal(system(command), 0);
}

static void make_root(void)
{
	snprintf(root, sizeof root, "build/ports-XXXXXX");
	assert_non_null(mkdtemp(root));
	make_folder("class");
	make_folder("devices");
}

static const struct port *port_at(const char *path)
{
	for (size_t i = 0; i < ports.count; i++) {
		if (strcmp(ports.at[i].path, path) == 0)
			return &ports.at[i];
	}
	fail_msg("no %s", path);
	return NULL;
}

static bool read_class(void)
{
	char path[128];
	snprintf(path, sizeof path, "%s/class", root);
	const bool read = host_ports_in(&ports, path);
	ports_sort(&ports);
	return read;
}

static void test_ports_of_usb_have_their_device_above_them(void **state)
{
	(void)state;
	make_root();
	make_usb("devices/1-1", "2341\n", "0043\n");
	put_file("devices/1-1/manufacturer", "Arduino (www.arduino.cc)\n");
	put_file("devices/1-1/serial", "  7573 \n");
	make_folder("devices/1-1/1-1:1.0");
	make_port("ttyACM0", "../../devices/1-1/1-1:1.0");
	make_usb("devices/1-2", "1A86\n", "7523\n");
	put_file("devices/1-2/product", "USB Serial\n");
	make_folder("devices/1-2/1-2:1.0");
	make_folder("devices/1-2/1-2:1.0/ttyUSB0");
	make_port("ttyUSB0", "../../devices/1-2/1-2:1.0/ttyUSB0");
	assert_true(read_class());
	assert_int_equal(ports.count, 2);
	const struct port *const acm = port_at("/dev/ttyACM0"), *const adapter = port_at("/dev/ttyUSB0");
	assert_true(acm->usb && acm->vid == 0x2341 && acm->pid == 0x0043);
	assert_string_equal(acm->maker, "Arduino (www.arduino.cc)");
	assert_string_equal(acm->product, "");
	assert_string_equal(acm->serial, "7573");
	assert_true(adapter->usb && adapter->vid == 0x1a86 && adapter->pid == 0x7523);
	assert_string_equal(adapter->product, "USB Serial");
	remove_root();
}

/* A modem on a bus of its own, a chip that is there, one that is not, a console, and a radio two floors above a device of USB. */
static void test_other_ports_have_a_path_alone(void **state)
{
	(void)state;
	make_root();
	make_folder("devices/serial8250");
	make_port("ttyS0", "../../devices/serial8250");
	put_file("class/ttyS0/type", "4\n");
	make_port("ttyS1", "../../devices/serial8250");
	put_file("class/ttyS1/type", "0\n");
	make_folder("class/tty0");
	make_usb("devices/1-3", "0a12", "0001");
	make_folder("devices/1-3/1-3:1.0");
	make_folder("devices/1-3/1-3:1.0/hci0");
	make_folder("devices/1-3/1-3:1.0/hci0/hci0:11");
	make_port("rfcomm0", "../../devices/1-3/1-3:1.0/hci0/hci0:11");
	assert_true(read_class());
	assert_int_equal(ports.count, 2);
	assert_false(port_at("/dev/ttyS0")->usb);
	assert_false(port_at("/dev/rfcomm0")->usb);
	assert_int_equal(choose("auto"), PORT_NONE);
	remove_root();
}

static void test_numbers_that_are_none_make_no_device_of_usb(void **state)
{
	(void)state;
	make_root();
	make_usb("devices/1-1", "23", "0043\n");
	make_folder("devices/1-1/1-1:1.0");
	make_port("ttyACM0", "../../devices/1-1/1-1:1.0");
	assert_true(read_class());
	assert_false(port_at("/dev/ttyACM0")->usb);
	remove_root();
}

static void test_a_machine_without_the_folder_is_asked_otherwise(void **state)
{
	(void)state;
	assert_false(host_ports_in(&ports, "/no/such/folder"));
	assert_int_equal(ports.count, 0);
}

/* --- What ioreg prints */

static const char ioreg[] =
	"+-o USB2.1 Hub@00100000  <class IOUSBHostDevice, id 0x100000001, registered, matched, active, busy 0 (1 ms), retain 37>\n"
	"  | {\n"
	"  |   \"idProduct\" = 1120\n"
	"  |   \"USB Product Name\" = \"USB2.1 Hub\"\n"
	"  |   \"idVendor\" = 6309\n"
	"  | }\n"
	"  | \n"
	"  +-o AppleUSB20HubPort@00120000  <class AppleUSB20HubPort, id 0x100000002, registered, matched, active, busy 0, retain 15>\n"
	"  | +-o Arduino Uno@00120000  <class IOUSBHostDevice, id 0x100000003, registered, matched, active, busy 0 (3 ms), retain 25>\n"
	"  |   | {\n"
	"  |   |   \"sessionID\" = 17679814164580\n"
	"  |   |   \"idProduct\" = 67\n"
	"  |   |   \"USB Product Name\" = \"Arduino \"Uno\" +-o 3\"\n"
	"  |   |   \"USB Vendor Name\" = \"Arduino Srl            \"\n"
	"  |   |   \"idVendor\" = 0x2a03\n"
	"  |   |   \"USB Serial Number\" = \"7563331313335171B150\"\n"
	"  |   | }\n"
	"  |   | \n"
	"  |   +-o IOUSBHostInterface@1  <class IOUSBHostInterface, id 0x100000004, registered, matched, active, busy 0, retain 8>\n"
	"  |   | | {\n"
	"  |   | |   \"idProduct\" = 1\n"
	"  |   | |   \"idVendor\" = 2\n"
	"  |   | | }\n"
	"  |   | +-o AppleUSBACMData  <class AppleUSBACMData, id 0x100000005, registered, matched, active, busy 0, retain 7>\n"
	"  |   |   +-o IOSerialBSDClient  <class IOSerialBSDClient, id 0x100000006, registered, matched, active, busy 0, retain 5>\n"
	"  |   |       {\n"
	"  |   |         \"IODialinDevice\" = \"/dev/tty.usbmodem14201\"\n"
	"  |   |         \"IOCalloutDevice\" = \"/dev/cu.usbmodem14201\"\n"
	"  |   |       }\n"
	"  |   | \n"
	"  +-o USB Serial@00130000  <class IOUSBHostDevice, id 0x100000007, registered, matched, active, busy 0 (2 ms), retain 21>\n"
	"    | {\n"
	"    |   \"idProduct\" = 29987\n"
	"    |   \"kUSBProductString\" = \"USB Serial\"\n"
	"    |   \"idVendor\" = 6790\n"
	"    | }\n"
	"    +-o IOSerialBSDClient  <class IOSerialBSDClient, id 0x100000008, registered, matched, active, busy 0, retain 5>\n"
	"        {\n"
	"          \"IOCalloutDevice\" = \"/dev/cu.usbserial-1430\"\n"
	"        }\n"
	"+-o IOSerialBSDClient  <class IOSerialBSDClient, id 0x100000006, registered, matched, active, busy 0, retain 5>\n"
	"    {\n"
	"      \"IOCalloutDevice\" = \"/dev/cu.usbmodem14201\"\n"
	"    }\n"
	"+-o IOSerialBSDClient  <class IOSerialBSDClient, id 0x100000009, registered, matched, active, busy 0, retain 5>\n"
	"    {\n"
	"      \"IOCalloutDevice\" = \"/dev/cu.Bluetooth-Incoming-Port\"\n"
	"    }";

static void test_ioreg_shows_ports_below_their_devices(void **state)
{
	(void)state;
	ports_read(&ports, ioreg, sizeof ioreg - 1);
	assert_int_equal(ports.count, 3);
	const struct port *const board = port_at("/dev/cu.usbmodem14201"), *const adapter = port_at("/dev/cu.usbserial-1430");
	assert_true(board->usb && board->vid == 0x2a03 && board->pid == 67);
	assert_string_equal(board->maker, "Arduino Srl");
	assert_string_equal(board->product, "Arduino \"Uno\" +-o 3");
	assert_string_equal(board->serial, "7563331313335171B150");
	assert_true(adapter->usb && adapter->vid == 0x1a86 && adapter->pid == 0x7523);
	assert_string_equal(adapter->product, "USB Serial");
	assert_string_equal(adapter->serial, "");
	assert_false(port_at("/dev/cu.Bluetooth-Incoming-Port")->usb);
}

/* Ends at any byte, and nests without end. */
static void test_any_text_is_read_to_its_end(void **state)
{
	char *const deep = malloc(100 * 200);
	size_t n = 0;
	(void)state;
	for (size_t length = 0; length < sizeof ioreg; length++) {
		char *const part = malloc(length + 1);
		memcpy(part, ioreg, length);
		ports.count = 0;
		ports_read(&ports, part, length);
		free(part);
	}
	for (int column = 0; column < 100; column++)
		n += (size_t)sprintf(deep + n, "%*s+-o x <class IOUSBHostDevice>\n", column, "");
	ports.count = 0;
	ports_read(&ports, deep, n);
	assert_int_equal(ports.count, 0);
	for (size_t length = 0; length < sizeof uno; length++) {
		ports.count = 0;
		ports_read(&ports, uno, length);
		assert_int_equal(ports.count, length == sizeof uno - 1);
	}
	free(deep);
}

static void test_more_ports_than_there_is_room_for(void **state)
{
	char path[32];
	(void)state;
	for (int i = 0; i < MOST_PORTS; i++) {
		snprintf(path, sizeof path, "/dev/ttyS%d", i);
		assert_non_null(ports_add(&ports, path));
		assert_null(ports_add(&ports, path));
	}
	assert_null(ports_add(&ports, "/dev/one"));
	assert_int_equal(ports.count, MOST_PORTS);
}

/* Another board may be among those that found no room. */
static void test_of_a_full_table_no_board_is_the_only_one(void **state)
{
	char path[32];
	(void)state;
	PLUG(pico);
	for (int i = 0; i < MOST_PORTS - 2; i++) {
		snprintf(path, sizeof path, "/dev/ttyS%d", i);
		assert_non_null(ports_add(&ports, path));
	}
	assert_found("auto", "/dev/ttyACM2");
	PLUG(modem);
	PLUG(esp);
	memset(&found, 0, sizeof found);
	assert_int_equal(choose("auto"), PORT_SEVERAL);
	assert_int_equal(choose("usb:2e8a:000a"), PORT_SEVERAL);
	assert_string_equal(found.path, "");
	assert_found("usb:2e8a:000a:E660", "/dev/ttyACM2");
}

/* --- How they are shown */

#define ASSERT_BUILT(call, expected) \
	do { \
		struct builder to = build_begin(&heap_standard); \
		call; \
		char *const text = build_end(&to); \
		assert_string_equal(text, expected); \
		heap_free(&heap_standard, text); \
	} while (0)

static void test_json_has_what_is_known(void **state)
{
	(void)state;
	ASSERT_BUILT(ports_put_json(&to, &ports), "[]");
	PLUG(plain);
	PLUG(pico);
	PLUG(ch340);
	ports_sort(&ports);
	ASSERT_BUILT(ports_put_json(&to, &ports),
		"[{\"path\":\"/dev/ttyACM2\",\"maker\":\"Raspberry Pi\",\"product\":\"Pico\",\"serial\":\"E660\",\"vid\":\"2e8a\",\"pid\":\"000a\"},"
		"{\"path\":\"/dev/ttyUSB0\",\"product\":\"USB Serial\",\"vid\":\"1a86\",\"pid\":\"7523\"},{\"path\":\"/dev/ttyS0\"}]");
}

static void test_a_line_has_what_to_write(void **state)
{
	(void)state;
	PLUG(uno);
	PLUG(esp);
	PLUG(ch340);
	PLUG(plain);
	ASSERT_BUILT(port_put_line(&to, &ports, &ports.at[0]), "/dev/ttyACM0  Arduino Uno  usb:2341:0043:7573531303335  opening it resets the board");
	ASSERT_BUILT(port_put_line(&to, &ports, &ports.at[1]),
		"/dev/ttyACM3  Espressif USB JTAG/serial debug unit  usb:303a:1001:34:85:18:AA:B7:C8  opening it may reset the board");
	ASSERT_BUILT(port_put_line(&to, &ports, &ports.at[2]), "/dev/ttyUSB0  USB Serial  usb:1a86:7523  opening it may reset the board");
	ASSERT_BUILT(port_put_line(&to, &ports, &ports.at[3]), "/dev/ttyS0  serial port");
	PLUG(other_ch340);
	ASSERT_BUILT(port_put_line(&to, &ports, &ports.at[2]), "/dev/ttyUSB0  USB Serial  opening it may reset the board");
	ASSERT_BUILT(port_put_found(&to, "auto", &ports.at[0]), "auto is /dev/ttyACM0, Arduino Uno (usb:2341:0043:7573531303335); opening it resets the board");
}

static void test_a_name_that_cannot_be_pasted_is_not_offered(void **state)
{
	static const char *const wrong[] = { "$(reboot)", "1;2", "`id`", "a'b", "a\"b", "a\\b", "1\x1b[2J", "A,9600", "\xe2\x80\xae", "a\tb" };
	char name[PORT_NAME];
	(void)state;
	PLUG(uno);
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		port_set(ports.at[0].serial, wrong[i], strlen(wrong[i]));
		port_write_name(name, &ports, &ports.at[0]);
		assert_string_equal(name, "/dev/ttyACM0");
	}
	port_set(ports.at[0].serial, "a b:1/2", 7);
	port_write_name(name, &ports, &ports.at[0]);
	assert_string_equal(name, "usb:2341:0043:a b:1/2");
}

static void test_trouble_says_what_is_missing(void **state)
{
	char words[PORT_TROUBLE];
	(void)state;
	port_write_trouble(words, &ports, "auto", PORT_NONE, &found);
	assert_string_equal(words, "no board is plugged in");
	PLUG(modem);
	port_write_trouble(words, &ports, "auto", PORT_NONE, &found);
	assert_string_equal(words, "no board of a maker that auto knows is plugged in, see quash-bridge --list");
	port_write_trouble(words, &ports, "usb:2341:0043", PORT_NONE, &found);
	assert_string_equal(words, "no such board is plugged in");
	port_write_trouble(words, &ports, "auto", PORT_SEVERAL, &found);
	assert_non_null(strstr(words, "several ports"));
	found = ports.at[0];
	port_write_trouble(words, &ports, "auto", PORT_NONE, &found);
	assert_string_equal(words, "the board that it was is not plugged in");
}

static void test_paths_are_in_the_order_of_their_numbers(void **state)
{
	(void)state;
	PLUG(plain);
	PLUG(other_ch340);
	PLUG(modem);
	PLUG(uno);
	ports_sort(&ports);
	static const char *const order[] = { "/dev/ttyACM0", "/dev/ttyUSB2", "/dev/ttyUSB10", "/dev/ttyS0" };
	for (size_t i = 0; i < COUNT_OF(order); i++)
		assert_string_equal(ports.at[i].path, order[i]);
}

/* --- What is known of boards */

/* A row that stands behind that of its maker would never be found. */
static void test_each_kind_is_found_by_its_numbers(void **state)
{
	(void)state;
	for (size_t i = 0; i < ports_known_count; i++) {
		const struct port_kind *const kind = &ports_known[i];
		assert_ptr_equal(port_kind_of(kind->vid, kind->pid), kind);
		assert_true(port_is_known(kind->vid));
		assert_true(kind->name[0] != '\0');
		assert_true(i == 0 || kind[-1].vid < kind->vid || (kind[-1].vid == kind->vid && kind[-1].pid != 0));
	}
	assert_null(port_kind_of(0x12d1, 0x1506));
	assert_false(port_is_known(0x0a12));
}

static void test_what_opening_does(void **state)
{
	(void)state;
	assert_int_equal(port_kind_of(0x2341, 0x0043)->opening, OPENING_RESETS);
	assert_int_equal(port_kind_of(0x2341, 0x8036)->opening, OPENING_KEEPS);
	assert_int_equal(port_kind_of(0x10c4, 0xea60)->opening, OPENING_VARIES);
	assert_true(port_kind_of(0x2e8a, 0x000a)->needs_dtr);
	assert_false(port_kind_of(0x0d28, 0x0204)->needs_dtr);
	assert_int_equal(port_kind_of(0x2341, 0xffff)->pid, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_names_are_no_paths, begin),
		cmocka_unit_test_setup(test_auto_is_the_only_board, begin),
		cmocka_unit_test_setup(test_a_device_of_usb_is_named_by_its_numbers, begin),
		cmocka_unit_test_setup(test_a_name_stays_with_its_device, begin),
		cmocka_unit_test_setup(test_ports_of_usb_have_their_device_above_them, begin),
		cmocka_unit_test_setup(test_other_ports_have_a_path_alone, begin),
		cmocka_unit_test_setup(test_numbers_that_are_none_make_no_device_of_usb, begin),
		cmocka_unit_test_setup(test_a_machine_without_the_folder_is_asked_otherwise, begin),
		cmocka_unit_test_setup(test_ioreg_shows_ports_below_their_devices, begin),
		cmocka_unit_test_setup(test_any_text_is_read_to_its_end, begin),
		cmocka_unit_test_setup(test_more_ports_than_there_is_room_for, begin),
		cmocka_unit_test_setup(test_of_a_full_table_no_board_is_the_only_one, begin),
		cmocka_unit_test_setup(test_json_has_what_is_known, begin),
		cmocka_unit_test_setup(test_a_line_has_what_to_write, begin),
		cmocka_unit_test_setup(test_a_name_that_cannot_be_pasted_is_not_offered, begin),
		cmocka_unit_test_setup(test_trouble_says_what_is_missing, begin),
		cmocka_unit_test_setup(test_paths_are_in_the_order_of_their_numbers, begin),
		cmocka_unit_test_setup(test_each_kind_is_found_by_its_numbers, begin),
		cmocka_unit_test_setup(test_what_opening_does, begin),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
