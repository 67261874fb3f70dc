/* SPDX-License-Identifier: GPL-2.0-only */
#include "engine/kernel/image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, MAX_HEADERS = 16 };

/* Between these an image may lie: above what programs use, below the sign-extended half. */
static const uint64_t LOWEST = 0x10000000, HIGHEST = 0x70000000;

static uint64_t page_down(uint64_t address)
{
	return address & ~(uint64_t)(PAGE - 1);
}

static uint64_t page_up(uint64_t address)
{
	return page_down(address + PAGE - 1);
}

static bool not_an_image(struct err *err, const char *path, const char *why)
{
	return err_set(err, "%s is not a kernel image: %s", path, why);
}

static bool add_segment(struct image *image, const Elf64_Phdr *h, struct err *err)
{
	if (h->p_type != PT_LOAD || !h->p_memsz)
		return true;
	if (image->nr_segments == IMAGE_MAX_SEGMENTS)
		return not_an_image(err, image->path, "too many segments");
	if (h->p_vaddr < LOWEST || h->p_memsz > HIGHEST || h->p_vaddr + h->p_memsz > HIGHEST ||
	    h->p_filesz > h->p_memsz)
		return not_an_image(err, image->path, "a segment lies outside the range of images");
	image->segment[image->nr_segments++] = (struct image_segment){
		h->p_vaddr,
		h->p_memsz,
		h->p_offset,
		h->p_filesz,
	};
	if (h->p_flags & PF_W)
		image->writable_bytes += page_up(h->p_vaddr + h->p_memsz) - page_down(h->p_vaddr);
	return true;
}

static bool read_headers(struct image *image, int fd, struct err *err)
{
	Elf64_Phdr header[MAX_HEADERS];
	Elf64_Ehdr elf;

	if (pread(fd, &elf, sizeof(elf), 0) != sizeof(elf) || memcmp(elf.e_ident, ELFMAG, SELFMAG))
		return not_an_image(err, image->path, "no ELF file");
	if (elf.e_machine != EM_X86_64 || elf.e_type != ET_EXEC ||
	    elf.e_phentsize != sizeof(*header) || elf.e_phnum > MAX_HEADERS)
		return not_an_image(err, image->path, "no static x86-64 program");
	if (pread(fd, header, elf.e_phnum * sizeof(*header), (off_t)elf.e_phoff) !=
	    (ssize_t)(elf.e_phnum * sizeof(*header)))
		return not_an_image(err, image->path, "its headers are cut off");
	for (uint32_t i = 0; i < elf.e_phnum; i++)
		if (!add_segment(image, &header[i], err))
			return false;
	image->entry = elf.e_entry;
	if (!image_contains(image, elf.e_entry))
		return not_an_image(err, image->path, "its entry point lies outside");
	return true;
}

bool image_read(struct image *image, const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool good;

	*image = (struct image){ .path = path };
	if (fd < 0)
		return err_set(err, "cannot read the kernel image %s: %s", path, strerror(errno));
	good = read_headers(image, fd, err);
	close(fd);
	return good;
}

bool image_contains(const struct image *image, uint64_t address)
{
	for (uint32_t i = 0; i < image->nr_segments; i++)
		if (address - image->segment[i].address < image->segment[i].bytes)
			return true;
	return false;
}

bool image_reserve(uint64_t address, uint64_t bytes, struct err *err)
{
	void *want = (void *)(uintptr_t)address; /* NOLINT: a fixed address is the point */
	void *got = mmap(want, bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (got == want) {
		madvise(want, bytes, MADV_HUGEPAGE); /* only speed: it may be refused */
		return true;
	}
	if (got != MAP_FAILED)
		munmap(got, bytes);
	return err_set(err, "cannot map %llu KiB at 0x%llx for a kernel: %s",
		       (unsigned long long)(bytes >> 10), (unsigned long long)address,
		       got == MAP_FAILED ? strerror(errno) : "the address is taken");
}

void image_release(uint64_t address, uint64_t bytes)
{
	if (bytes)
		munmap((void *)(uintptr_t)address, bytes);
}

static bool unload(uint64_t first, uint64_t end, const char *why, struct err *err)
{
	image_release(first, end - first);
	return err_set(err, "cannot load a kernel image: %s", why);
}

static bool map_segment(const struct image_segment *s, int fd, struct err *err)
{
	uint64_t first = page_down(s->address), end = page_up(s->address + s->bytes);
	void *at = (void *)(uintptr_t)first;

	if (!image_reserve(first, end - first, err))
		return false;
	if (pread(fd, (void *)(uintptr_t)s->address, s->file_bytes, (off_t)s->file_offset) !=
	    (ssize_t)s->file_bytes)
		return unload(first, end, "its file is cut off", err);
	if (mprotect(at, end - first, PROT_READ | PROT_WRITE | PROT_EXEC))
		return unload(first, end, strerror(errno), err);
	return true;
}

static void unmap_first(const struct image *image, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct image_segment *s = &image->segment[i];
		uint64_t first = page_down(s->address);

		image_release(first, page_up(s->address + s->bytes) - first);
	}
}

bool image_map(const struct image *image, struct err *err)
{
	int fd = open(image->path, O_RDONLY | O_CLOEXEC);
	uint32_t done = 0;

	if (fd < 0)
		return err_set(err, "cannot read the kernel image %s: %s", image->path,
			       strerror(errno));
	while (done < image->nr_segments && map_segment(&image->segment[done], fd, err))
		done++;
	close(fd);
	if (done < image->nr_segments)
		unmap_first(image, done);
	return done == image->nr_segments;
}

void image_unmap(const struct image *image)
{
	unmap_first(image, image->nr_segments);
}
