/* SPDX-License-Identifier: GPL-2.0-only */
/* Help, manual page and completion: three views of the same rows. */
#include "cli/rows.h"

#include <string.h>

enum { WIDTH = 96, INDENT = 26 };

/* Prints text broken at blanks, continued at `indent`; the cursor is already there. */
static void wrap(FILE *out, const char *text, int indent)
{
	int column = indent;

	for (;;) {
		size_t length = strcspn(text, " ");

		fwrite(text, 1, length, out);
		column += (int)length;
		text += length + strspn(text + length, " ");
		if (!*text)
			break;
		if (column + 1 + (int)strcspn(text, " ") > WIDTH) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else {
			fputc(' ', out);
			column++;
		}
	}
	fputc('\n', out);
}

static void print_option(const struct option_row *row, FILE *out)
{
	char left[80];
	int n = row->letter ? snprintf(left, sizeof(left), "  -%c, --%s", row->letter, row->name)
			    : snprintf(left, sizeof(left), "      --%s", row->name);

	if (row->argument)
		snprintf(left + n, sizeof(left) - (size_t)n, "=%s", row->argument);
	if (strlen(left) + 1 < INDENT)
		fprintf(out, "%-*s", INDENT, left);
	else
		fprintf(out, "%s\n%*s", left, INDENT, "");
	wrap(out, row->phrase, INDENT);
}

void help_program(FILE *out)
{
	fputs("usage: schedlab COMMAND [OPTION]…\n\n"
	      "Tries a change to how Linux places tasks on cpus, on any machine, without owning "
	      "it.\n\n",
	      out);
	for (size_t i = 0; i < NR_COMMANDS; i++) {
		fprintf(out, "  %-10s", command_rows[i].name);
		wrap(out, command_rows[i].phrase, 12);
	}
	fputs("\n'schedlab COMMAND --help' tells more. The main job:\n"
	      "  schedlab compare -m kunpeng920 -k v5.12 --with +SMT_GATED_IDLE_CORES -n 10 -- \\\n"
	      "      numactl -N 0 hackbench -p -T -l 500 -g 2..14:2\n",
	      out);
}

void help_command(enum command_id id, FILE *out)
{
	fprintf(out, "usage: schedlab %s %s\n\n", command_rows[id].name, command_rows[id].synopsis);
	wrap(out, command_rows[id].phrase, 0);
	fputc('\n', out);
	for (size_t i = 0; i < NR_OPTIONS; i++)
		if (option_rows[i].commands >> id & 1)
			print_option(&option_rows[i], out);
}

/* roff: a leading dot or quote and every backslash and hyphen are escaped. */
static void roff(FILE *out, const char *text)
{
	for (const char *at = text; *at; at++) {
		if (*at == '\\')
			fputs("\\e", out);
		else if (*at == '-')
			fputs("\\-", out);
		else if ((*at == '.' || *at == '\'') && at == text)
			fprintf(out, "\\&%c", *at);
		else
			fputc(*at, out);
	}
}

static void manual_option(const struct option_row *row, FILE *out)
{
	fputs(".TP\n.B ", out);
	if (row->letter)
		fprintf(out, "\\-%c, ", row->letter);
	fputs("\\-\\-", out);
	roff(out, row->name);
	if (row->argument) {
		fputs("=\\fI", out);
		roff(out, row->argument);
		fputs("\\fR", out);
	}
	fputc('\n', out);
	roff(out, row->phrase);
	fputc('\n', out);
}

void help_manual(FILE *out)
{
	fputs(".TH SCHEDLAB 1 \"\" \"schedlab " SCHEDLAB_VERSION "\" \"User commands\"\n"
	      ".SH NAME\nschedlab \\- try a change to how Linux places tasks, on any machine\n"
	      ".SH SYNOPSIS\n",
	      out);
	for (size_t i = 0; i < NR_COMMANDS; i++) {
		fprintf(out, "%s.B schedlab %s\n", i ? ".br\n" : "", command_rows[i].name);
		roff(out, command_rows[i].synopsis);
		fputc('\n', out);
	}
	fputs(".SH DESCRIPTION\n"
	      "schedlab takes a machine, a scheduler, a workload and two or more variants, "
	      "simulates "
	      "them, and prints the table that a kernel developer would post: means, deviations, "
	      "change, confidence, and why.\n",
	      out);
	for (size_t i = 0; i < NR_COMMANDS; i++) {
		fprintf(out, ".SH COMMAND %s\n", command_rows[i].name);
		roff(out, command_rows[i].phrase);
		fputc('\n', out);
		for (size_t j = 0; j < NR_OPTIONS; j++)
			if (option_rows[j].commands >> i & 1 && option_rows[j].commands != ~0u)
				manual_option(&option_rows[j], out);
	}
	fputs(".SH EXIT STATUS\n"
	      "0 fine; 1 a comparison found what --fail-if asked for; 2 a mistake in usage or "
	      "input; "
	      "3 the world refused (memory, disk); 130 interrupted. An internal fault aborts and "
	      "names its file and line.\n"
	      ".SH ENVIRONMENT\n"
	      ".TP\n.B XDG_STATE_HOME\nresults are kept in schedlab/results.db below it; "
	      "~/.local/state when not given\n"
	      ".TP\n.B XDG_CACHE_HOME\nkernels are kept in schedlab/kernels below it; "
	      "~/.cache when not given\n"
	      ".TP\n.B SCHEDLAB_DATA\na folder whose kernel/build is taken before "
	      "the installed one\n"
	      ".TP\n.B SCHEDLAB_WATCHDOG_S\nseconds that a call of kernel code may take before "
	      "the job fails\n",
	      out);
}

void help_completion(FILE *out)
{
	fputs("_schedlab() {\n\tlocal words\n\tcase ${COMP_WORDS[1]} in\n", out);
	for (size_t i = 0; i < NR_COMMANDS; i++) {
		fprintf(out, "\t%s) words='", command_rows[i].name);
		for (size_t j = 0; j < NR_OPTIONS; j++)
			if (option_rows[j].commands >> i & 1)
				fprintf(out, "--%s ", option_rows[j].name);
		fputs("' ;;\n", out);
	}
	fputs("\t*) words='", out);
	for (size_t i = 0; i < NR_COMMANDS; i++)
		fprintf(out, "%s ", command_rows[i].name);
	fputs("' ;;\n\tesac\n"
	      "\tCOMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\n"
	      "complete -o default -F _schedlab schedlab\n",
	      out);
}
