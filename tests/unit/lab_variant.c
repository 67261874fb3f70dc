/* SPDX-License-Identifier: GPL-2.0-only */
/* What a variant is, with no kernel built: the cache of kernels is an empty folder. */
#include "lab/variant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static bool resolve(struct arena *arena, struct variant *v, struct variant_request request,
		    struct err *err)
{
	*err = (struct err){ 0 };
	return variant_resolve(v, arena, &request, err);
}

static void assert_refused(struct variant_request request, const char *wanted)
{
	struct variant v;
	struct arena arena;
	struct err err;

	arena_init(&arena);
	assert_false(resolve(&arena, &v, request, &err));
	if (!strstr(err.what, wanted))
		fail_msg("'%s' is not in '%s'", wanted, err.what);
	arena_release(&arena);
}

static void a_variant_is_of_the_model_unless_it_names_a_kernel(void **state)
{
	struct variant v;
	struct arena arena;
	struct err err;

	(void)state;
	arena_init(&arena);
	assert_true(resolve(&arena, &v, (struct variant_request){ .text = "base" }, &err));
	assert_null(v.image);
	assert_string_equal(v.profile, DEFAULT_PROFILE);
	assert_string_equal(v.title, DEFAULT_PROFILE " as it is");
	assert_null(variant_note(&v, &arena));
	assert_true(resolve(&arena, &v, (struct variant_request){ "model", "v5.12", "+SIS_UTIL" },
			    &err));
	assert_string_equal(v.title, "v5.12 +SIS_UTIL");
	assert_string_equal(v.features, "+SIS_UTIL");
	arena_release(&arena);
}

static void unknown_engines_and_kernels_are_named(void **state)
{
	(void)state;
	assert_refused((struct variant_request){ "modle", NULL, "base" }, "did you mean model");
	assert_refused((struct variant_request){ "kernel:nowhere", NULL, "base" }, "'nowhere'");
	assert_refused((struct variant_request){ NULL, NULL, "kernel:nowhere" }, "'nowhere'");
	assert_refused((struct variant_request){ NULL, NULL, "+NO_SUCH" }, "NO_SUCH");
}

static void features_are_refused_for_a_kernel_before_it_is_looked_for(void **state)
{
	(void)state;
	assert_refused((struct variant_request){ "kernel:nowhere", NULL, "+SIS_UTIL" },
		       "'+SIS_UTIL' is for the model");
	assert_refused((struct variant_request){ NULL, NULL, "kernel:nowhere,+SIS_UTIL" },
		       "features belong to the model");
}

static void the_name_of_a_kernel_follows_its_prefix(void **state)
{
	(void)state;
	assert_string_equal(variant_kernel_name("kernel:mine"), "mine");
	assert_null(variant_kernel_name("kernels"));
	assert_null(variant_kernel_name(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_variant_is_of_the_model_unless_it_names_a_kernel),
		cmocka_unit_test(unknown_engines_and_kernels_are_named),
		cmocka_unit_test(features_are_refused_for_a_kernel_before_it_is_looked_for),
		cmocka_unit_test(the_name_of_a_kernel_follows_its_prefix),
	};
	char empty[] = "/tmp/schedlab-no-kernels-XXXXXX";
	int failed;

	if (!mkdtemp(empty) || setenv("XDG_CACHE_HOME", empty, 1) != 0)
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(empty);
	return failed;
}
