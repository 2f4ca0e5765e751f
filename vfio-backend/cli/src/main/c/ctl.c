/*
 * `gpuvm ctl`: sends one request to the control socket of a backend (docs/control.md), and prints the answer.
 *
 * A program in C, because a request is answered within a millisecond, and the start of a JVM takes hundreds of them.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Exit statuses. */
enum { DONE = 0, NO_ANSWER = 1, UNHEALTHY = 1, REFUSED = 2 };

/* Greatest length of a request with its line feed: the backend's limit. */
enum { MOST_REQUEST_BYTES = 4096 };

/* Greatest length of an answer: many times that of a summary of the most virtual machines. */
#define MOST_ANSWER_BYTES ((size_t)64 << 20)

/* Greatest depth of nested values in an answer. */
enum { MOST_DEPTH = 64 };

/* Deadlines for an answer, in seconds, longer than the backend's own. Detaching takes guests off the GPU and zeroes memory. */
enum { USUAL_SECONDS = 15, ATTACH_SECONDS = 60 };

/* Variable that names the socket. */
#define SOCKET_VARIABLE "GPUVM_CTL"

static void stop(int status, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

static void stop(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("gpuvm: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(status);
}

/* Stops because of wrong arguments, with a reference to the help text. */
static void misuse(const char *format, const char *what) __attribute__((noreturn));

static void misuse(const char *format, const char *what)
{
    fputs("gpuvm: ", stderr);
    fprintf(stderr, format, what);
    fputs("\nsee 'gpuvm ctl --help'\n", stderr);
    exit(REFUSED);
}

/* Request: a line of JSON. */

struct request {
    char text[MOST_REQUEST_BYTES + 1];
    size_t length;
};

static void append_byte(struct request *request, char byte)
{
    if (request->length + 1 >= MOST_REQUEST_BYTES)
        stop(REFUSED, "ctl: the request is too long, limit=%d bytes", MOST_REQUEST_BYTES);
    request->text[request->length++] = byte;
}

static void append(struct request *request, const char *text)
{
    for (; *text != '\0'; text++)
        append_byte(request, *text);
}

/* Appends a string in quotation marks. */
static void append_string(struct request *request, const char *text, size_t length)
{
    append_byte(request, '"');
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        char escaped[8];
        if (byte < 0x20) {
            snprintf(escaped, sizeof escaped, "\\u%04x", byte);
            append(request, escaped);
        } else {
            if (byte == '"' || byte == '\\')
                append_byte(request, '\\');
            append_byte(request, (char)byte);
        }
    }
    append_byte(request, '"');
}

/* Appends `,"NAME":` */
static void append_name(struct request *request, const char *name, size_t length)
{
    append_byte(request, ',');
    append_string(request, name, length);
    append_byte(request, ':');
}

static void append_member(struct request *request, const char *name, const char *text)
{
    append_name(request, name, strlen(name));
    append_string(request, text, strlen(text));
}

static void append_number(struct request *request, const char *command, const char *name, const char *text)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || number < INT32_MIN || number > INT32_MAX)
        stop(REFUSED, "ctl %s: %s, expected a number", command, text);
    char digits[24];
    snprintf(digits, sizeof digits, "%ld", number);
    append_name(request, name, strlen(name));
    append(request, digits);
}

/* Appends the keys and values of NAME,KEY=VALUE,... A relative path of a socket is one of this process's folder, not of the backend's. */
static void append_settings(struct request *request, const char *text)
{
    size_t name = strcspn(text, ",");
    append_name(request, "vm", 2);
    append_string(request, text, name);
    const char *at = text + name;
    while (*at == ',') {
        at++;
        size_t length = strcspn(at, ",");
        const char *equals = memchr(at, '=', length);
        if (equals == NULL)
            stop(REFUSED, "ctl attach %s: '%.*s', expected KEY=VALUE", text, (int)length, at);
        size_t key = (size_t)(equals - at), value = length - key - 1;
        append_name(request, at, key);
        char path[4096];
        if (key == strlen("socket") && memcmp(at, "socket", key) == 0 && value > 0 && equals[1] != '/') {
            char *folder = get_current_dir_name();
            int bytes = snprintf(path, sizeof path, "%s/%.*s", folder == NULL ? "." : folder, (int)value, equals + 1);
            free(folder);
            if (bytes < 0 || (size_t)bytes >= sizeof path)
                stop(REFUSED, "ctl attach %s: the path of the socket is too long", text);
            append_string(request, path, (size_t)bytes);
        } else {
            append_string(request, equals + 1, value);
        }
        at += length;
    }
}

/* Answer: JSON text. The functions below accept any text that skip_value has accepted. */

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at)
{
    if (*at++ != '"')
        return NULL;
    for (; *at != '"'; at++) {
        if (*at == '\\')
            at++;
        if (*at == '\0')
            return NULL;
    }
    return at + 1;
}

/* Returns the end of a value; NULL if the text is no value. */
static const char *skip_value(const char *at, int depth)
{
    at = skip_space(at);
    if (*at == '"')
        return skip_string(at);
    if (*at != '{' && *at != '[') {
        size_t length = strcspn(at, ",]} \t\r\n");
        return length == 0 ? NULL : at + length;
    }
    bool is_object = *at == '{';
    char end = is_object ? '}' : ']';
    at = skip_space(at + 1);
    if (*at == end)
        return at + 1;
    for (;;) {
        if (is_object) {
            at = skip_string(skip_space(at));
            if (at == NULL || *(at = skip_space(at)) != ':')
                return NULL;
            at++;
        }
        at = depth == MOST_DEPTH ? NULL : skip_value(at, depth + 1);
        if (at == NULL)
            return NULL;
        at = skip_space(at);
        if (*at == end)
            return at + 1;
        if (*at++ != ',')
            return NULL;
    }
}

/* Returns the value of an object's member; NULL if there is none. */
static const char *member(const char *object, const char *name)
{
    if (object == NULL || *(object = skip_space(object)) != '{')
        return NULL;
    const char *at = skip_space(object + 1);
    while (*at == '"') {
        const char *key = at + 1;
        at = skip_string(at);
        size_t length = (size_t)(at - key) - 1;
        const char *value = skip_space(skip_space(at) + 1);
        if (length == strlen(name) && memcmp(key, name, length) == 0)
            return value;
        at = skip_space(skip_value(value, 0));
        at = *at == ',' ? skip_space(at + 1) : at;
    }
    return NULL;
}

static bool is_word(const char *value, const char *word)
{
    size_t length = strlen(word);
    return value != NULL && strncmp(value, word, length) == 0 && strchr(",]} \t\r\n", value[length]) != NULL;
}

static unsigned hexadecimal(const char *digits)
{
    char text[5] = {0};
    memcpy(text, digits, strnlen(digits, 4));
    return (unsigned)strtoul(text, NULL, 16);
}

/* Appends a character as UTF-8. */
static char *encode(char *to, unsigned code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

/* Returns the text of a value: a string without its escapes, or the value as written. Allocated. */
static char *text_of(const char *value)
{
    if (value == NULL)
        return strdup("");
    const char *end = skip_value(value, 0);
    char *text = malloc((size_t)(end - value) + 1), *to = text;
    if (text == NULL)
        stop(NO_ANSWER, "out of memory");
    if (*value != '"') {
        memcpy(text, value, (size_t)(end - value));
        text[end - value] = '\0';
        return text;
    }
    for (const char *at = value + 1; at < end - 1; at++) {
        if (*at != '\\') {
            *to++ = *at;
            continue;
        }
        switch (*++at) {
        case 'n': *to++ = '\n'; break;
        case 't': *to++ = '\t'; break;
        case 'r': *to++ = '\r'; break;
        case 'b': *to++ = '\b'; break;
        case 'f': *to++ = '\f'; break;
        case 'u':
            to = encode(to, hexadecimal(at + 1));
            at += 4;
            break;
        default: *to++ = *at; break;
        }
    }
    *to = '\0';
    return text;
}

static double number_of(const char *value)
{
    return value == NULL ? 0 : strtod(value, NULL);
}

/* Prints a value in lines, two columns deeper for each object. Elements of arrays follow one another. */
static const char *print_lines(const char *at, int depth)
{
    at = skip_space(at);
    if (*at != '{' && *at != '[') {
        const char *end = skip_value(at, 0);
        fwrite(at, 1, (size_t)(end - at), stdout);
        return end;
    }
    bool is_object = *at == '{';
    char end = is_object ? '}' : ']';
    putchar(*at);
    at = skip_space(at + 1);
    if (*at == end) {
        printf(" %c", end);
        return at + 1;
    }
    for (;;) {
        if (is_object) {
            const char *name = at;
            at = skip_string(at);
            printf("\n%*s%.*s : ", 2 * (depth + 1), "", (int)(at - name), name);
            at = skip_space(skip_space(at) + 1);
        } else {
            putchar(' ');
        }
        at = skip_space(print_lines(at, is_object ? depth + 1 : depth));
        if (*at == end)
            break;
        putchar(',');
        at = skip_space(at + 1);
    }
    if (is_object)
        printf("\n%*s%c", 2 * depth, "", end);
    else
        printf(" %c", end);
    return at + 1;
}

static void print_status(const char *answer)
{
    char *policy = text_of(member(answer, "policy"));
    printf("policy: %s\n", policy);
    free(policy);
    printf("%-16s %-4s %6s %5s %10s %10s %10s %10s %7s %10s %10s\n", "vm", "mode", "weight", "cap", "graph s", "copy0 s", "copy1 s",
           "commands", "waiting", "wait us", "p99 us");
    const char *vms = member(answer, "vms");
    if (vms == NULL || *vms != '[')
        return;
    for (const char *vm = skip_space(vms + 1); *vm == '{';) {
        const char *seconds = member(vm, "gpuSeconds"), *cap = member(vm, "cap");
        char *name = text_of(member(vm, "name")), *mode = text_of(member(vm, "mode"));
        char *percent = is_word(cap, "null") ? strdup("none") : text_of(cap);
        printf("%-16s %-4s %6.0f %5s %10.3f %10.3f %10.3f %10.0f %7.0f %10.0f %10.0f\n", name, mode, number_of(member(vm, "weight")), percent,
               number_of(member(seconds, "graph")), number_of(member(seconds, "copy0")), number_of(member(seconds, "copy1")),
               number_of(member(vm, "commands")), number_of(member(vm, "waiting")), number_of(member(vm, "waitP50Us")),
               number_of(member(vm, "waitP99Us")));
        free(name);
        free(mode);
        free(percent);
        vm = skip_space(skip_value(vm, 0));
        vm = *vm == ',' ? skip_space(vm + 1) : vm;
    }
}

static void print_list(const char *answer)
{
    const char *vms = member(answer, "vms");
    if (vms == NULL || *vms != '[')
        return;
    for (const char *vm = skip_space(vms + 1); *vm == '{';) {
        char *name = text_of(member(vm, "name")), *mode = text_of(member(vm, "mode")), *path = text_of(member(vm, "socket"));
        printf("%-32s %-11s %s\n", name, mode, path);
        free(name);
        free(mode);
        free(path);
        vm = skip_space(skip_value(vm, 0));
        vm = *vm == ',' ? skip_space(vm + 1) : vm;
    }
}

/* Prints each string of an array as a line. */
static void print_strings(const char *array)
{
    if (array == NULL || *array != '[')
        return;
    for (const char *at = skip_space(array + 1); *at == '"';) {
        char *text = text_of(at);
        puts(text);
        free(text);
        at = skip_space(skip_value(at, 0));
        at = *at == ',' ? skip_space(at + 1) : at;
    }
}

/* Prints whether the backend works, for how long, and what does not work. */
static void print_health(const char *answer)
{
    bool healthy = is_word(member(answer, "healthy"), "true");
    printf("%s, up %.0f s, virtual machines: %.0f\n", healthy ? "healthy" : "not healthy", number_of(member(answer, "uptimeSeconds")),
           number_of(member(answer, "vms")));
    print_strings(member(answer, "problems"));
}

/* Connection. */

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int connect_to(const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    if (strlen(path) == 0 || strlen(path) >= sizeof name.sun_path)
        stop(REFUSED, "socket=%s bytes=%zu, limit=%zu", path, strlen(path), sizeof name.sun_path - 1);
    memcpy(name.sun_path, path, strlen(path));
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    /* Also limits the wait of connect(2) for a backend that accepts no clients. */
    struct timeval limit = {.tv_sec = USUAL_SECONDS};
    if (connection < 0 || setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0
        || connect(connection, (const struct sockaddr *)&name, sizeof name) != 0)
        stop(NO_ANSWER, "%s: cannot connect: %s", path, strerror(errno));
    return connection;
}

/* Returns the answer, without its line feed. Allocated. */
static char *receive(int connection, const char *path, int seconds)
{
    int64_t deadline = milliseconds() + (int64_t)seconds * 1000;
    size_t length = 0, space = 1 << 16;
    char *text = malloc(space);
    while (text != NULL) {
        struct pollfd polled = {.fd = connection, .events = POLLIN};
        int64_t left = deadline - milliseconds();
        int ready = left <= 0 ? 0 : poll(&polled, 1, (int)left);
        if (ready < 0 && errno == EINTR)
            continue;
        ssize_t got = ready <= 0 ? 0 : recv(connection, text + length, space - length - 1, 0);
        if (got <= 0)
            stop(NO_ANSWER, "%s: no answer", path);
        length += (size_t)got;
        text[length] = '\0';
        if (text[length - 1] == '\n') {
            text[length - 1] = '\0';
            return text;
        }
        if (length == space - 1) {
            space *= 2;
            text = space > MOST_ANSWER_BYTES ? NULL : realloc(text, space);
        }
    }
    stop(NO_ANSWER, "%s: the answer is too long", path);
}

static char *ask(const char *path, struct request *request, int seconds)
{
    request->text[request->length++] = '\n';
    int connection = connect_to(path);
    size_t sent = 0;
    while (sent < request->length) {
        ssize_t done = send(connection, request->text + sent, request->length - sent, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            stop(NO_ANSWER, "%s: does not accept requests: %s", path, strerror(errno));
        sent += (size_t)done;
    }
    char *answer = receive(connection, path, seconds);
    close(connection);
    const char *end = skip_value(answer, 0);
    if (end == NULL || *skip_space(end) != '\0')
        stop(NO_ANSWER, "%s: the answer is not JSON", path);
    return answer;
}

/* Command line. */

static const char *const commands[] = {"list", "show", "health", "status", "summary", "policy", "weight", "cap",
                                       "set",  "kill", "log",    "attach", "detach",  "reload"};

static bool is_command(const char *word)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(word, commands[i]) == 0)
            return true;
    return false;
}

static void expect(const char *command, int given, int wanted, const char *what)
{
    if (given != wanted)
        stop(REFUSED, "ctl %s: arguments=%d, expected %s", command, given, what);
}

static void append_cap(struct request *request, const char *command, const char *text)
{
    if (strcmp(text, "none") == 0)
        append(request, ",\"cap\":null");
    else
        append_number(request, command, "cap", text);
}

/* Appends weight=N or cap=PCT|none. */
static void append_share(struct request *request, const char *setting)
{
    if (strncmp(setting, "weight=", 7) == 0)
        append_number(request, "set", "weight", setting + 7);
    else if (strncmp(setting, "cap=", 4) == 0)
        append_cap(request, "set", setting + 4);
    else
        stop(REFUSED, "ctl set: %s, expected weight=N or cap=PCT|none", setting);
}

static void form(struct request *request, const char *command, char **arguments, int count)
{
    append(request, "{\"request\":");
    const char *name = strcmp(command, "list") == 0 ? "status" : command;
    append_string(request, name, strlen(name));
    if (strcmp(name, "status") == 0 || strcmp(command, "summary") == 0 || strcmp(command, "health") == 0 || strcmp(command, "reload") == 0) {
        expect(command, count, 0, "no arguments");
    } else if (strcmp(command, "set") == 0) {
        if (count < 2)
            stop(REFUSED, "ctl set: arguments=%d, expected VM weight=N, cap=PCT|none, or both", count);
        append_member(request, "vm", arguments[0]);
        for (int i = 1; i < count; i++)
            append_share(request, arguments[i]);
    } else if (strcmp(command, "policy") == 0) {
        expect(command, count, 1, "POLICY");
        append_member(request, "policy", arguments[0]);
    } else if (strcmp(command, "weight") == 0) {
        expect(command, count, 2, "VM N");
        append_member(request, "vm", arguments[0]);
        append_number(request, command, "weight", arguments[1]);
    } else if (strcmp(command, "cap") == 0) {
        expect(command, count, 2, "VM PCT|none");
        append_member(request, "vm", arguments[0]);
        append_cap(request, command, arguments[1]);
    } else if (strcmp(command, "attach") == 0) {
        expect(command, count, 1, "VM,KEY=VALUE,...");
        append_settings(request, arguments[0]);
    } else if (strcmp(command, "log") == 0) {
        if (count != 1 && count != 2)
            stop(REFUSED, "ctl log: arguments=%d, expected LEVEL [LOGGER]", count);
        append_member(request, "level", arguments[0]);
        if (count == 2)
            append_member(request, "logger", arguments[1]);
    } else if (strcmp(command, "detach") == 0 || strcmp(command, "show") == 0 || strcmp(command, "kill") == 0) {
        expect(command, count, 1, "VM");
        append_member(request, "vm", arguments[0]);
    } else {
        stop(REFUSED,
             "ctl %s: expected one of list, show, health, status, summary, policy, weight, cap, set, kill, log, attach, detach, reload",
             command);
    }
    append_byte(request, '}');
}

/* Removes the option from the words, and returns whether it was given. */
static bool take_json(char **words, int *count)
{
    bool json = false;
    int kept = 0;
    for (int i = 0; i < *count; i++) {
        if (strcmp(words[i], "--json") == 0)
            json = true;
        else if (words[i][0] == '-' && words[i][1] != '\0')
            misuse("Unknown option: '%s'", words[i]);
        else
            words[kept++] = words[i];
    }
    *count = kept;
    return json;
}

int main(int argc, char **argv)
{
    char **words = argv + 1;
    int count = argc - 1;
    bool json = take_json(words, &count);
    const char *path = getenv(SOCKET_VARIABLE);
    if (count > 0 && !is_command(words[0])) {
        path = words[0];
        words++;
        count--;
    } else if (path == NULL || path[0] == '\0') {
        misuse("%s", count == 0 ? "Missing required parameters: 'SOCKET', 'REQUEST'" : "SOCKET is missing, and " SOCKET_VARIABLE " is not set");
    }
    if (count == 0)
        misuse("%s", "Missing required parameter: 'REQUEST'");
    const char *command = words[0];
    static struct request request;
    form(&request, command, words + 1, count - 1);
    bool attaches = strcmp(command, "attach") == 0, detaches = strcmp(command, "detach") == 0, reloads = strcmp(command, "reload") == 0;
    char *answer = ask(path, &request, attaches || detaches || reloads ? ATTACH_SECONDS : USUAL_SECONDS);
    bool ok = is_word(member(answer, "ok"), "true");
    int status = !ok ? REFUSED : is_word(member(answer, "healthy"), "false") ? UNHEALTHY : DONE;
    if (json) {
        puts(answer);
    } else if (!ok) {
        stop(REFUSED, "%s", text_of(member(answer, "error")));
    } else if (strcmp(command, "status") == 0) {
        print_status(answer);
    } else if (strcmp(command, "summary") == 0) {
        print_lines(member(answer, "summary"), 0);
        putchar('\n');
    } else if (strcmp(command, "list") == 0) {
        print_list(answer);
    } else if (strcmp(command, "show") == 0) {
        const char *const parts[] = {"vm", "settings", "counters"};
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
            printf("%s ", parts[i]);
            print_lines(member(answer, parts[i]), 0);
            putchar('\n');
        }
    } else if (strcmp(command, "health") == 0) {
        print_health(answer);
    } else if (reloads) {
        print_strings(member(answer, "changes"));
    } else if (strcmp(command, "kill") == 0) {
        printf("%.0f\n", number_of(member(answer, "stopped")));
    } else if (attaches) {
        puts(text_of(member(answer, "socket")));
    }
    if (fflush(stdout) != 0)
        stop(NO_ANSWER, "standard output: %s", strerror(errno));
    return status;
}
