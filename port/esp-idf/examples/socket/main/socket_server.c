/* SPDX-License-Identifier: MIT
 * A tool server on TCP. There is no encryption and no password: the link is yours to protect. */
#include "quash_esp_config.h"
#include "quash_esp_tcp.h"
#include "tools.h"

#include <esp_event.h>
#include <esp_log.h>
#include <esp_netif.h>
#include <esp_vfs_eventfd.h>
#include <freertos/FreeRTOS.h>
#include <freertos/task.h>
#include <nvs_flash.h>
#include <protocol_examples_common.h>

static quash_peer peer;

/* Other tasks may call quash_esp_tcp_cancel and quash_esp_tcp_wake with it. */
static quash_esp_tcp line;

/* Wi-Fi or Ethernet, as the project's configuration has it; waits for an address. */
static void connect_network(void)
{
	ESP_ERROR_CHECK(nvs_flash_init());
	ESP_ERROR_CHECK(esp_netif_init());
	ESP_ERROR_CHECK(esp_event_loop_create_default());
	ESP_ERROR_CHECK(example_connect());
}

static void serve(void *unused)
{
	static const quash_esp_tcp_choice choice = QUASH_ESP_TCP_CHOICE;
	(void)unused;
	const int error = quash_esp_tcp_start(&line, &peer, &choice);
	if (error != 0) {
		ESP_LOGE("quash", "cannot listen: errno %d", error);
		vTaskDelete(NULL);
		return;
	}
	ESP_LOGI("quash", "listens at %s:%u", choice.address, (unsigned)quash_esp_tcp_number(&line));
	quash_esp_tcp_serve(&line);
}

void app_main(void)
{
	const esp_vfs_eventfd_config_t events = ESP_VFS_EVENTD_CONFIG_DEFAULT();
	quash_fault fault;
	tools_begin();
	connect_network();
	ESP_ERROR_CHECK(esp_vfs_eventfd_register(&events));
	if (!quash_init(&peer, &tools_config, &fault)) { /* each request is answered so, too */
		char line[80];
		quash_fault_line(&fault, line, sizeof line);
		ESP_LOGE("quash", "%s", line);
	}
	if (xTaskCreate(serve, "quash", CONFIG_EXAMPLE_TASK_STACK, NULL, CONFIG_EXAMPLE_TASK_PRIORITY, NULL) != pdPASS)
		ESP_LOGE("quash", "no memory for the task");
}
