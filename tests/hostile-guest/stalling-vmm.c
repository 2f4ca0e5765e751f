/*
 * VMM that blocks the backend's thread that serves it.
 *
 *     stalling-vmm memory SOCKET     offers a file that never delivers its pages as guest memory, on
 *                                    its own FUSE file system, which answers all requests except READ;
 *                                    then memory that its own process cannot touch (userfaultfd).
 *                                    Makes the GPU read the accepted memory
 *     stalling-vmm close SOCKET      sends such a file, whose close(2) is not answered either
 *     stalling-vmm event SOCKET      makes an interrupt signal an eventfd that is full and blocking
 *
 * Prints one line per completed step, then waits for the end of its standard input. Exit status:
 * 0 if the backend behaved correctly, 77 if no FUSE file system can be mounted, 1 otherwise.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    SKIPPED = 77,
    MEMORY_BYTES = 1 << 20,
    PATIENCE_S = 10,

    /* The vfio-user specification, commands and header flags. */
    VERSION = 1,
    DMA_MAP = 2,
    DMA_UNMAP = 3,
    SET_IRQS = 8,
    REGION_READ = 9,
    REGION_WRITE = 10,
    READABLE_WRITABLE = 3,
    HEADER_BYTES = 16,
    ERROR_FLAG = 1 << 5,
    MSI = 1,
    NO_DATA = 1,
    EVENT_DESCRIPTORS = 1 << 2,
    TRIGGER = 1 << 5,

    /* Regions of a VFIO PCI device. */
    BAR0 = 0,
    BAR1 = 1,
    CONFIG = 7,

    /* PCI. */
    COMMAND_REGISTER = 4,
    MEMORY_AND_BUS_MASTER = 6
};

/* envytools' rnndb/bus/pbus.xml: instance block of BAR1; enabled, in coherent host memory. */
#define PBUS_BAR1 UINT64_C(0x1704)
#define BAR1_AT_0_IN_HOST_MEMORY (UINT32_C(1) << 31 | UINT32_C(2) << 28)

static _Noreturn void end(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("stalling-vmm: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(status);
}

static void must(bool done, const char *what)
{
    if (!done)
        end(EXIT_FAILURE, "%s: %s", what, strerror(errno));
}

static void can(bool done, const char *what)
{
    if (!done)
        end(SKIPPED, "%s: %s", what, strerror(errno));
}

/* File system with one regular file, which is its root. */

static void reply(int fuse, uint64_t unique, int error, const void *data, size_t bytes)
{
    struct {
        struct fuse_out_header header;
        char data[512];
    } out = {.header = {sizeof out.header + (uint32_t)bytes, -error, unique}};
    must(bytes <= sizeof out.data, "reply length");
    if (bytes != 0)
        memcpy(out.data, data, bytes);
    /* The requesting process may have ended. */
    if (write(fuse, &out, out.header.len) < 0 && errno != ENOENT)
        exit(EXIT_FAILURE);
}

static void serve(int fuse, bool answers_close)
{
    static char request[1 << 18];
    struct fuse_attr file = {.ino = FUSE_ROOT_ID,
                             .size = MEMORY_BYTES,
                             .mode = S_IFREG | 0666,
                             .nlink = 1,
                             .blksize = 4096};
    while (true) {
        ssize_t got = read(fuse, request, sizeof request);
        if (got < 0 && (errno == EINTR || errno == ENOENT))
            continue;
        if (got < 0)
            exit(EXIT_SUCCESS);
        struct fuse_in_header *header = (struct fuse_in_header *)request;
        switch (header->opcode) {
        case FUSE_INIT: {
            struct fuse_init_in *asked = (struct fuse_init_in *)(header + 1);
            struct fuse_init_out answer = {.major = FUSE_KERNEL_VERSION,
                                           .minor = FUSE_KERNEL_MINOR_VERSION,
                                           .max_readahead = asked->max_readahead,
                                           .max_write = 1 << 16};
            reply(fuse, header->unique, 0, &answer, sizeof answer);
            break;
        }
        case FUSE_GETATTR:
        case FUSE_SETATTR: {
            struct fuse_attr_out answer = {.attr = file};
            reply(fuse, header->unique, 0, &answer, sizeof answer);
            break;
        }
        case FUSE_OPEN: {
            struct fuse_open_out answer = {0};
            reply(fuse, header->unique, 0, &answer, sizeof answer);
            break;
        }
        case FUSE_STATFS: {
            struct fuse_statfs_out answer = {.st = {.bsize = 4096, .namelen = 255, .frsize = 4096}};
            reply(fuse, header->unique, 0, &answer, sizeof answer);
            break;
        }
        case FUSE_FLUSH:
            /* This VMM must not block itself. */
            if (answers_close || header->pid == (uint32_t)getppid())
                reply(fuse, header->unique, 0, NULL, 0);
            break;
        case FUSE_RELEASE:
            reply(fuse, header->unique, 0, NULL, 0);
            break;
        case FUSE_READ:
        case FUSE_FORGET:
        case FUSE_BATCH_FORGET:
        case FUSE_INTERRUPT:
            break;
        default:
            reply(fuse, header->unique, ENOSYS, NULL, 0);
        }
    }
}

static void write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    can(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text), path);
    close(fd);
}

/* The mount is private to this process and ends with it. */
static void enter_own_mounts(void)
{
    unsigned uid = geteuid();
    unsigned gid = getegid();
    if (unshare(CLONE_NEWNS) != 0) {
        char text[64];
        can(unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0, "unshare");
        snprintf(text, sizeof text, "0 %u 1", uid);
        write_text("/proc/self/uid_map", text);
        write_text("/proc/self/setgroups", "deny");
        snprintf(text, sizeof text, "0 %u 1", gid);
        write_text("/proc/self/gid_map", text);
    }
    can(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0, "private mounts");
}

/* Opens a file whose pages are never delivered. */
static int open_slow_file(bool answers_close)
{
    char path[] = "/tmp/gpuvm-stalling-XXXXXX";
    char options[64];
    int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    can(fuse >= 0, "/dev/fuse");
    enter_own_mounts();
    int place = mkstemp(path);
    must(place >= 0, path);
    close(place);
    snprintf(options, sizeof options, "fd=%d,rootmode=%o,user_id=0,group_id=0", fuse, S_IFREG);
    bool mounted = mount("gpuvm-stalling", path, "fuse", MS_NOSUID | MS_NODEV, options) == 0;
    int reason = errno;
    if (!mounted)
        unlink(path);
    errno = reason;
    can(mounted, "mount");
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        serve(fuse, answers_close);
    }
    close(fuse);
    int file = open(path, O_RDWR | O_CLOEXEC);
    must(file >= 0, "open");
    must(umount2(path, MNT_DETACH) == 0, "umount");
    unlink(path);
    return file;
}

/* vfio-user */

struct message {
    uint16_t id;
    uint16_t command;
    uint32_t bytes;
    uint32_t flags;
    uint32_t error;
    char body[256];
};

static int backend;

/* Sends a message. */
static void post(struct message *message, int command, size_t body_bytes, int descriptor)
{
    static uint16_t next_id;
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    message->id = next_id++;
    message->command = (uint16_t)command;
    message->bytes = (uint32_t)(HEADER_BYTES + body_bytes);
    message->flags = 0;
    message->error = 0;
    struct iovec part = {message, message->bytes};
    struct msghdr out = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        out.msg_control = &control;
        out.msg_controllen = sizeof control.room;
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(&control.header), &descriptor, sizeof(int));
    }
    must(sendmsg(backend, &out, 0) == (ssize_t)message->bytes, "send");
}

/* Sends a message and waits for its reply. Returns the reply's error, or 0. */
static int exchange(struct message *message, int command, size_t body_bytes, int descriptor)
{
    post(message, command, body_bytes, descriptor);
    size_t have = 0;
    size_t want = HEADER_BYTES;
    while (have < want) {
        ssize_t got = recv(backend, (char *)message + have, want - have, 0);
        if (got <= 0)
            end(EXIT_FAILURE, "command %d: no answer within %d s", command, PATIENCE_S);
        have += (size_t)got;
        want = have < HEADER_BYTES ? HEADER_BYTES : message->bytes;
        must(want <= sizeof *message, "reply length");
    }
    return (message->flags & ERROR_FLAG) != 0 ? (int)message->error : 0;
}

static int map(int descriptor)
{
    struct message message;
    struct {
        uint32_t argsz, flags;
        uint64_t offset, address, bytes;
    } body = {sizeof body, READABLE_WRITABLE, 0, 0, MEMORY_BYTES};
    memcpy(message.body, &body, sizeof body);
    return exchange(&message, DMA_MAP, sizeof body, descriptor);
}

static void unmap(void)
{
    struct message message;
    struct {
        uint32_t argsz, flags;
        uint64_t address, bytes;
    } body = {sizeof body, 0, 0, MEMORY_BYTES};
    memcpy(message.body, &body, sizeof body);
    must(exchange(&message, DMA_UNMAP, sizeof body, -1) == 0, "DMA_UNMAP");
}

static void access_region(int command, uint32_t region, uint64_t offset, uint32_t value)
{
    struct message message;
    struct {
        uint64_t offset;
        uint32_t region, bytes, value;
    } __attribute__((packed)) body = {offset, region, sizeof value, value};
    size_t bytes = command == REGION_READ ? sizeof body - sizeof value : sizeof body;
    memcpy(message.body, &body, sizeof body);
    must(exchange(&message, command, bytes, -1) == 0, "access");
}

/* Makes the GPU read the memory at 0, as an instance block. */
static void have_it_read(void)
{
    access_region(REGION_WRITE, CONFIG, COMMAND_REGISTER, MEMORY_AND_BUS_MASTER);
    access_region(REGION_WRITE, BAR0, PBUS_BAR1, BAR1_AT_0_IN_HOST_MEMORY);
    access_region(REGION_READ, BAR1, 0, 0);
    access_region(REGION_WRITE, BAR0, PBUS_BAR1, 0);
}

static void connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct timeval patience = {.tv_sec = PATIENCE_S};
    struct message message = {.body = "\0\0\0\0{}"};
    must(strlen(path) < sizeof address.sun_path, "path length");
    strcpy(address.sun_path, path);
    backend = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(connect(backend, (struct sockaddr *)&address, sizeof address) == 0, path);
    setsockopt(backend, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    must(exchange(&message, VERSION, 2 * sizeof(uint16_t) + sizeof "{}", -1) == 0, "VERSION");
}

/* A thread that touches a missing page of this mapping waits for an answer that never arrives. The
 * fault concerns this process's mapping, not the file. */
static bool make_own_mapping_wait(void *memory)
{
    int fault = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
    struct uffdio_api api = {.api = UFFD_API};
    struct uffdio_register range = {.range = {(uintptr_t)memory, MEMORY_BYTES},
                                    .mode = UFFDIO_REGISTER_MODE_MISSING};
    return fault >= 0 && ioctl(fault, UFFDIO_API, &api) == 0 &&
           ioctl(fault, UFFDIO_REGISTER, &range) == 0;
}

static void offer_slow_file(int file)
{
    int error = map(file);
    printf("fuse: %s\n", error == 0 ? "accepted" : "refused");
    fflush(stdout);
    if (error == 0)
        have_it_read();
    if (error != EINVAL)
        end(EXIT_FAILURE, "DMA_MAP: error=%d, expected=EINVAL", error);
}

static void offer_memory(void)
{
    int file = memfd_create("stalling-vmm", MFD_CLOEXEC);
    must(file >= 0 && ftruncate(file, MEMORY_BYTES) == 0, "memfd");
    void *memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    must(memory != MAP_FAILED, "mmap");
    bool waits = make_own_mapping_wait(memory);
    must(map(file) == 0, "DMA_MAP of a memfd");
    have_it_read();
    unmap();
    printf("memfd%s: accepted\n", waits ? " with userfaultfd" : "");
    fflush(stdout);
}

static size_t irqs_body(struct message *message, uint32_t flags)
{
    struct {
        uint32_t argsz, flags, index, start, count;
    } body = {sizeof body, flags, MSI, 0, 1};
    memcpy(message->body, &body, sizeof body);
    return sizeof body;
}

/* The flags of an eventfd are shared by all processes that have a descriptor of it. */
static void signal_full_event(void)
{
    struct message message;
    uint64_t most = UINT64_MAX - 1;
    int event = eventfd(0, EFD_CLOEXEC);
    must(event >= 0, "eventfd");
    size_t bytes = irqs_body(&message, EVENT_DESCRIPTORS | TRIGGER);
    must(exchange(&message, SET_IRQS, bytes, event) == 0, "SET_IRQS");
    must(fcntl(event, F_SETFL, fcntl(event, F_GETFL) & ~O_NONBLOCK) == 0, "fcntl");
    must(write(event, &most, sizeof most) == sizeof most, "write");
    post(&message, SET_IRQS, irqs_body(&message, NO_DATA | TRIGGER), -1);
    puts("event: signalled");
}

static void send_slow_file(int file)
{
    struct message message;
    struct {
        uint32_t argsz, flags;
        uint64_t offset, address, bytes;
    } body = {sizeof body, READABLE_WRITABLE, 0, 0, MEMORY_BYTES};
    memcpy(message.body, &body, sizeof body);
    post(&message, DMA_MAP, sizeof body, file);
    puts("file: sent");
}

static void wait_for_end_of_input(void)
{
    char ignored;
    fflush(stdout);
    while (read(STDIN_FILENO, &ignored, 1) > 0)
        ;
}

int main(int count, char **arguments)
{
    if (count != 3)
        end(2, "usage: stalling-vmm memory|close|event SOCKET");
    const char *what = arguments[1];
    bool is_memory = strcmp(what, "memory") == 0;
    bool is_event = strcmp(what, "event") == 0;
    int file = is_event ? -1 : open_slow_file(is_memory);
    connect_to(arguments[2]);
    if (is_memory) {
        offer_slow_file(file);
        offer_memory();
    } else if (is_event) {
        signal_full_event();
    } else {
        send_slow_file(file);
    }
    wait_for_end_of_input();
    return EXIT_SUCCESS;
}
