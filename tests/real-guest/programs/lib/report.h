// What a guest program tells the runner: one line per event on standard output, "@gpuvm {...}".
// The runner knows these events: note, check, moved, measured, progress, expect-log, skipped. See
// docs/real-guests.md.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Text that belongs to no check, for whoever reads the output.
void report_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// The result of one check. The run fails when any is not ok.
void report_check(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same for data that was compared: first_wrong is the offset of the first wrong byte, or -1.
void report_data(int64_t first_wrong, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// At least so many bytes must have been copied by an engine of the GPU, which the runner compares
// with the device's own counters. Engines: "M2MF", "COPY0", "COPY1", or "ANY" for the driver's own
// choice.
void report_moved(const char *engine, uint64_t bytes);

// A figure, for the runner to calculate with.
void report_measured(const char *name, double value);

// How much of something has been done so far, and when: the guest's monotonic clock.
void report_progress(const char *name, uint64_t count, uint64_t ms);

// The kernel log of this phase must hold a line that matches this regular expression.
void report_expected_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Something could not be tested, for a reason that is no error.
void report_skipped(const char *what, const char *reason);

// Ends the program: 0 when every check was ok.
int report_status(void);

// Ends the program at once after something that leaves no sense in going on.
_Noreturn void report_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Prints text as the inside of a JSON string.
void print_json_text(const char *text);
