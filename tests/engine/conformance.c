/* SPDX-License-Identifier: GPL-2.0-only */
/* The facts of src/conform, asked of the model in every version and of kernels given by path. */
#include "conform/conform.h"
#include "engine/kernel/kernel.h"
#include "engine/model/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

struct question {
	struct conform_subject subject;
	uint32_t fact;
};

static void fact_holds(void **state)
{
	const struct question *question = *state;
	struct err err = { 0 };

	if (!conform_fact_applies(question->fact, &question->subject))
		skip();
	if (!conform_fact_holds(question->fact, &question->subject, &err))
		fail_msg("%s", err.what);
}

static int ask(const char *title, const struct conform_subject *subject)
{
	uint32_t nr = conform_nr_facts();
	struct question *question = calloc(nr, sizeof(*question));
	struct CMUnitTest *test = calloc(nr, sizeof(*test));
	int failed;

	for (uint32_t i = 0; i < nr; i++) {
		question[i] = (struct question){ *subject, i };
		test[i] = (struct CMUnitTest){ .name = conform_fact_name(i),
					       .test_func = fact_holds,
					       .initial_state = &question[i] };
	}
	print_message("%s\n", title);
	failed = _cmocka_run_group_tests(title, test, nr, NULL, NULL);
	free(question);
	free(test);
	return failed;
}

int main(int argc, char **argv)
{
	static const char *const profiles[] = { "v3.13", "v5.9", "v5.12", "v5.19",
						"v6.1",	 "v6.6", "v6.12", "v6.18" };
	int failed = 0;

	for (int i = 1; i < argc; i++) {
		struct conform_subject subject = { engine_kernel(), "v6.12", argv[i] };

		failed += ask(argv[i], &subject);
	}
	for (size_t p = 0; argc == 1 && p < sizeof(profiles) / sizeof(profiles[0]); p++) {
		struct conform_subject subject = { engine_model(), profiles[p], NULL };

		failed += ask(profiles[p], &subject);
	}
	return failed;
}
