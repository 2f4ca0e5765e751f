/*
 * Relay of TCP connections over a simulated line.
 *
 *   relay LISTEN-PORT HOST:PORT [--delay MICROSECONDS] [--rate MBIT] [--breaks SEED,COUNT[,MILLISECONDS[,FIRST-MILLISECONDS]]]
 *
 * Accepts connections on 127.0.0.1, and connects each to HOST:PORT. All connections share a line with the given delay in each direction,
 * and the given rate in each direction (10^6 bits/s; 0: no limit). Port 0 chooses a port, which the line `port=N` on standard output names.
 *
 * With --breaks, the line fails COUNT times, by default 500 ms apart on average, by default from half a second after the first connection on. The
 * seed determines the kind and place of each failure: one connection or all of them, by FIN, by RST, or by silence for up to 10 s, after which
 * it is closed; each after a number of bytes, and thus inside of frames. Each failure is a line `break KIND` on standard output; `breaks=N` is the last.
 *
 * Delays are kept with the kernel's high-resolution timers; the relay copies bytes once in each direction.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_SECOND 1000000000ull
#define NS_PER_MS 1000000ull
#define NS_PER_US 1000ull

enum { MOST_CONNECTIONS = 128, WAYS = 2 };

/* Bytes that are read at once. Smaller than those that a line of 1 Gbit/s transports in 1 ms, so that the rate is even. */
#define CHUNK_BYTES ((size_t)16 << 10)

/* Bytes in flight in each direction of a connection, in addition to those on a line with a limited rate. */
#define QUEUE_BYTES ((size_t)4 << 20)

/* Longest silence of a failed connection. */
#define MOST_SILENCE_NS (10 * NS_PER_SECOND)


/* Failures follow after up to this number of bytes, or at their time if there are fewer. */
#define MOST_BREAK_BYTES 65536u

struct chunk {
    uint64_t due_ns;
    size_t bytes;
    size_t sent;
    struct chunk *next;
    char data[CHUNK_BYTES];
};

/* One direction of a connection. */
struct way {
    struct chunk *first, *last;
    size_t queued;
    bool ended;
    bool closed;
};

enum silence { NOT_SILENT, SILENT };

struct connection {
    int sockets[WAYS];
    struct way ways[WAYS];
    bool connecting;
    enum silence silence;
    uint64_t silent_until_ns;
};

static struct connection *connections[MOST_CONNECTIONS];
static struct chunk *unused;
static uint64_t delay_ns, rate_mbit;
static uint64_t line_free_ns[WAYS];
static size_t queue_limit = QUEUE_BYTES;
static uint64_t random_state;
static unsigned breaks_left, breaks_done;
static uint64_t break_interval_ns = 500 * NS_PER_MS;
/* Time from the first connection to the first failure. */
static uint64_t first_break_ns = 500 * NS_PER_MS;
static uint64_t next_break_ns;
static uint64_t break_bytes;

static void fail(const char *what)
{
    fprintf(stderr, "relay: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void usage(void)
{
    fprintf(stderr, "usage: relay LISTEN-PORT HOST:PORT [--delay MICROSECONDS] [--rate MBIT] [--breaks SEED,COUNT[,MILLISECONDS[,FIRST-MILLISECONDS]]]\n");
    exit(2);
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
}

/* SplitMix64: any seed is good, and so is each bit. */
static uint64_t next_random(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static struct chunk *take_chunk(void)
{
    struct chunk *chunk = unused;
    if (chunk != NULL)
        unused = chunk->next;
    else if ((chunk = malloc(sizeof *chunk)) == NULL)
        fail("memory");
    chunk->next = NULL;
    chunk->sent = 0;
    return chunk;
}

static void give_back(struct chunk *chunk)
{
    chunk->next = unused;
    unused = chunk;
}

static void remove_connection(size_t index)
{
    struct connection *connection = connections[index];
    for (int way = 0; way < WAYS; way++) {
        close(connection->sockets[way]);
        while (connection->ways[way].first != NULL) {
            struct chunk *chunk = connection->ways[way].first;
            connection->ways[way].first = chunk->next;
            give_back(chunk);
        }
    }
    free(connection);
    connections[index] = NULL;
}

/* Ends a connection so that both peers get a reset. */
static void reset_connection(size_t index)
{
    struct linger none = {.l_onoff = 1, .l_linger = 0};
    for (int way = 0; way < WAYS; way++)
        setsockopt(connections[index]->sockets[way], SOL_SOCKET, SO_LINGER, &none, sizeof none);
    remove_connection(index);
}

/* Returns the time at which bytes that arrive now leave the line. */
static uint64_t due(int way, size_t bytes, uint64_t now_ns)
{
    if (rate_mbit == 0)
        return now_ns + delay_ns;
    uint64_t start = line_free_ns[way] > now_ns ? line_free_ns[way] : now_ns;
    line_free_ns[way] = start + bytes * 8 * 1000 / rate_mbit;
    return line_free_ns[way] + delay_ns;
}

/* Reads from a socket into the queue of its direction. Returns false if the connection has failed. */
static bool receive(struct connection *connection, int from, uint64_t now_ns)
{
    struct way *way = &connection->ways[from];
    while (!way->ended && way->queued < queue_limit) {
        struct chunk *chunk = take_chunk();
        ssize_t got = recv(connection->sockets[from], chunk->data, CHUNK_BYTES, MSG_DONTWAIT);
        if (got <= 0) {
            give_back(chunk);
            if (got == 0)
                way->ended = true;
            return got == 0 || errno == EAGAIN || errno == EINTR;
        }
        chunk->bytes = (size_t)got;
        chunk->due_ns = due(from, chunk->bytes, now_ns);
        way->queued += chunk->bytes;
        break_bytes = break_bytes > chunk->bytes ? break_bytes - chunk->bytes : 0;
        if (way->last != NULL && way->first != NULL)
            way->last->next = chunk;
        else
            way->first = chunk;
        way->last = chunk;
    }
    return true;
}

/* Sends the chunks that have left the line. Returns false if the connection has failed. */
static bool deliver(struct connection *connection, int from, uint64_t now_ns)
{
    struct way *way = &connection->ways[from];
    int to = connection->sockets[1 - from];
    while (way->first != NULL && way->first->due_ns <= now_ns) {
        struct chunk *chunk = way->first;
        ssize_t put = send(to, chunk->data + chunk->sent, chunk->bytes - chunk->sent, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (put < 0)
            return errno == EAGAIN || errno == EINTR;
        chunk->sent += (size_t)put;
        way->queued -= (size_t)put;
        if (chunk->sent < chunk->bytes)
            return true;
        way->first = chunk->next;
        give_back(chunk);
    }
    if (way->first == NULL && way->ended && !way->closed) {
        shutdown(to, SHUT_WR);
        way->closed = true;
    }
    return true;
}

static void prepare_socket(int socket)
{
    int one = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
}

static void schedule_break(uint64_t now_ns)
{
    next_break_ns = now_ns + break_interval_ns / 2 + next_random() % break_interval_ns;
    break_bytes = next_random() % MOST_BREAK_BYTES;
}

static void accept_connection(int listener, const struct sockaddr *target, socklen_t target_bytes)
{
    int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (accepted < 0)
        return;
    int out = socket(target->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    size_t index = 0;
    while (index < MOST_CONNECTIONS && connections[index] != NULL)
        index++;
    struct connection *connection = calloc(1, sizeof *connection);
    if (out < 0 || index == MOST_CONNECTIONS || connection == NULL) {
        close(accepted);
        close(out);
        free(connection);
        return;
    }
    prepare_socket(accepted);
    prepare_socket(out);
    connection->sockets[0] = accepted;
    connection->sockets[1] = out;
    connection->connecting = connect(out, target, target_bytes) != 0;
    connections[index] = connection;
    if (next_break_ns == 0)
        schedule_break(now() + first_break_ns);
    if (connection->connecting && errno != EINPROGRESS)
        reset_connection(index);
}

/* Fails one connection, or all. */
static void break_line(uint64_t now_ns)
{
    static const char *const kinds[] = {"end", "reset", "silence"};
    unsigned kind = (unsigned)(next_random() % 3);
    bool all = next_random() % 2 == 0;
    uint64_t chosen = next_random();
    size_t count = 0, number = 0;
    for (size_t i = 0; i < MOST_CONNECTIONS; i++)
        count += connections[i] != NULL && connections[i]->silence == NOT_SILENT;
    if (count == 0)
        return;
    for (size_t i = 0; i < MOST_CONNECTIONS; i++) {
        if (connections[i] == NULL || connections[i]->silence != NOT_SILENT)
            continue;
        if (!all && number++ != chosen % count)
            continue;
        if (kind == 0) {
            remove_connection(i);
        } else if (kind == 1) {
            reset_connection(i);
        } else {
            connections[i]->silence = SILENT;
            connections[i]->silent_until_ns = now_ns + next_random() % MOST_SILENCE_NS;
        }
    }
    printf("break %s of %s\n", kinds[kind], all ? "all" : "one");
    breaks_done++;
    if (--breaks_left == 0)
        printf("breaks=%u\n", breaks_done);
    fflush(stdout);
    schedule_break(now_ns);
}

/* Waits for the next event, at most until the next chunk leaves the line. */
static void await_events(int listener, struct pollfd *polled, uint64_t now_ns)
{
    uint64_t until = UINT64_MAX;
    size_t count = 1;
    polled[0] = (struct pollfd){.fd = listener, .events = POLLIN};
    if (breaks_left > 0 && next_break_ns != 0)
        until = next_break_ns > now_ns ? next_break_ns : now_ns + NS_PER_MS;
    for (size_t i = 0; i < MOST_CONNECTIONS; i++) {
        struct connection *connection = connections[i];
        if (connection == NULL)
            continue;
        if (connection->silence == SILENT) {
            if (connection->silent_until_ns < until)
                until = connection->silent_until_ns;
            continue;
        }
        for (int side = 0; side < WAYS; side++) {
            struct way *in = &connection->ways[side], *out = &connection->ways[1 - side];
            short events = !in->ended && in->queued < queue_limit && !connection->connecting ? POLLIN : 0;
            if (side == 1 && connection->connecting)
                events |= POLLOUT;
            if (out->first != NULL && out->first->due_ns <= now_ns)
                events |= POLLOUT;
            else if (out->first != NULL && out->first->due_ns < until)
                until = out->first->due_ns;
            polled[count++] = (struct pollfd){.fd = connection->sockets[side], .events = events};
        }
    }
    struct timespec timeout = {0};
    if (until != UINT64_MAX && until > now_ns) {
        timeout.tv_sec = (time_t)((until - now_ns) / NS_PER_SECOND);
        timeout.tv_nsec = (long)((until - now_ns) % NS_PER_SECOND);
    }
    if (ppoll(polled, count, until == UINT64_MAX ? NULL : &timeout, NULL) < 0 && errno != EINTR)
        fail("ppoll");
}

static void work(size_t i, uint64_t now_ns)
{
    struct connection *connection = connections[i];
    if (connection->silence == SILENT) {
        if (now_ns >= connection->silent_until_ns)
            remove_connection(i);
        return;
    }
    if (connection->connecting) {
        struct pollfd out = {.fd = connection->sockets[1], .events = POLLOUT};
        int error = 0;
        socklen_t bytes = sizeof error;
        if (poll(&out, 1, 0) <= 0)
            return;
        if (getsockopt(out.fd, SOL_SOCKET, SO_ERROR, &error, &bytes) != 0 || error != 0) {
            reset_connection(i);
            return;
        }
        connection->connecting = false;
    }
    for (int way = 0; way < WAYS; way++) {
        if (!receive(connection, way, now_ns) || !deliver(connection, way, now_ns)) {
            reset_connection(i);
            return;
        }
    }
    if (connection->ways[0].closed && connection->ways[1].closed)
        remove_connection(i);
}

static uint64_t number(const char *text, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value > most) {
        fprintf(stderr, "relay: number=%s, expected 0 to %llu\n", text, (unsigned long long)most);
        exit(2);
    }
    return value;
}

static void parse_breaks(char *text)
{
    char *seed = strsep(&text, ","), *count = strsep(&text, ","), *interval = strsep(&text, ","), *first = strsep(&text, ",");
    if (count == NULL)
        usage();
    random_state = number(seed, UINT64_MAX);
    breaks_left = (unsigned)number(count, 1000000);
    if (interval != NULL)
        break_interval_ns = (number(interval, 1000000) + 1) * NS_PER_MS;
    if (first != NULL)
        first_break_ns = number(first, 1000000) * NS_PER_MS;
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc % 2 == 0)
        usage();
    for (int i = 3; i < argc; i += 2) {
        if (strcmp(argv[i], "--delay") == 0)
            delay_ns = number(argv[i + 1], 10000000) * NS_PER_US;
        else if (strcmp(argv[i], "--rate") == 0)
            rate_mbit = number(argv[i + 1], 1000000);
        else if (strcmp(argv[i], "--breaks") == 0)
            parse_breaks(argv[i + 1]);
        else
            usage();
    }
    queue_limit += rate_mbit * 1000000 / 8 * delay_ns / NS_PER_SECOND;
    char *host = argv[2], *port = strrchr(host, ':');
    if (port == NULL)
        usage();
    *port++ = '\0';
    struct addrinfo *target, hints = {.ai_socktype = SOCK_STREAM};
    if (getaddrinfo(host, port, &hints, &target) != 0) {
        fprintf(stderr, "relay: host=%s, port=%s: unknown\n", host, port);
        return 2;
    }
    /* Timers of a normal thread may be 50 us late. */
    prctl(PR_SET_TIMERSLACK, 1);
    signal(SIGPIPE, SIG_IGN);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), one = 1;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)number(argv[1], 65535)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t address_bytes = sizeof address;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 128) != 0
        || getsockname(listener, (struct sockaddr *)&address, &address_bytes) != 0)
        fail("listen");
    printf("port=%u\n", ntohs(address.sin_port));
    fflush(stdout);
    struct pollfd polled[1 + MOST_CONNECTIONS * WAYS];
    for (;;) {
        await_events(listener, polled, now());
        if (polled[0].revents != 0)
            accept_connection(listener, target->ai_addr, target->ai_addrlen);
        uint64_t now_ns = now();
        if (breaks_left > 0 && next_break_ns != 0 && now_ns >= next_break_ns && (break_bytes == 0 || now_ns >= next_break_ns + break_interval_ns))
            break_line(now_ns);
        for (size_t i = 0; i < MOST_CONNECTIONS; i++)
            if (connections[i] != NULL)
                work(i, now_ns);
    }
}
