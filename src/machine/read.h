/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where machines come from.
 *
 * `spec` is what a user typed after -m: a preset's name ("kunpeng920"), "host", AxBxC
 * ("4x24x2": sockets x cores x threads; "4x24x2/ring", "/mesh", "/line" choose node distances),
 * an hwloc synthetic string ("numa:2 core:24 pu:2"), or a file or directory: *.json (the documented
 * schema), *.xml (lstopo export), *.txt (dump of /sys/devices/system as path:value lines), a
 * directory (copied /sys tree) or an archive of one (*.tar, *.tar.bz2, *.tar.gz, *.tar.xz,
 * *.tar.zst, as hwloc-gather-topology makes). What a source leaves open is in machine.assumed, a
 * sentence each.
 */
#ifndef MACHINE_READ_H
#define MACHINE_READ_H

#include "machine/machine.h"

/* The record and all it points to live in `arena`. NULL and err set when spec is wrong. */
struct machine *machine_read(struct arena *arena, const char *spec, struct err *err);

/*
 * Changes one cost of a machine read before: "line_llc_ns=70", "line_distance.12=160",
 * "idle.C6.exit_latency_ns=1000", or a factor "line_llc_ns*2" (up to six decimals, rounded half
 * up). The source becomes "--set". On error the machine is as it was.
 */
bool machine_set(struct arena *arena, struct machine *m, const char *assignment, struct err *err);

/* machine_read() and then every change of `set`, in order; an error names --set. */
struct machine *machine_read_changed(struct arena *arena, const char *spec, const char *const *set,
				     uint32_t nr_sets, struct err *err);

/* Presets, in the order of their names. */
uint32_t machine_nr_presets(void);
const char *machine_preset_name(uint32_t i);
const char *machine_preset_title(uint32_t i);

/* The record as JSON text in the documented schema; reading it gives the same record. */
char *machine_to_json(struct arena *arena, const struct machine *m);

/*
 * The machine's cpus, cores, clusters, LLCs, dies, packages and nodes as an hwloc synthetic string
 * ("pack:2 numa:1 l3:1 core:24 pu:2(indexes=2*24:48*2:1*2)"), which machine_read() reads as the
 * same ones. Names, architecture and costs are not in it. NULL and err when there is no such
 * string: the machine is not regular, or has offline cpus, capacities, nodes without cpus, or
 * distances other than 20.
 */
char *machine_to_synthetic(struct arena *arena, const struct machine *m, struct err *err);

#endif
