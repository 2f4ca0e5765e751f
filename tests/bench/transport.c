/*
 * transport.c - overhead of a vfio-user server over the UNIX socket beneath it.
 *
 * In each round the same client code measures, one after the other, a raw partner (a child process
 * that only answers messages of the same sizes) and a vfio-user server:
 *
 *   read    a REGION_READ of 4 bytes and its reply: 32 bytes there, 36 back
 *   posted  REGION_WRITEs of 4 bytes without a reply, one send() each, followed by one read;
 *           the raw partner receives them in chunks of 64 KiB
 *
 * The result is the median over all rounds of the ratio server / raw, because absolute times on a
 * shared machine mean little. Run with --help for the options.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* vfio-user specification: message header and the commands used here. */
enum { CMD_VERSION = 1, CMD_REGION_READ = 9, CMD_REGION_WRITE = 10 };
enum { FLAG_REPLY = 0x1, FLAG_NO_REPLY = 0x10, FLAG_ERROR = 0x20 };

struct header {
    uint16_t id, command;
    uint32_t size, flags, error;
};

struct access {
    struct header header;
    uint64_t offset;
    uint32_t region, count;
};

struct access4 {
    struct access access;
    uint32_t data;
};

enum { READ_REQUEST = sizeof(struct access), READ_REPLY = 36, WRITE_REQUEST = 36, CHUNK = 65536 };

static struct {
    const char *socket_path;
    long rounds, reads, posted;
    uint32_t region;
    uint64_t read_offset, write_offset;
    bool busy;
} options = {
    .rounds = 11, .reads = 20000, .posted = 100000, .region = 0, .read_offset = 0, .write_offset = 0x9200,
};

static uint16_t next_id;

static void die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("transport: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void send_all(int fd, const void *message, size_t size)
{
    if (send(fd, message, size, MSG_NOSIGNAL) != (ssize_t)size)
        die("send: %s", strerror(errno));
}

/* Receives at least one byte; 0 if the peer has closed the connection. */
static size_t receive_some(int fd, void *buffer, size_t size)
{
    for (;;) {
        ssize_t got = recv(fd, buffer, size, options.busy ? MSG_DONTWAIT : 0);
        if (got >= 0)
            return (size_t)got;
        if (errno != EAGAIN && errno != EINTR)
            die("recv: %s", strerror(errno));
    }
}

static void receive_all(int fd, void *buffer, size_t size)
{
    for (size_t have = 0; have < size;) {
        size_t got = receive_some(fd, (char *)buffer + have, size - have);
        if (got == 0)
            die("the peer closed the connection");
        have += got;
    }
}

/* Raw partner: replies of 36 bytes to requests of 32; receives a stream of 36-byte messages of
 * which the last one is 32 bytes long. A byte count announces each phase. */
static void serve_raw(int fd)
{
    static char buffer[CHUNK];
    uint64_t stream_bytes;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
        /* Sleeps between phases even if it polls inside them: the server needs the CPU then. */
        if (recv(fd, &stream_bytes, sizeof stream_bytes, 0) != sizeof stream_bytes)
            _exit(0);
        if (stream_bytes == 0) { /* round trips, until a message of size 0 in its header */
            for (;;) {
                receive_all(fd, buffer, READ_REQUEST);
                if (((struct header *)buffer)->size == 0)
                    break;
                send_all(fd, buffer, READ_REPLY);
            }
            continue;
        }
        for (uint64_t have = 0; have < stream_bytes;) {
            size_t got = receive_some(fd, buffer, sizeof buffer);
            if (got == 0)
                _exit(0);
            have += got;
        }
        send_all(fd, buffer, READ_REPLY);
    }
}

static int start_raw(void)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        die("socketpair: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0)
        die("fork: %s", strerror(errno));
    if (child == 0) {
        close(pair[0]);
        serve_raw(pair[1]);
    }
    close(pair[1]);
    return pair[0];
}

static int connect_server(void)
{
    static const char capabilities[] =
        "{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":1048576,\"write_multiple\":true}}";
    struct {
        struct header header;
        uint16_t major, minor;
        char json[sizeof capabilities];
    } __attribute__((packed)) version = { .header = { .command = CMD_VERSION, .size = sizeof version } };
    struct sockaddr_un name = { .sun_family = AF_UNIX };
    char reply[512];
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (strlen(options.socket_path) >= sizeof name.sun_path)
        die("%s: path too long", options.socket_path);
    strcpy(name.sun_path, options.socket_path);
    if (fd < 0 || connect(fd, (struct sockaddr *)&name, sizeof name))
        die("%s: %s", options.socket_path, strerror(errno));
    memcpy(version.json, capabilities, sizeof capabilities);
    send_all(fd, &version, sizeof version);
    receive_all(fd, reply, sizeof(struct header));
    struct header *header = (struct header *)reply;
    if (header->size < sizeof *header || header->size > sizeof reply || header->flags & FLAG_ERROR)
        die("the server refused the version: error=%u", header->error);
    receive_all(fd, reply + sizeof *header, header->size - sizeof *header);
    return fd;
}

static struct access read_request(void)
{
    return (struct access){
        .header = { next_id++, CMD_REGION_READ, READ_REQUEST, 0, 0 },
        .offset = options.read_offset,
        .region = options.region,
        .count = 4,
    };
}

static void read_once(int fd)
{
    char reply[READ_REPLY];
    struct access request = read_request();
    send_all(fd, &request, sizeof request);
    receive_all(fd, reply, sizeof reply);
}

static int compare_double(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, long count)
{
    qsort(values, (size_t)count, sizeof *values, compare_double);
    return values[count / 2];
}

/* Median time of a round trip in nanoseconds. */
static double measure_reads(int fd, bool raw)
{
    double *samples = malloc((size_t)options.reads * sizeof *samples);
    uint64_t phase = 0;
    if (!samples)
        die("out of memory");
    if (raw)
        send_all(fd, &phase, sizeof phase);
    for (long i = 0; i < options.reads; i++) {
        uint64_t start = now_ns();
        read_once(fd);
        samples[i] = (double)(now_ns() - start);
    }
    if (raw) {
        struct access end = { .header = { .size = 0 } };
        send_all(fd, &end, sizeof end);
    }
    double result = median(samples, options.reads);
    free(samples);
    return result;
}

/* Time per posted write in nanoseconds, including the final read. */
static double measure_posted(int fd, bool raw)
{
    struct access4 write = {
        .access = {
            .header = { 0, CMD_REGION_WRITE, WRITE_REQUEST, FLAG_NO_REPLY, 0 },
            .offset = options.write_offset,
            .region = options.region,
            .count = 4,
        },
        .data = 0x5a5a5a5a,
    };
    uint64_t phase = (uint64_t)options.posted * WRITE_REQUEST + READ_REQUEST;
    if (raw)
        send_all(fd, &phase, sizeof phase);
    uint64_t start = now_ns();
    for (long i = 0; i < options.posted; i++) {
        write.access.header.id = next_id++;
        send_all(fd, &write, WRITE_REQUEST);
    }
    read_once(fd);
    return (double)(now_ns() - start) / (double)options.posted;
}

/* Opens a connection for each measurement, because a polling server polls while it has a
 * client, and would disturb the raw pair. */
static double with_server(double measure(int fd, bool raw))
{
    int fd = connect_server();
    for (int i = 0; i < 200; i++)
        read_once(fd);
    double result = measure(fd, false);
    close(fd);
    return result;
}

static long number(const char *text, long least)
{
    char *end;
    long value = strtol(text, &end, 0);
    if (*end || value < least)
        die("'%s', expected a number of at least %ld", text, least);
    return value;
}

static void parse(int argc, char **argv)
{
    static const struct option known[] = {
        { "rounds", required_argument, 0, 'n' },  { "reads", required_argument, 0, 'r' },
        { "posted", required_argument, 0, 'p' },  { "region", required_argument, 0, 'R' },
        { "read-offset", required_argument, 0, 'o' }, { "write-offset", required_argument, 0, 'w' },
        { "busy", no_argument, 0, 'b' },          { "help", no_argument, 0, 'h' },
        { 0 },
    };
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (option) {
        case 'n': options.rounds = number(optarg, 1); break;
        case 'r': options.reads = number(optarg, 100); break;
        case 'p': options.posted = number(optarg, 100); break;
        case 'R': options.region = (uint32_t)number(optarg, 0); break;
        case 'o': options.read_offset = (uint64_t)number(optarg, 0); break;
        case 'w': options.write_offset = (uint64_t)number(optarg, 0); break;
        case 'b': options.busy = true; break;
        default:
            fprintf(stderr,
                    "usage: transport [OPTION]... SOCKET\n"
                    "  --rounds N        interleaved rounds (default 11)\n"
                    "  --reads N         round trips per round (default 20000)\n"
                    "  --posted N        posted writes per round (default 100000)\n"
                    "  --region N        region to access (default 0)\n"
                    "  --read-offset N   register to read (default 0)\n"
                    "  --write-offset N  register to write (default 0x9200)\n"
                    "  --busy            poll instead of blocking, on both sides of the raw pair\n");
            exit(option == 'h' ? 0 : 2);
        }
    }
    if (optind != argc - 1)
        die("exactly one SOCKET is needed; see --help");
    options.socket_path = argv[optind];
}

int main(int argc, char **argv)
{
    parse(argc, argv);
    int raw = start_raw();
    double read_ratio[options.rounds], posted_ratio[options.rounds];
    double read_raw[options.rounds], read_server[options.rounds];
    double posted_raw[options.rounds], posted_server[options.rounds];

    for (int warm = 0; warm < 3; warm++) { /* the server's JIT compiler */
        with_server(measure_reads);
        with_server(measure_posted);
    }
    printf("%5s  %10s %10s %6s  %10s %10s %6s\n", "round", "raw read", "server", "ratio", "raw post", "server", "ratio");
    for (long i = 0; i < options.rounds; i++) {
        read_raw[i] = measure_reads(raw, true);
        read_server[i] = with_server(measure_reads);
        posted_raw[i] = measure_posted(raw, true);
        posted_server[i] = with_server(measure_posted);
        read_ratio[i] = read_server[i] / read_raw[i];
        posted_ratio[i] = posted_server[i] / posted_raw[i];
        printf("%5ld  %7.0f ns %7.0f ns %6.3f  %7.1f ns %7.1f ns %6.3f\n", i + 1, read_raw[i], read_server[i],
               read_ratio[i], posted_raw[i], posted_server[i], posted_ratio[i]);
        fflush(stdout);
    }
    printf("{\"receive\":\"%s\",\"rounds\":%ld,"
           "\"read\":{\"rawNs\":%.0f,\"serverNs\":%.0f,\"ratioMedian\":%.3f},"
           "\"posted\":{\"rawNs\":%.1f,\"serverNs\":%.1f,\"ratioMedian\":%.3f}}\n",
           options.busy ? "busy" : "block", options.rounds, median(read_raw, options.rounds),
           median(read_server, options.rounds), median(read_ratio, options.rounds),
           median(posted_raw, options.rounds), median(posted_server, options.rounds),
           median(posted_ratio, options.rounds));
    return 0;
}
