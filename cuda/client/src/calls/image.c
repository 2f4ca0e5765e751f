#define _POSIX_C_SOURCE 200809L

#include "image.h"

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "session.h"

/* Wrapper that nvcc puts around a fatbin in a program: magic, version, address of the fatbin. */
#define WRAPPER_MAGIC "\xb1\x43\x62\x46"
#define WRAPPER_DATA 8

/* Header of a fatbin: magic, version, bytes of the header (u16), bytes after the header (u64). */
#define FATBIN_MAGIC "\x50\xed\x55\xba"
#define FATBIN_HEADER_BYTES 6
#define FATBIN_CONTENT_BYTES 8
#define FATBIN_MIN_HEADER 16

/* Returns whether bytes begin with a magic number; reads no byte after the first one that differs. */
static bool begins_with(const unsigned char *bytes, const char *magic)
{
    while (*magic != '\0' && *bytes == (unsigned char)*magic) {
        bytes++;
        magic++;
    }
    return *magic == '\0';
}

/* Raises *end to the end of a part of the file. Returns false if the part is beyond the limit. */
static bool include(uint64_t *end, uint64_t offset, uint64_t length)
{
    if (offset > GPUVM_IMAGE_MAX_BYTES || length > GPUVM_IMAGE_MAX_BYTES - offset)
        return false;
    if (offset + length > *end)
        *end = offset + length;
    return true;
}

static bool include_sections(const unsigned char *start, const Elf64_Ehdr *header, uint64_t *end)
{
    for (uint32_t i = 0; i < header->e_shnum; i++) {
        Elf64_Shdr section;
        memcpy(&section, start + header->e_shoff + i * sizeof section, sizeof section);
        if (section.sh_type != SHT_NOBITS && !include(end, section.sh_offset, section.sh_size))
            return false;
    }
    return true;
}

static bool include_segments(const unsigned char *start, const Elf64_Ehdr *header, uint64_t *end)
{
    for (uint32_t i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr segment;
        memcpy(&segment, start + header->e_phoff + i * sizeof segment, sizeof segment);
        if (!include(end, segment.p_offset, segment.p_filesz))
            return false;
    }
    return true;
}

/* Length of an ELF file: the end of its last part. 0 if the file is invalid. */
static size_t elf_length(const unsigned char *start)
{
    Elf64_Ehdr header;
    memcpy(&header, start, sizeof header);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return 0;
    uint64_t end = sizeof header;
    if (header.e_shnum != 0 &&
        (header.e_shentsize != sizeof(Elf64_Shdr) ||
         !include(&end, header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr))))
        return 0;
    if (header.e_phnum != 0 &&
        (header.e_phentsize != sizeof(Elf64_Phdr) ||
         !include(&end, header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr))))
        return 0;
    if (!include_sections(start, &header, &end) || !include_segments(start, &header, &end))
        return 0;
    return end;
}

static size_t fatbin_length(const unsigned char *start)
{
    uint16_t header;
    uint64_t content;
    memcpy(&header, start + FATBIN_HEADER_BYTES, sizeof header);
    memcpy(&content, start + FATBIN_CONTENT_BYTES, sizeof content);
    if (header < FATBIN_MIN_HEADER || content > GPUVM_IMAGE_MAX_BYTES - header)
        return 0;
    return header + content;
}

/* Returns whether the text begins as PTX does: with a comment or a directive, after white space. */
static bool is_ptx(const char *text)
{
    text += strspn(text, " \t\r\n");
    const unsigned char *bytes = (const unsigned char *)text;
    return begins_with(bytes, "//") || begins_with(bytes, "/*") || begins_with(bytes, ".version");
}

CUresult gpuvm_image_find(const void *start, struct gpuvm_image *image)
{
    const unsigned char *bytes = start;
    if (is_ptx(start)) {
        *image = (struct gpuvm_image){
            .bytes = bytes, .length = strnlen(start, GPUVM_IMAGE_MAX_BYTES + 1), .is_ptx = true};
        if (image->length <= GPUVM_IMAGE_MAX_BYTES)
            return CUDA_SUCCESS;
        gpuvm_explain("bytes of PTX > %zu, limit=%zu", GPUVM_IMAGE_MAX_BYTES, GPUVM_IMAGE_MAX_BYTES);
        return CUDA_ERROR_INVALID_IMAGE;
    }
    if (begins_with(bytes, WRAPPER_MAGIC)) {
        const unsigned char *data;
        memcpy(&data, bytes + WRAPPER_DATA, sizeof data);
        if (data == NULL)
            return CUDA_ERROR_INVALID_IMAGE;
        bytes = data;
    }
    *image = (struct gpuvm_image){.bytes = bytes};
    if (begins_with(bytes, ELFMAG))
        image->length = elf_length(bytes);
    else if (begins_with(bytes, FATBIN_MAGIC))
        image->length = fatbin_length(bytes);
    if (image->length != 0)
        return CUDA_SUCCESS;
    gpuvm_explain("image begins with byte %#x, expected PTX, a 64-bit ELF file or a fatbin of at most %zu bytes", bytes[0],
        GPUVM_IMAGE_MAX_BYTES);
    return CUDA_ERROR_INVALID_IMAGE;
}

/* Reads a whole file and puts zeros after it, so that its header is complete whatever its length is. Null if it cannot be read. */
static unsigned char *read_file(const char *file, size_t *length)
{
    FILE *stream = fopen(file, "rbe");
    if (stream == NULL)
        return NULL;
    struct stat status;
    unsigned char *content = NULL;
    if (fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= (off_t)GPUVM_IMAGE_MAX_BYTES) {
        *length = (size_t)status.st_size;
        content = calloc(1, *length + sizeof(Elf64_Ehdr));
    }
    if (content != NULL && fread(content, 1, *length, stream) != *length) {
        free(content);
        content = NULL;
    }
    fclose(stream);
    return content;
}

/* Returns whether the tables of an ELF file are inside the file, so that finding its end reads nothing else. */
static bool has_tables(const unsigned char *content, size_t length)
{
    Elf64_Ehdr header;
    memcpy(&header, content, sizeof header);
    if (!begins_with(content, ELFMAG))
        return true;
    return header.e_shoff <= length && header.e_shnum * sizeof(Elf64_Shdr) <= length - header.e_shoff &&
        header.e_phoff <= length && header.e_phnum * sizeof(Elf64_Phdr) <= length - header.e_phoff;
}

/* Finds the image in memory of a known length, after which zeros follow. */
static CUresult find_in(const unsigned char *content, size_t length, struct gpuvm_image *image)
{
    if (begins_with(content, WRAPPER_MAGIC) || !has_tables(content, length))
        return CUDA_ERROR_INVALID_IMAGE;
    CUresult outcome = gpuvm_image_find(content, image);
    if (outcome == CUDA_SUCCESS && image->length > length) {
        gpuvm_explain("image bytes=%zu, expected %zu", length, image->length);
        return CUDA_ERROR_INVALID_IMAGE;
    }
    return outcome;
}

CUresult gpuvm_image_copy(const void *start, size_t length, void **memory, struct gpuvm_image *image)
{
    if (length > GPUVM_IMAGE_MAX_BYTES) {
        gpuvm_explain("image bytes=%zu, limit=%zu", length, GPUVM_IMAGE_MAX_BYTES);
        return CUDA_ERROR_INVALID_IMAGE;
    }
    unsigned char *content = calloc(1, length + sizeof(Elf64_Ehdr));
    if (content == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (length != 0)
        memcpy(content, start, length);
    CUresult outcome = find_in(content, length, image);
    if (outcome == CUDA_SUCCESS)
        *memory = content;
    else
        free(content);
    return outcome;
}

CUresult gpuvm_image_read(const char *file, void **memory, struct gpuvm_image *image)
{
    size_t length = 0;
    unsigned char *content = read_file(file, &length);
    if (content == NULL) {
        gpuvm_explain("file=%s, expected a readable file of at most %zu bytes", file, GPUVM_IMAGE_MAX_BYTES);
        return CUDA_ERROR_FILE_NOT_FOUND;
    }
    CUresult outcome = find_in(content, length, image);
    if (outcome == CUDA_SUCCESS)
        *memory = content;
    else
        free(content);
    return outcome;
}
