#include "report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int failed_checks;

void print_json_text(const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\') {
            printf("\\%c", *c);
        } else if (*c < ' ') {
            printf("\\u%04x", *c);
        } else {
            putchar(*c);
        }
    }
}

// Prints an event with formatted and escaped text; extra has further members, or is empty.
static void print_event(const char *event, const char *extra, const char *format, va_list values) {
    char text[1024];
    vsnprintf(text, sizeof text, format, values);
    printf("@gpuvm {\"event\":\"%s\"%s,\"text\":\"", event, extra);
    print_json_text(text);
    printf("\"}\n");
    fflush(stdout);
}

void report_note(const char *format, ...) {
    va_list values;
    va_start(values, format);
    print_event("note", "", format, values);
    va_end(values);
}

void report_check(bool ok, const char *format, ...) {
    va_list values;
    va_start(values, format);
    print_event("check", ok ? ",\"ok\":true" : ",\"ok\":false", format, values);
    va_end(values);
    failed_checks += !ok;
}

void report_data(int64_t first_wrong, const char *format, ...) {
    char what[512];
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof what, format, values);
    va_end(values);
    if (first_wrong < 0) {
        report_check(true, "%s: every byte is right", what);
    } else {
        report_check(false, "%s: byte %" PRId64 " is wrong", what, first_wrong);
    }
}

void report_moved(const char *engine, uint64_t bytes) {
    printf("@gpuvm {\"event\":\"moved\",\"engine\":\"%s\",\"bytes\":%" PRIu64 "}\n", engine, bytes);
    fflush(stdout);
}

void report_measured(const char *name, double value) {
    printf("@gpuvm {\"event\":\"measured\",\"name\":\"%s\",\"value\":%.3f}\n", name, value);
    fflush(stdout);
}

void report_progress(const char *name, uint64_t count, uint64_t ms) {
    printf("@gpuvm {\"event\":\"progress\",\"name\":\"%s\",\"count\":%" PRIu64 ",\"ms\":%" PRIu64
           "}\n",
           name, count, ms);
    fflush(stdout);
}

void report_expected_log(const char *format, ...) {
    va_list values;
    va_start(values, format);
    print_event("expect-log", "", format, values);
    va_end(values);
}

void report_skipped(const char *what, const char *reason) {
    printf("@gpuvm {\"event\":\"skipped\",\"what\":\"%s\",\"reason\":\"%s\"}\n", what, reason);
    fflush(stdout);
}

int report_status(void) {
    return failed_checks ? EXIT_FAILURE : EXIT_SUCCESS;
}

void report_fatal(const char *format, ...) {
    va_list values;
    va_start(values, format);
    print_event("check", ",\"ok\":false", format, values);
    va_end(values);
    exit(EXIT_FAILURE);
}
