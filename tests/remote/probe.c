/*
 * Measures a line of TCP: its rate in each direction, and its round-trip time.
 *
 *   probe serve                   accepts connections on 127.0.0.1; the line `port=N` on standard output names the port
 *   probe rate PORT out|in MS     sends or receives for the given time, and prints the rate in Mbit/s (10^6 bits/s) at the receiver
 *   probe trip PORT COUNT         sends a byte and waits for its echo COUNT times, and prints the median in microseconds
 *
 * PORT is that of the server, or of a line to it. The rate is measured at the receiver after a fifth of the time, in which buffers fill.
 */
#define _GNU_SOURCE

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CHUNK_BYTES ((size_t)256 << 10)
#define NS_PER_SECOND 1000000000ull
#define NS_PER_MS 1000000ull

enum { MOST_MS = 60000, MOST_TRIPS = 100000 };

/* First byte of a connection, which says what the server does. */
enum order { SINK = 'S', SOURCE = 'G', ECHO = 'E' };

static char chunk[CHUNK_BYTES];

_Noreturn static void fail(const char *what)
{
    fprintf(stderr, "probe: %s: %s\n", what, strerror(errno));
    exit(1);
}

_Noreturn static void usage(void)
{
    fprintf(stderr, "usage: probe serve | rate PORT out|in MS | trip PORT COUNT\n");
    exit(2);
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
}

static void send_all(int to, const void *bytes, size_t count)
{
    for (const char *at = bytes; count > 0;) {
        ssize_t put = send(to, at, count, MSG_NOSIGNAL);
        if (put < 0)
            fail("send");
        at += put;
        count -= (size_t)put;
    }
}

static void receive_all(int from, void *bytes, size_t count)
{
    for (char *at = bytes; count > 0;) {
        ssize_t got = recv(from, at, count, 0);
        if (got <= 0)
            fail("receive");
        at += got;
        count -= (size_t)got;
    }
}

/* Receives for a time. Returns the rate in Mbit/s. */
static double receive_for(int from, uint64_t ns)
{
    uint64_t start = now(), first = start + ns / 5, begun = 0, counted = 0, at = start;
    while (at < start + ns) {
        ssize_t got = recv(from, chunk, sizeof chunk, 0);
        if (got <= 0)
            fail("receive");
        at = now();
        if (begun != 0)
            counted += (uint64_t)got;
        else if (at >= first)
            begun = at;
    }
    return begun == 0 || at == begun ? 0 : (double)counted * 8e3 / (double)(at - begun);
}

static void serve_one(int peer)
{
    char order;
    uint64_t ns;
    double rate;
    receive_all(peer, &order, sizeof order);
    receive_all(peer, &ns, sizeof ns);
    if (order == SINK) {
        rate = receive_for(peer, ns);
        send_all(peer, &rate, sizeof rate);
        while (recv(peer, chunk, sizeof chunk, 0) > 0)
            ; /* until the peer closes */
    } else if (order == SOURCE) {
        while (send(peer, chunk, sizeof chunk, MSG_NOSIGNAL) > 0)
            ;
    } else {
        char byte;
        while (recv(peer, &byte, 1, 0) == 1)
            send_all(peer, &byte, 1);
    }
}

static struct sockaddr_in loopback(unsigned port)
{
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

_Noreturn static void serve(void)
{
    struct sockaddr_in address = loopback(0);
    socklen_t bytes = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, bytes) != 0 || listen(listener, 8) != 0
        || getsockname(listener, (struct sockaddr *)&address, &bytes) != 0)
        fail("listen");
    printf("port=%u\n", ntohs(address.sin_port));
    fflush(stdout);
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        int peer = accept(listener, NULL, NULL), one = 1;
        if (peer < 0)
            fail("accept");
        setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        pid_t child = fork();
        if (child == 0) {
            serve_one(peer);
            exit(0);
        }
        if (child < 0)
            fail("fork");
        close(peer);
    }
}

static int open_connection(unsigned port, enum order order, uint64_t ns)
{
    struct sockaddr_in address = loopback(port);
    int to = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
    char first = (char)order;
    if (to < 0 || connect(to, (struct sockaddr *)&address, sizeof address) != 0)
        fail("connect");
    setsockopt(to, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    send_all(to, &first, sizeof first);
    send_all(to, &ns, sizeof ns);
    return to;
}

static double rate_out(unsigned port, uint64_t ns)
{
    int to = open_connection(port, SINK, ns);
    double rate;
    for (;;) {
        ssize_t got = recv(to, &rate, sizeof rate, MSG_DONTWAIT);
        if (got == sizeof rate)
            return rate;
        if (got >= 0 || errno != EAGAIN)
            fail("receive");
        send_all(to, chunk, sizeof chunk);
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double trip(unsigned port, size_t count)
{
    static double us[MOST_TRIPS];
    int to = open_connection(port, ECHO, 0);
    char byte = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t start = now();
        send_all(to, &byte, 1);
        receive_all(to, &byte, 1);
        us[i] = (double)(now() - start) / 1e3;
    }
    qsort(us, count, sizeof *us, compare);
    return us[count / 2];
}

static uint64_t number(const char *text, uint64_t least, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < least || value > most) {
        fprintf(stderr, "probe: number=%s, expected %" PRIu64 " to %" PRIu64 "\n", text, least, most);
        exit(2);
    }
    return value;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "serve") == 0)
        serve();
    if (argc < 4)
        usage();
    unsigned port = (unsigned)number(argv[2], 1, UINT16_MAX);
    if (argc == 4 && strcmp(argv[1], "trip") == 0) {
        printf("%.1f\n", trip(port, number(argv[3], 1, MOST_TRIPS)));
    } else if (argc == 5 && strcmp(argv[1], "rate") == 0) {
        uint64_t ns = number(argv[4], 1, MOST_MS) * NS_PER_MS;
        if (strcmp(argv[3], "out") == 0)
            printf("%.0f\n", rate_out(port, ns));
        else if (strcmp(argv[3], "in") == 0)
            printf("%.0f\n", receive_for(open_connection(port, SOURCE, ns), ns));
        else
            usage();
    } else {
        usage();
    }
    return 0;
}
