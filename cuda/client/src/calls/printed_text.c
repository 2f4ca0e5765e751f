#define _POSIX_C_SOURCE 200809L

#include "printed_text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

enum {
    USED = 0,
    DROPPED = 4,
    RECORD_BYTES = 0,
    RECORD_FORMAT_BYTES = 4,
    RECORD_HEADER_BYTES = 8,
    UNIT = 8
};

/* Greatest width and precision of a conversion: larger ones would need few bytes in a format and much output. */
#define MAX_WIDTH 4096

/* Longest conversion that is passed to fprintf: percent sign, flags, width, precision, length, letter. */
#define CONVERSION_BYTES 24

static uint32_t read_u32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

size_t gpuvm_printf_used(const uint8_t *header)
{
    uint32_t used = read_u32(header + USED);
    return GPUVM_PRINTF_HEADER_BYTES + (size_t)(used < GPUVM_PRINTF_CAPACITY ? used : GPUVM_PRINTF_CAPACITY);
}

uint32_t gpuvm_printf_dropped(const uint8_t *header)
{
    return read_u32(header + DROPPED);
}

/* Arguments of a record, in order. */
struct arguments {
    const uint8_t *record;
    size_t bytes;
    size_t at;
};

/* Bits of the next argument; 0 if there is no other. */
static uint64_t next(struct arguments *arguments)
{
    uint64_t bits = 0;
    if (arguments->bytes >= sizeof bits && arguments->at <= arguments->bytes - sizeof bits) {
        memcpy(&bits, arguments->record + arguments->at, sizeof bits);
        arguments->at += sizeof bits;
    }
    return bits;
}

/* Conversion under way. */
struct conversion {
    char flags[8];
    int width;
    int precision; /* -1 if there is none */
    int longs;     /* 0: 32 bits; above: 64 bits; below: halves of them */
};

/* Reads a width or precision at *format: digits, or an asterisk for the next argument. */
static int read_number(const char **format, struct arguments *arguments)
{
    int value = 0;
    if (**format == '*') {
        (*format)++;
        value = (int)next(arguments);
        return value < -MAX_WIDTH ? -MAX_WIDTH : value > MAX_WIDTH ? MAX_WIDTH : value;
    }
    for (; **format >= '0' && **format <= '9'; (*format)++) {
        value = 10 * value + (**format - '0');
        value = value > MAX_WIDTH ? MAX_WIDTH : value;
    }
    return value;
}

/* Reads flags, width, precision and length; *format is at the letter afterwards. */
static struct conversion read_conversion(const char **format, struct arguments *arguments)
{
    struct conversion read = {.flags = "", .precision = -1};
    size_t count = 0;
    for (; **format != '\0' && strchr("-+ #0", **format) != NULL; (*format)++)
        if (strchr(read.flags, **format) == NULL && count < sizeof read.flags - 1)
            read.flags[count++] = **format;
    read.width = read_number(format, arguments);
    if (**format == '.') {
        (*format)++;
        read.precision = read_number(format, arguments);
    }
    for (; **format != '\0' && strchr("hljztLq", **format) != NULL; (*format)++)
        read.longs += **format == 'h' ? -1 : 1;
    return read;
}

/* Makes a conversion for fprintf, with the width as an argument, and the precision if there is one. */
static void make(char *made, const struct conversion *conversion, const char *length, char letter)
{
    snprintf(made, CONVERSION_BYTES, "%%%s*%s%s%c", conversion->flags, conversion->precision >= 0 ? ".*" : "", length, letter);
}

#define WRITE(out, made, conversion, value) \
    ((conversion)->precision >= 0 ? fprintf(out, made, (conversion)->width, (conversion)->precision, value) \
                                  : fprintf(out, made, (conversion)->width, value))

static void write_integer(FILE *out, const struct conversion *conversion, char letter, uint64_t bits)
{
    bool is_signed = letter == 'd' || letter == 'i';
    long long value = (long long)bits;
    if (conversion->longs == 0)
        value = is_signed ? (int32_t)bits : (long long)(uint32_t)bits;
    else if (conversion->longs == -1)
        value = is_signed ? (int16_t)bits : (long long)(uint16_t)bits;
    else if (conversion->longs < -1)
        value = is_signed ? (int8_t)bits : (long long)(uint8_t)bits;
    char made[CONVERSION_BYTES];
    make(made, conversion, "ll", letter);
    WRITE(out, made, conversion, value);
}

static void write_string(FILE *out, const struct conversion *conversion, const struct arguments *arguments, uint64_t offset)
{
    const char *text = "(null)";
    struct conversion bounded = *conversion;
    if (offset != 0) {
        size_t room = offset < arguments->bytes ? arguments->bytes - (size_t)offset : 0;
        text = room > 0 ? (const char *)arguments->record + offset : "";
        int length = (int)strnlen(text, room);
        if (bounded.precision < 0 || bounded.precision > length)
            bounded.precision = length;
    }
    char made[CONVERSION_BYTES];
    make(made, &bounded, "", 's');
    WRITE(out, made, &bounded, text);
}

static void write_double(FILE *out, const struct conversion *conversion, char letter, uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    char made[CONVERSION_BYTES];
    make(made, conversion, "", letter);
    WRITE(out, made, conversion, value);
}

/* Writes the conversion behind a percent sign. Returns the rest of the format. */
static const char *write_conversion(FILE *out, const char *percent, struct arguments *arguments)
{
    const char *format = percent + 1;
    struct conversion conversion = read_conversion(&format, arguments);
    char letter = *format;
    if (letter == '\0') {
        fputs(percent, out);
        return format;
    }
    format++;
    if (letter == '%') {
        fputc('%', out);
    } else if (strchr("diuxXo", letter) != NULL) {
        write_integer(out, &conversion, letter, next(arguments));
    } else if (letter == 'c') {
        char made[CONVERSION_BYTES];
        conversion.precision = -1;
        make(made, &conversion, "", letter);
        WRITE(out, made, &conversion, (int)next(arguments));
    } else if (letter == 's') {
        write_string(out, &conversion, arguments, next(arguments));
    } else if (letter == 'p') {
        char pointer[CONVERSION_BYTES];
        snprintf(pointer, sizeof pointer, "0x%" PRIx64, next(arguments));
        fprintf(out, strchr(conversion.flags, '-') != NULL ? "%-*s" : "%*s", conversion.width, pointer);
    } else if (letter == 'n') {
        next(arguments);
    } else if (strchr("eEfFgGaA", letter) != NULL) {
        write_double(out, &conversion, letter, next(arguments));
    } else {
        fwrite(percent, 1, (size_t)(format - percent), out);
    }
    return format;
}

static void write_record(FILE *out, const uint8_t *record, size_t bytes)
{
    size_t format_bytes = read_u32(record + RECORD_FORMAT_BYTES);
    if (format_bytes == 0 || format_bytes > bytes - RECORD_HEADER_BYTES || record[RECORD_HEADER_BYTES + format_bytes - 1] != '\0')
        return;
    size_t first = RECORD_HEADER_BYTES + ((format_bytes + UNIT - 1) & ~(size_t)(UNIT - 1));
    struct arguments arguments = {record, bytes, first};
    const char *format = (const char *)record + RECORD_HEADER_BYTES;
    while (*format != '\0') {
        size_t text = strcspn(format, "%");
        fwrite(format, 1, text, out);
        format += text;
        if (*format == '%')
            format = write_conversion(out, format, &arguments);
    }
}

void gpuvm_printf_write(FILE *out, const uint8_t *buffer, size_t bytes)
{
    size_t at = GPUVM_PRINTF_HEADER_BYTES;
    while (bytes >= RECORD_HEADER_BYTES && at <= bytes - RECORD_HEADER_BYTES) {
        size_t record_bytes = read_u32(buffer + at + RECORD_BYTES);
        if (record_bytes < RECORD_HEADER_BYTES || record_bytes % UNIT != 0 || record_bytes > bytes - at)
            break;
        write_record(out, buffer + at, record_bytes);
        at += record_bytes;
    }
}
