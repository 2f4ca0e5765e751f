// Reports of a guest program to the runner: one line per event on standard output, "@gpuvm {...}".
// The runner knows these events: note, check, moved, measured, progress, expect-log, skipped. See
// docs/real-guests.md.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Reports text for the user that belongs to no check.
void report_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Reports the result of one check. The run fails if a check is not ok.
void report_check(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Reports the comparison of data: first_wrong is the offset of the first wrong byte, or -1.
void report_data(int64_t first_wrong, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Reports the minimum number of bytes that an engine of the GPU copied, which the runner compares
// with the device's counters. Engines: "M2MF", "COPY0", "COPY1", or "ANY" if the driver chose the
// engine.
void report_moved(const char *engine, uint64_t bytes);

// Reports a figure for calculations of the runner.
void report_measured(const char *name, double value);

// Reports progress, and its time by the guest's monotonic clock.
void report_progress(const char *name, uint64_t count, uint64_t ms);

// Requires a line in the kernel log of this phase that matches this regular expression.
void report_expected_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Reports that a test was not possible, for a reason that is not an error.
void report_skipped(const char *what, const char *reason);

// Returns the exit status of the program: 0 if every check was ok.
int report_status(void);

// Ends the program immediately after an error that prevents further tests.
_Noreturn void report_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Prints text as the content of a JSON string.
void print_json_text(const char *text);
