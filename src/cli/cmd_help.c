/* SPDX-License-Identifier: GPL-2.0-only */
#include "cli/commands.h"
#include "cli/rows.h"

#include <string.h>

enum exit_code command_help(const struct options *options, struct err *err)
{
	const char *names[NR_COMMANDS + 2], *topic = options->nr_words ? options->word[0] : NULL;
	char near[200];

	if (options->nr_words > 1) {
		err_set(err, "help takes one word; '%s' is too much", options->word[1]);
		return EXIT_INPUT;
	}
	if (!topic) {
		help_program(stdout);
		return EXIT_FINE;
	}
	for (size_t i = 0; i < NR_COMMANDS; i++) {
		names[i] = command_rows[i].name;
		if (strcmp(topic, names[i]) == 0) {
			help_command((enum command_id)i, stdout);
			return EXIT_FINE;
		}
	}
	if (strcmp(topic, "man") == 0) {
		help_manual(stdout);
		return EXIT_FINE;
	}
	if (strcmp(topic, "completion") == 0) {
		help_completion(stdout);
		return EXIT_FINE;
	}
	names[NR_COMMANDS] = "man";
	names[NR_COMMANDS + 1] = "completion";
	err_near(near, sizeof(near), topic, names, NR_COMMANDS + 2);
	err_set(err, "there is no help on '%s'%s", topic, near);
	return EXIT_INPUT;
}
