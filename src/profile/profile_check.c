/* SPDX-License-Identifier: MIT
 * Finds what is wrong with the tables of a profile. */
#include "profile.h"

QUASH_OUTLINED_ bool quash_check_member(quash_fault *fault, const char *table, const char *name, const char *member)
{
	const quash_fault wrong = { table, name, member, 0, 0, 0, QUASH_FAULT_NONE };
	if (member != NULL)
		*fault = wrong;
	return member == NULL;
}

bool quash_check_size(quash_fault *fault, const char *member, size_t is, size_t needs)
{
	if (is >= needs)
		return true;
	(void)quash_check_member(fault, "config", NULL, member);
	fault->is = (uint32_t)is;
	fault->needs = (uint32_t)needs;
	return false;
}

bool quash_check_leases(quash_fault *fault, const char *table, const char *name, const struct quash_lease_code *leases,
	const quash_config *config)
{
	uint8_t i = 0;
	while (i < config->method_count && config->methods[i].motion.lease == 0)
		i++;
	return quash_check_member(fault, table, name, leases == NULL && i < config->method_count ? "leases" : NULL);
}

const quash_method *quash_entry_of(const quash_config *config, quash_handler *handler)
{
	for (uint8_t i = 0; i < config->method_count; i++) {
		if (config->methods[i].handler == handler)
			return &config->methods[i];
	}
	return NULL;
}

const void *quash_data_of(const quash_config *config, quash_handler *handler)
{
	const quash_method *const entry = quash_entry_of(config, handler);
	return entry != NULL ? entry->data : NULL;
}

const void *quash_check_initialize(quash_fault *fault, const quash_config *config, quash_handler *handler)
{
	const quash_method *const entry = quash_entry_of(config, handler);
	if (entry == NULL) {
		(void)quash_check_member(fault, "config", NULL, "initialize");
		return NULL;
	}
	if (quash_check_member(fault, "methods", entry->name, entry->data == NULL ? "data" : NULL))
		return entry->data;
	fault->index = (uint16_t)(entry - config->methods);
	return NULL;
}
