/* SPDX-License-Identifier: GPL-2.0-only */
/* Which build of the program this is: the linker's build id, or 0 when the linker wrote none. */
#ifndef LAB_BUILD_ID_H
#define LAB_BUILD_ID_H

#include <stdint.h>

uint64_t build_id(void);

#endif
