/* SPDX-License-Identifier: GPL-2.0-only */
/* Measurements of this host: code that the kernel runs once, timed as the mails time it. */
#include "cli/commands.h"
#include "topology/build_bench.h"
#include "topology/copy_bench.h"

#include <string.h>

static enum exit_code topology_copy(void)
{
	return topology_copy_bench(stdout, COPY_BENCH_RUNS) ? EXIT_INPUT : EXIT_FINE;
}

static enum exit_code topology_build_times(void)
{
	topology_build_bench(stdout);
	return EXIT_FINE;
}

static const struct {
	const char *name;
	enum exit_code (*run)(void);
} benches[] = {
	{ "topology-copy", topology_copy },
	{ "topology-build", topology_build_times },
};

enum { NR_BENCHES = sizeof(benches) / sizeof(benches[0]) };

enum exit_code bench_run(const char *name, struct err *err)
{
	const char *names[NR_BENCHES];
	char near[100];

	for (size_t i = 0; i < NR_BENCHES; i++) {
		names[i] = benches[i].name;
		if (strcmp(name, names[i]) == 0)
			return benches[i].run();
	}
	err_near(near, sizeof(near), name, names, NR_BENCHES);
	if (*name)
		err_set(err, "there is no benchmark '%s'%s", name, near);
	else
		err_set(err, "bench needs a word%s", near);
	return EXIT_INPUT;
}

enum exit_code command_bench(const struct options *options, struct err *err)
{
	if (options->nr_words > 1) {
		err_set(err, "bench takes one benchmark; '%s' is too much", options->word[1]);
		return EXIT_INPUT;
	}
	return bench_run(options->nr_words ? options->word[0] : "", err);
}
