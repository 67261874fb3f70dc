/* SPDX-License-Identifier: GPL-2.0-only */
/* Measurements of this host: code that the kernel runs once, timed as the mails time it. */
#include "cli/commands.h"
#include "topology/copy_bench.h"

#include <string.h>

enum exit_code command_bench(const struct options *options, struct err *err)
{
	static const char *const names[] = { "topology-copy" };
	const char *name = options->nr_words ? options->word[0] : "";
	char near[100];

	if (options->nr_words == 1 && strcmp(name, names[0]) == 0)
		return topology_copy_bench(stdout, COPY_BENCH_RUNS) ? EXIT_INPUT : EXIT_FINE;
	err_near(near, sizeof(near), name, names, 1);
	err_set(err, "there is no benchmark '%s'%s", name, near);
	return EXIT_INPUT;
}
