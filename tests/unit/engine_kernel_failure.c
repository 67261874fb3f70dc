/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel code that goes wrong ends the run with what it was. The image is tests/image/fake.c, which
 * goes wrong as it is told to.
 */
#include "../image/fake.h"
#include "engine/kernel/scratch.h"
#include "machine/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* What services.fail() leaves behind: it may not return. */
struct end {
	jmp_buf jump;
	char text[400];
};

struct fixture {
	struct arena arena;
	struct kernel_scratch kernel;
	struct fake_image *fake;
	struct end end;
};

static _Noreturn void fails(void *sim, const char *text)
{
	struct end *end = sim;

	snprintf(end->text, sizeof(end->text), "%s", text);
	longjmp(end->jump, 1);
}

static bool can_be_tested(void)
{
	return !access(FAKE_IMAGE, R_OK);
}

/* Within the test: cmocka handles signals from there on, and the engine after it. */
static void open_image(struct fixture *f)
{
	const struct machine *machine;
	struct err err = { 0 };

	if (!can_be_tested())
		skip();
	*f = (struct fixture){ 0 };
	setenv("SCHEDLAB_WATCHDOG_S", "1", 1);
	arena_init(&f->arena);
	machine = machine_read(&f->arena, "2x4x1", &err);
	if (!kernel_scratch_open(&f->kernel, machine, FAKE_IMAGE, &err))
		fail_msg("%s", err.what);
	f->kernel.services.fail = fails;
	f->kernel.services.sim = &f->end;
	f->fake = (struct fake_image *)(uintptr_t)f->kernel.ks;
}

static void close_image(struct fixture *f)
{
	kernel_scratch_close(&f->kernel);
	arena_release(&f->arena);
}

/* What the run ends with when a tick goes wrong so; "" when it goes on. */
static const char *tick(struct fixture *f, enum fake_failure failure)
{
	f->fake->failure = failure;
	f->end.text[0] = '\0';
	if (!setjmp(f->end.jump))
		engine_kernel()->tick(f->kernel.engine, 1000, 0);
	return f->end.text;
}

/* The same of an image opened for it. */
static void tick_ends_with(enum fake_failure failure, const char *text)
{
	struct fixture f;
	const char *found;

	open_image(&f);
	found = tick(&f, failure);
	close_image(&f);
	if (!strstr(f.end.text, text))
		fail_msg("'%s' is not in '%s'", text, found);
}

static void a_call_that_ends_fails_nothing(void **state)
{
	struct fixture f;

	open_image(&f);
	assert_string_equal(tick(&f, FAKE_FINE), "");
	assert_int_equal(f.fake->ticks, 1);
	close_image(&f);
}

static void bug_and_warn_are_told_with_file_and_line(void **state)
{
	tick_ends_with(FAKE_WARN, "kernel WARN at fake.c:7");
	tick_ends_with(FAKE_BUG, "kernel BUG at fake.c:8");
}

static void a_panic_is_told_in_the_kernels_words(void **state)
{
	tick_ends_with(FAKE_PANIC, "kernel panic: out of ideas");
}

static void a_symbol_that_nobody_emulates_is_named(void **state)
{
	tick_ends_with(FAKE_SYMBOL, "the kernel calls do_magic(), which is not emulated");
}

static void a_fault_is_told_with_its_address(void **state)
{
	tick_ends_with(FAKE_FAULT, ": Segmentation fault, address 0x10");
}

static void a_jump_to_nowhere_is_told_with_where(void **state)
{
	tick_ends_with(FAKE_JUMP, "kernel code jumps to 0x7000, where there is none");
}

static void a_stack_that_overflows_is_told(void **state)
{
	tick_ends_with(FAKE_OVERFLOW, "a kernel stack overflows (16384 bytes)");
}

static void an_endless_loop_is_stopped(void **state)
{
	tick_ends_with(FAKE_LOOP, "kernel code has not come to an end after 1 s");
}

/* Handlers, signal stack and mapping are as before: the next kernel finds nothing of the last. */
static void a_kernel_runs_after_one_that_failed(void **state)
{
	tick_ends_with(FAKE_FAULT, "Segmentation fault");
	a_call_that_ends_fails_nothing(state);
}

static void a_watchdog_without_a_number_of_seconds_is_refused(void **state)
{
	static const char *const bad[] = { "", "0", "-1", "1s", "86401" };
	struct kernel_scratch kernel;
	const struct machine *machine;
	struct arena arena;

	(void)state;
	if (!can_be_tested())
		skip();
	arena_init(&arena);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = { 0 };

		machine = machine_read(&arena, "2x4x1", &err);
		setenv("SCHEDLAB_WATCHDOG_S", bad[i], 1);
		assert_false(kernel_scratch_open(&kernel, machine, FAKE_IMAGE, &err));
		assert_non_null(strstr(err.what, "allowed: 1 to 86400 seconds"));
	}
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_that_ends_fails_nothing),
		cmocka_unit_test(bug_and_warn_are_told_with_file_and_line),
		cmocka_unit_test(a_panic_is_told_in_the_kernels_words),
		cmocka_unit_test(a_symbol_that_nobody_emulates_is_named),
		cmocka_unit_test(a_fault_is_told_with_its_address),
		cmocka_unit_test(a_jump_to_nowhere_is_told_with_where),
		cmocka_unit_test(a_stack_that_overflows_is_told),
		cmocka_unit_test(an_endless_loop_is_stopped),
		cmocka_unit_test(a_kernel_runs_after_one_that_failed),
		cmocka_unit_test(a_watchdog_without_a_number_of_seconds_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
