package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.Errno;

/// Why a message is refused: one constant per way to be wrong, with the error number that the
/// client gets.
public enum Refusal {
    MESSAGE_TOO_SHORT(Errno.EINVAL, true, "size is less than a header"),
    MESSAGE_TOO_LONG(Errno.EINVAL, true, "size is more than any message needs"),
    DESCRIPTORS_LOST(Errno.EINVAL, true, "more descriptors than one message may carry"),
    DESCRIPTOR_PATH_ONLY(Errno.EBADF, false, "descriptor was opened as a path only (O_PATH)"),
    DESCRIPTORS_TWICE(Errno.EINVAL, true, "one message came with descriptors twice"),
    NOT_A_COMMAND(Errno.EINVAL, false, "type is not command"),
    UNKNOWN_COMMAND(Errno.EINVAL, false, "no such command"),
    UNSUPPORTED_COMMAND(Errno.ENOTSUP, false, "command is not supported"),
    BODY_TOO_SHORT(Errno.EINVAL, false, "body is too short for this command"),
    BODY_LENGTH_WRONG(Errno.EINVAL, false, "body does not have the length that its fields say"),
    ARGSZ_TOO_SMALL(Errno.EINVAL, false, "argsz has no room for the answer"),
    ARGSZ_TOO_LARGE(Errno.EINVAL, false, "argsz is more than a reply may have"),

    VERSION_MISSING(Errno.EINVAL, true, "the first message must be VERSION"),
    VERSION_AGAIN(Errno.EINVAL, false, "the version is negotiated already"),
    VERSION_BODY(Errno.EINVAL, true, "body is too short or too long for a version"),
    VERSION_MAJOR(Errno.EINVAL, true, "major version is not spoken"),
    VERSION_DESCRIPTORS(Errno.EINVAL, true, "VERSION takes no descriptors"),
    VERSION_UNTERMINATED(Errno.EINVAL, true, "version data does not end in NUL"),
    VERSION_JSON(Errno.EINVAL, true, "version data is no JSON object"),
    VERSION_CAPABILITY(Errno.EINVAL, true, "a capability has a wrong type or value"),

    DMA_FLAGS(Errno.EINVAL, false, "unknown DMA flags"),
    DMA_RANGE_EMPTY(Errno.EINVAL, false, "DMA range has no bytes"),
    DMA_RANGE_UNALIGNED(Errno.EINVAL, false, "DMA range is not made of whole pages"),
    DMA_RANGE_WRAPS(Errno.EINVAL, false, "DMA range ends beyond the address space"),
    DMA_RANGE_TOO_LARGE(Errno.ENOSPC, false, "DMA range is too large"),
    DMA_RANGE_OVERLAPS(Errno.EEXIST, false, "DMA range overlaps another one"),
    DMA_TABLE_FULL(Errno.EINVAL, false, "too many DMA ranges"),
    DMA_FILES_FULL(Errno.ENOSPC, false, "too many different files as guest memory"),
    DMA_DESCRIPTOR_MISSING(Errno.EINVAL, false, "this way of access needs a descriptor"),
    DMA_DESCRIPTORS_MANY(Errno.EINVAL, false, "a DMA range has one descriptor at most"),
    DMA_FILE_SYSTEM(Errno.EINVAL, false, "the pages of this file may keep a thread waiting"),
    DMA_FILE_TOO_SHORT(Errno.EINVAL, false, "file ends before the DMA range does"),
    DMA_MEMORY_UNUSABLE(Errno.EINVAL, false, "the device cannot use this memory"),
    UNMAP_FLAGS(Errno.EINVAL, false, "unknown or unsupported unmap flags"),
    UNMAP_ALL_WITH_RANGE(Errno.EINVAL, false, "unmapping everything takes no range"),

    REGION_INDEX(Errno.EINVAL, false, "no such region"),
    REGION_ABSENT(Errno.EINVAL, false, "the device does not have this region"),
    REGION_READ_ONLY(Errno.EINVAL, false, "region cannot be written"),
    REGION_RANGE(Errno.EINVAL, false, "access ends beyond its region"),
    REGION_COUNT(Errno.EINVAL, false, "access is too long"),
    IO_FDS_FLAGS(Errno.EINVAL, false, "flags must be 0"),
    IO_FDS_COUNT(Errno.EINVAL, false, "count must be 0"),

    IRQ_INDEX(Errno.EINVAL, false, "no such kind of interrupt"),
    IRQ_ACTION(Errno.EINVAL, false, "not exactly one action"),
    IRQ_DATA_TYPE(Errno.EINVAL, false, "not exactly one type of data"),
    IRQ_FLAGS(Errno.EINVAL, false, "unknown interrupt flags"),
    IRQ_RANGE(Errno.EINVAL, false, "no such vectors"),
    IRQ_COUNT_ZERO(Errno.EINVAL, false, "only disabling a whole kind has no vectors"),
    IRQ_NOT_MASKABLE(Errno.EINVAL, false, "this kind cannot be masked"),
    IRQ_MASK_EVENT(Errno.ENOTSUP, false, "masking by eventfd is not supported"),
    IRQ_DESCRIPTORS(Errno.EINVAL, false, "number of descriptors does not fit the vectors"),
    IRQ_NO_EVENTFD(Errno.EINVAL, false, "descriptor is no eventfd"),
    IRQ_SEMAPHORE(Errno.EINVAL, false, "eventfd is a semaphore, which no reading sets to 0"),

    FEATURE_UNSUPPORTED(Errno.ENOTTY, false, "no such device feature"),
    DEVICE_FAILED(Errno.EIO, false, "the device failed");

    private final Errno errno;
    private final boolean closes;
    private final String meaning;

    Refusal(Errno errno, boolean closes, String meaning) {
        this.errno = errno;
        this.closes = closes;
        this.meaning = meaning;
    }

    /// The error number in the reply.
    int errno() {
        return errno.number();
    }

    /// Whether the connection ends, because what follows cannot be understood or trusted.
    boolean closes() {
        return closes;
    }

    /// The reason in words.
    public String meaning() {
        return meaning;
    }
}
