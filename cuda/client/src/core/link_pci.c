#define _GNU_SOURCE

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "cuda_wire.h"
#include "link.h"
#include "session.h"

/* Folder of the PCI functions. Tests compile the library with another one. */
#ifndef GPUVM_PCI_DEVICES
#define GPUVM_PCI_DEVICES "/sys/bus/pci/devices"
#endif

/* Write of a register, which has its effect before the next read. Tests compile the library with another one. */
#ifndef GPUVM_WRITE_REGISTER
#define GPUVM_WRITE_REGISTER(page, index, value) ((page)[index] = (value))
#endif

/* The function: docs/pv-protocol.md. */
enum {
    VENDOR = 0x7067,
    DEVICE = 0x766d,
    PAGE_BYTES = 4096,
    MAX_SESSIONS = 4096,

    /* Indexes of registers in the page of a session. */
    MAGIC = 0x00 / 4,
    AREA_BYTES = 0x08 / 4,
    CONTROL = 0x10 / 4,
    SESSION = 0x14 / 4,
    STATE = 0x18 / 4,
    DOORBELL = 0x1c / 4,
    SESSIONS = 0x20 / 4,
    AREA_START = 0x24 / 4,

    /* Values of CONTROL. */
    END = 0,
    BEGIN = 1,

    /* Values of STATE. */
    PENDING = 1,
    OPEN = 2,
    REFUSED = 3
};

enum {
    /* Attempts to find an unused session. A program that starts at the same time locks unused sessions for a moment. */
    CLAIM_ATTEMPTS = 20,
    PATH_BYTES = 512
};

#define CLAIM_PAUSE_NS (5 * GPUVM_NS_PER_MS)
#define FIRST_NAP_NS (20 * GPUVM_NS_PER_US)
#define LONGEST_NAP_NS GPUVM_NS_PER_MS
#define ANSWER_NS (30 * GPUVM_NS_PER_S)
/* Interval between two looks at the registers, each of which is a message to the backend. */
#define LOOK_NS (100 * GPUVM_NS_PER_MS)

/* Registers of a session's page, each read and written with one access of 32 bits. */
static uint64_t read_pair(const volatile uint32_t *registers, int index)
{
    uint64_t low = registers[index];
    return low | (uint64_t)registers[index + 1] << 32;
}

static bool wake(const struct gpuvm_link *link)
{
    GPUVM_WRITE_REGISTER(link->registers, DOORBELL, 1);
    return true;
}

static bool is_alive(const struct gpuvm_link *link)
{
    return link->registers[SESSION] == link->session && link->registers[STATE] == OPEN;
}

/* An interrupt does not reach a program, so it looks at its word at growing intervals. */
static bool sleep_until_woken(const struct gpuvm_link *link, const _Atomic uint32_t *sleeps)
{
    uint64_t nap = FIRST_NAP_NS;
    uint64_t next_look = gpuvm_now() + LOOK_NS;
    while (atomic_load_explicit(sleeps, memory_order_acquire) != 0) {
        struct pollfd poke = {link->poke, POLLIN, 0};
        struct timespec limit = gpuvm_timespec(nap);
        if (ppoll(&poke, 1, &limit, NULL) > 0) {
            gpuvm_link_take_pokes(link);
            return true;
        }
        nap = nap * 2 < LONGEST_NAP_NS ? nap * 2 : LONGEST_NAP_NS;
        if (gpuvm_now() >= next_look) {
            if (!is_alive(link))
                return false;
            next_look = gpuvm_now() + LOOK_NS;
        }
    }
    return true;
}

static bool nap(const struct gpuvm_link *link, uint64_t nanoseconds)
{
    static _Atomic uint64_t next_look;
    struct timespec limit = gpuvm_timespec(nanoseconds);
    nanosleep(&limit, NULL);
    uint64_t now = gpuvm_now();
    if (now < atomic_load_explicit(&next_look, memory_order_relaxed))
        return true;
    atomic_store_explicit(&next_look, now + LOOK_NS, memory_order_relaxed);
    return is_alive(link);
}

static const struct gpuvm_link_kind PCI_FUNCTION = {
    .wake = wake, .is_alive = is_alive, .sleep = sleep_until_woken, .nap = nap};

/* Functions in sysfs */

static void path_of(char path[PATH_BYTES], const char *address, const char *file)
{
    snprintf(path, PATH_BYTES, "%s/%s/%s", GPUVM_PCI_DEVICES, address, file);
}

/* Returns a number in a file of a function; -1 if it cannot be read. */
static long number_of(const char *address, const char *file)
{
    char path[PATH_BYTES];
    path_of(path, address, file);
    FILE *stream = fopen(path, "re");
    if (stream == NULL)
        return -1;
    char text[32];
    long number = fgets(text, sizeof text, stream) == NULL ? -1 : strtol(text, NULL, 0);
    fclose(stream);
    return number;
}

static int open_file(const char *address, const char *file, int mode)
{
    char path[PATH_BYTES];
    path_of(path, address, file);
    return open(path, mode | O_CLOEXEC);
}

/* Enables the BARs of a function. Only root may do that; for other users, a udev rule has done it. */
static bool enable(const char *address)
{
    if (number_of(address, "enable") > 0)
        return true;
    int fd = open_file(address, "enable", O_WRONLY);
    if (fd < 0)
        return false;
    bool is_enabled = write(fd, "1", 1) == 1;
    close(fd);
    return is_enabled;
}

/* Maps the registers of the first sessions. Returns null on failure, with errno. */
static volatile uint32_t *map_registers(const char *address, uint32_t sessions)
{
    int fd = open_file(address, "resource0", O_RDWR);
    if (fd < 0)
        return NULL;
    void *map = mmap(NULL, (size_t)sessions * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int error = errno;
    close(fd);
    errno = error;
    if (map == MAP_FAILED)
        return NULL;
    madvise(map, (size_t)sessions * PAGE_BYTES, MADV_DONTFORK);
    return map;
}

static void unmap_registers(volatile uint32_t *registers, uint32_t sessions)
{
    munmap((void *)registers, (size_t)sessions * PAGE_BYTES);
}

static bool is_backend(const char *address)
{
    return number_of(address, "vendor") == VENDOR && number_of(address, "device") == DEVICE;
}

/*
 * Returns whether a backend's function executes calls of CUDA, rather than paravirtual commands. Sets *error if the function cannot be used to
 * find that out, else 0.
 */
static bool is_for_cuda(const char *address, int *error)
{
    *error = 0;
    if (!is_backend(address))
        return false;
    volatile uint32_t *registers = enable(address) ? map_registers(address, 1) : NULL;
    if (registers == NULL) {
        *error = errno;
        return false;
    }
    bool is = registers[MAGIC] == GPUVM_CUDA_PCI_MAGIC;
    unmap_registers(registers, 1);
    return is;
}

/* Finds the functions for CUDA. Returns their number, and the address of the first one. Explains why functions cannot be used, if it may. */
static int find(char address[NAME_MAX + 1], bool may_explain)
{
    DIR *devices = opendir(GPUVM_PCI_DEVICES);
    if (devices == NULL)
        return 0;
    int found = 0;
    int error;
    for (struct dirent *entry = readdir(devices); entry != NULL; entry = readdir(devices)) {
        if (entry->d_name[0] == '.')
            continue;
        if (is_for_cuda(entry->d_name, &error)) {
            if (found++ == 0)
                strcpy(address, entry->d_name);
        } else if (error != 0 && may_explain) {
            gpuvm_explain("PCI function %s cannot be used: %s", entry->d_name, strerror(error));
        }
    }
    closedir(devices);
    return found;
}

bool gpuvm_pci_exists(void)
{
    char address[NAME_MAX + 1];
    return find(address, false) > 0;
}

/* Sessions of a function */

static volatile uint32_t *page_of(volatile uint32_t *registers, uint32_t session)
{
    return registers + (size_t)session * PAGE_BYTES / sizeof(uint32_t);
}

static bool lock_session(int areas, uint32_t session, short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = session, .l_len = 1};
    return fcntl(areas, F_OFD_SETLK, &lock) == 0;
}

/* Ends a session whose program is dead. */
static void end_unused(volatile uint32_t *page)
{
    uint32_t state = page[STATE];
    if (state == OPEN || state == PENDING)
        GPUVM_WRITE_REGISTER(page, CONTROL, END);
}

/* Tries the lock of each session: keeps the first one, and ends the other unused sessions. Returns -1 if all are in use. */
static int64_t claim_once(int areas, volatile uint32_t *registers, uint32_t sessions)
{
    int64_t claimed = -1;
    for (uint32_t session = 0; session < sessions; session++) {
        if (!lock_session(areas, session, F_WRLCK))
            continue;
        if (claimed < 0) {
            claimed = session;
        } else {
            end_unused(page_of(registers, session));
            lock_session(areas, session, F_UNLCK);
        }
    }
    return claimed;
}

static int64_t claim(int areas, volatile uint32_t *registers, uint32_t sessions)
{
    for (int attempt = 0; attempt < CLAIM_ATTEMPTS; attempt++) {
        int64_t claimed = claim_once(areas, registers, sessions);
        if (claimed >= 0)
            return claimed;
        struct timespec pause = gpuvm_timespec(CLAIM_PAUSE_NS);
        nanosleep(&pause, NULL);
    }
    return -1;
}

/* Begins a session, and waits until the backend has opened it. */
static CUresult begin(struct gpuvm_link *link, const char *address)
{
    volatile uint32_t *page = link->registers;
    GPUVM_WRITE_REGISTER(page, CONTROL, BEGIN);
    link->session = page[SESSION];
    uint64_t limit = gpuvm_now() + ANSWER_NS;
    uint64_t nap = FIRST_NAP_NS;
    uint32_t state = page[STATE];
    while (state == PENDING && page[SESSION] == link->session && gpuvm_now() < limit) {
        struct timespec pause = gpuvm_timespec(nap);
        nanosleep(&pause, NULL);
        nap = nap * 2 < LONGEST_NAP_NS ? nap * 2 : LONGEST_NAP_NS;
        state = page[STATE];
    }
    if (state == OPEN && page[SESSION] == link->session)
        return CUDA_SUCCESS;
    if (state == REFUSED)
        gpuvm_explain("the backend behind the PCI function %s refuses the session", address);
    else
        gpuvm_explain("PCI function %s: state=%u, expected=%d", address, state, OPEN);
    return CUDA_ERROR_DEVICE_UNAVAILABLE;
}

/* Chooses a session of a function whose registers are mapped, and opens it. */
static CUresult open_session(struct gpuvm_link *link, const char *address, volatile uint32_t *registers, uint32_t sessions)
{
    if (flock(link->area, LOCK_SH | LOCK_NB) != 0) {
        gpuvm_explain("sessions=2, limit=1: the PCI function %s is in use by a program of a version without sessions", address);
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    }
    int64_t session = claim(link->area, registers, sessions);
    if (session < 0) {
        gpuvm_explain("sessions=%u, limit=%u: all sessions of the PCI function %s are in use", sessions + 1, sessions, address);
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    }
    link->registers = page_of(registers, (uint32_t)session);
    CUresult outcome = begin(link, address);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    link->area_bytes = read_pair(link->registers, AREA_BYTES);
    link->area_start = read_pair(link->registers, AREA_START);
    link->kind = &PCI_FUNCTION;
    return CUDA_SUCCESS;
}

static CUresult open_function(struct gpuvm_link *link, const char *address)
{
    volatile uint32_t *first = map_registers(address, 1);
    link->area = open_file(address, "resource2", O_RDWR);
    if (first == NULL || link->area < 0) {
        gpuvm_explain("PCI function %s: %s", address, strerror(errno));
        if (first != NULL)
            unmap_registers(first, 1);
        return CUDA_ERROR_NO_DEVICE;
    }
    uint32_t sessions = first[SESSIONS];
    unmap_registers(first, 1);
    if (sessions == 0)
        sessions = 1;
    if (sessions > MAX_SESSIONS) {
        gpuvm_explain("PCI function %s: sessions=%u, limit=%d", address, sessions, MAX_SESSIONS);
        return CUDA_ERROR_NO_DEVICE;
    }
    volatile uint32_t *registers = map_registers(address, sessions);
    if (registers == NULL) {
        gpuvm_explain("PCI function %s: %s", address, strerror(errno));
        return CUDA_ERROR_NO_DEVICE;
    }
    CUresult outcome = open_session(link, address, registers, sessions);
    if (outcome != CUDA_SUCCESS)
        unmap_registers(registers, sessions);
    return outcome;
}

CUresult gpuvm_pci_open(struct gpuvm_link *link, const char *address)
{
    char found[NAME_MAX + 1];
    int error = 0;
    if (address == NULL) {
        int functions = find(found, true);
        if (functions != 1) {
            gpuvm_explain("PCI functions %04x:%04x of backends for CUDA: %d, expected=1%s", VENDOR, DEVICE, functions,
                functions == 0 ? "" : "; select one by GPUVM_CUDA=pci:ADDRESS");
            return CUDA_ERROR_NO_DEVICE;
        }
        address = found;
    }
    if (address[0] == '.' || strchr(address, '/') != NULL || !is_for_cuda(address, &error)) {
        gpuvm_explain("address=%s, expected a PCI function %04x:%04x of a backend for CUDA%s%s", address, VENDOR, DEVICE, error == 0 ? "" : ": ",
            error == 0 ? "" : strerror(error));
        return CUDA_ERROR_NO_DEVICE;
    }
    return open_function(link, address);
}
