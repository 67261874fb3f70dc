/* SPDX-License-Identifier: GPL-2.0-only */
/* A profile's name, a line end and a variant. */
#include "fuzz.h"

#include "sched/config.h"

static void check_config(const struct sched_config *config, struct arena *arena,
			 const char *profile, const char *variant)
{
	struct sched_config again = { 0 };
	struct err err = { 0 };

	CHECK(!strcmp(config->variant, variant) && config->profile && config->version);
	for (uint32_t i = 0; i < NR_FIELDS; i++)
		CHECK(config->line_of[i] < NR_LINES || config->line_of[i] == NR_LINES + i);
	for (uint32_t i = 0; i < NR_TUNABLES; i++)
		CHECK(sched_tunable_scaled(config, i, 8192) >= config->tunable[i]);
	CHECK(sched_config_parse(&again, arena, profile, variant, &err));
	CHECK(!memcmp(again.tunable, config->tunable, sizeof(again.tunable)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sched_config config = { 0 };
	struct err err = { 0 };
	struct arena arena;
	char *text, *variant;
	bool good;

	arena_init(&arena);
	text = fuzz_text(&arena, data, size);
	variant = strchr(text, '\n');
	if (variant)
		*variant++ = '\0';
	good = sched_config_parse(&config, &arena, text, variant, &err);
	fuzz_answer(good, &err);
	if (good)
		check_config(&config, &arena, text, variant ? variant : "");
	arena_release(&arena);
	return 0;
}
