// Prints the kernel's log records since the last call, one event per record, with the name of a
// phase (the only argument). Formats: Documentation/ABI/testing/dev-kmsg of Linux.

#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// File with the sequence number of the first record that has not been printed.
#define POSITION_FILE "/run/kernel-log.position"

static uint64_t read_position(void) {
    uint64_t position = 0;
    FILE *file = fopen(POSITION_FILE, "r");
    if (file) {
        if (fscanf(file, "%" SCNu64, &position) != 1) {
            position = 0;
        }
        fclose(file);
    }
    return position;
}

static void write_position(uint64_t position) {
    FILE *file = fopen(POSITION_FILE, "w");
    if (!file || fprintf(file, "%" PRIu64 "\n", position) < 0 || fclose(file)) {
        report_fatal("cannot write " POSITION_FILE ": %s", strerror(errno));
    }
}

// record: "priority,sequence,microseconds,flags;text\n KEY=value\n...". The text holds no control
// characters: the kernel writes them as \xNN.
static void print_record(const char *phase, char *record, uint64_t *position) {
    unsigned priority;
    uint64_t sequence, us;
    char *text = strchr(record, ';');
    if (!text || sscanf(record, "%u,%" SCNu64 ",%" SCNu64, &priority, &sequence, &us) != 3) {
        report_fatal("not a kernel log record: %s", record);
    }
    if (sequence < *position) {
        return;
    }
    *position = sequence + 1;
    text++;
    text[strcspn(text, "\n")] = 0;
    printf("@gpuvm {\"event\":\"log\",\"phase\":\"%s\",\"level\":%u,\"us\":%" PRIu64 ",\"text\":\"",
           phase, priority & 7, us);
    print_json_text(text);
    printf("\"}\n");
}

int main(int argc, char **argv) {
    if (argc != 2) {
        report_fatal("usage: kernel-log PHASE");
    }
    int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
    if (log < 0) {
        report_fatal("/dev/kmsg: %s", strerror(errno));
    }
    uint64_t position = read_position();
    char record[8192];
    for (;;) {
        ssize_t length = read(log, record, sizeof record - 1);
        if (length > 0) {
            record[length] = 0;
            print_record(argv[1], record, &position);
        } else if (length < 0 && errno == EPIPE) {
            // Records were overwritten before they could be read.
            report_check(false, "kernel log records were lost");
        } else {
            break;
        }
    }
    write_position(position);
    return report_status();
}
