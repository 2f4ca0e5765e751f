package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.Errno;

/// Reason for the refusal of a message: one constant per kind of error, with the error number of
/// the reply.
public enum Refusal {
    MESSAGE_TOO_SHORT(Errno.EINVAL, true, "size is smaller than a header"),
    MESSAGE_TOO_LONG(Errno.EINVAL, true, "size exceeds the longest message"),
    DESCRIPTORS_LOST(Errno.EINVAL, true, "too many descriptors in one message"),
    DESCRIPTOR_PATH_ONLY(Errno.EBADF, false, "descriptor was opened as a path only (O_PATH)"),
    DESCRIPTORS_TWICE(Errno.EINVAL, true, "descriptors were attached twice to one message"),
    NOT_A_COMMAND(Errno.EINVAL, false, "type is not TYPE_COMMAND"),
    UNKNOWN_COMMAND(Errno.EINVAL, false, "unknown command"),
    UNSUPPORTED_COMMAND(Errno.ENOTSUP, false, "command is not supported"),
    BODY_TOO_SHORT(Errno.EINVAL, false, "body is too short for this command"),
    BODY_LENGTH_WRONG(Errno.EINVAL, false, "length of the body does not match its fields"),
    ARGSZ_TOO_SMALL(Errno.EINVAL, false, "argsz is too small for the reply"),
    ARGSZ_TOO_LARGE(Errno.EINVAL, false, "argsz is larger than the longest reply"),

    VERSION_MISSING(Errno.EINVAL, true, "the first message must be VERSION"),
    VERSION_AGAIN(Errno.EINVAL, false, "version is already negotiated"),
    VERSION_BODY(Errno.EINVAL, true, "body is too short or too long for VERSION"),
    VERSION_MAJOR(Errno.EINVAL, true, "major version is not supported"),
    VERSION_DESCRIPTORS(Errno.EINVAL, true, "VERSION must not carry descriptors"),
    VERSION_UNTERMINATED(Errno.EINVAL, true, "version data does not end in NUL"),
    VERSION_JSON(Errno.EINVAL, true, "version data is not a JSON object"),
    VERSION_CAPABILITY(Errno.EINVAL, true, "a capability has a wrong type or value"),

    DMA_FLAGS(Errno.EINVAL, false, "unknown DMA flags"),
    DMA_RANGE_EMPTY(Errno.EINVAL, false, "DMA range is empty"),
    DMA_RANGE_UNALIGNED(Errno.EINVAL, false, "DMA range is not page-aligned"),
    DMA_RANGE_WRAPS(Errno.EINVAL, false, "DMA range wraps around the address space"),
    DMA_RANGE_TOO_LARGE(Errno.ENOSPC, false, "DMA range is too large"),
    DMA_RANGE_OVERLAPS(Errno.EEXIST, false, "DMA range overlaps another range"),
    DMA_TABLE_FULL(Errno.EINVAL, false, "too many DMA ranges"),
    DMA_FILES_FULL(Errno.ENOSPC, false, "too many different files as guest memory"),
    DMA_DESCRIPTOR_MISSING(Errno.EINVAL, false, "access by mmap or file I/O requires a descriptor"),
    DMA_DESCRIPTORS_MANY(Errno.EINVAL, false, "too many descriptors for one DMA range"),
    DMA_FILE_SYSTEM(Errno.EINVAL, false, "access to pages of this file may block a thread"),
    DMA_FILE_TOO_SHORT(Errno.EINVAL, false, "file ends before the DMA range ends"),
    DMA_MEMORY_UNUSABLE(Errno.EINVAL, false, "the device cannot use this memory"),
    UNMAP_FLAGS(Errno.EINVAL, false, "unknown or unsupported unmap flags"),
    UNMAP_ALL_WITH_RANGE(Errno.EINVAL, false, "unmapping of all ranges must not specify a range"),

    REGION_INDEX(Errno.EINVAL, false, "unknown region"),
    REGION_ABSENT(Errno.EINVAL, false, "device does not have this region"),
    REGION_READ_ONLY(Errno.EINVAL, false, "region is read-only"),
    REGION_RANGE(Errno.EINVAL, false, "access ends beyond its region"),
    REGION_COUNT(Errno.EINVAL, false, "access is too long"),
    IO_FDS_FLAGS(Errno.EINVAL, false, "flags must be 0"),
    IO_FDS_COUNT(Errno.EINVAL, false, "count must be 0"),

    IRQ_INDEX(Errno.EINVAL, false, "unknown kind of interrupt"),
    IRQ_ACTION(Errno.EINVAL, false, "flags do not contain exactly one action"),
    IRQ_DATA_TYPE(Errno.EINVAL, false, "flags do not contain exactly one data type"),
    IRQ_FLAGS(Errno.EINVAL, false, "unknown interrupt flags"),
    IRQ_RANGE(Errno.EINVAL, false, "vectors are out of range"),
    IRQ_COUNT_ZERO(Errno.EINVAL, false, "count 0 is valid only for disabling a kind of interrupt"),
    IRQ_NOT_MASKABLE(Errno.EINVAL, false, "kind of interrupt is not maskable"),
    IRQ_MASK_EVENT(Errno.ENOTSUP, false, "masking by eventfd is not supported"),
    IRQ_DESCRIPTORS(Errno.EINVAL, false, "number of descriptors does not match the vectors"),
    IRQ_NO_EVENTFD(Errno.EINVAL, false, "descriptor is not an eventfd"),
    IRQ_SEMAPHORE(Errno.EINVAL, false, "eventfd is a semaphore, which a read does not reset to 0"),

    FEATURE_UNSUPPORTED(Errno.ENOTTY, false, "device feature is not supported"),
    DEVICE_FAILED(Errno.EIO, false, "the device failed");

    private final Errno errno;
    private final boolean closes;
    private final String meaning;

    Refusal(Errno errno, boolean closes, String meaning) {
        this.errno = errno;
        this.closes = closes;
        this.meaning = meaning;
    }

    /// Returns the error number in the reply.
    int errno() {
        return errno.number();
    }

    /// Returns whether the connection ends, because the remaining stream cannot be parsed or
    /// trusted.
    boolean closes() {
        return closes;
    }

    /// Returns the reason in words.
    public String meaning() {
        return meaning;
    }
}
