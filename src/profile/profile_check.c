/* SPDX-License-Identifier: MIT
 * Finds what is wrong with the tables of a profile. */
#include "profile.h"

QUASH_OUTLINED bool quash_check_member(quash_fault *fault, const char *table, const char *name, const char *wrong)
{
	if (wrong == NULL)
		return true;
	fault->table = table;
	fault->name = name;
	fault->index = 0;
	return !quash_is_fault(fault, wrong, 0, 0);
}

bool quash_check_size(quash_fault *fault, const char *wrong, size_t is, size_t needs)
{
	if (is >= needs)
		return true;
	(void)quash_check_member(fault, "config", NULL, wrong);
	return !quash_is_fault(fault, wrong, (uint32_t)is, (uint32_t)needs);
}

bool quash_check_leases(quash_fault *fault, const char *table, const char *name, const struct quash_lease_code *leases,
	const quash_config *config)
{
	uint8_t i = 0;
	while (i < config->method_count && config->methods[i].lease == 0)
		i++;
	return quash_check_member(fault, table, name, leases == NULL && i < config->method_count ? IS_UNNAMED "leases" : NULL);
}

const void *quash_data_of(const quash_config *config, quash_handler *handler)
{
	for (uint8_t i = 0; i < config->method_count; i++) {
		if (config->methods[i].handler == handler)
			return config->methods[i].data;
	}
	return NULL;
}
