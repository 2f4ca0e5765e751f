package io.gpuvm.linux;

import java.lang.foreign.MemorySegment;

/// Code of an ioctl(2) whose argument is a structure.
///
/// @param name name of the ioctl in the kernel's header, for messages
/// @param number number of the ioctl
/// @param bytes size of the structure
public record IoctlCode(String name, long number, int bytes) {
    /// Direction in which the structure's data moves, as seen by the caller.
    public enum Direction {
        /// Structure that the kernel reads.
        WRITE(1),
        /// Structure that the kernel reads and then fills.
        READ_WRITE(3);

        private final int bits;

        Direction(int bits) {
            this.bits = bits;
        }
    }

    // positions of a code's fields, from include/uapi/asm-generic/ioctl.h
    private static final int TYPE_SHIFT = 8;

    private static final int SIZE_SHIFT = 16;
    private static final int SIZE_BITS = 14;
    private static final int DIRECTION_SHIFT = SIZE_SHIFT + SIZE_BITS;

    /// Returns the code that `_IOC(direction, type, index, bytes)` denotes.
    ///
    /// @param type type of the driver's ioctls, one character
    /// @param index number of the ioctl within the type, at most 255
    /// @param bytes size of the structure, less than 16 KiB
    public static IoctlCode of(String name, Direction direction, char type, int index, int bytes) {
        long number =
                (long) direction.bits << DIRECTION_SHIFT
                        | (long) bytes << SIZE_SHIFT
                        | (long) type << TYPE_SHIFT
                        | index;
        return new IoctlCode(name, number, bytes);
    }

    /// Performs the ioctl. Retries if a signal interrupts the call, or if the driver returns
    /// `EAGAIN`.
    ///
    /// @param argument native memory of the structure, at least [#bytes()] long
    /// @throws LinuxException if the ioctl fails for another reason
    public void call(Descriptor device, MemorySegment argument) {
        int errno = tryCall(device, argument);
        if (errno != 0) {
            throw new LinuxException(name, errno);
        }
    }

    /// Performs the ioctl as [#call] does, and returns the error number; 0 on success.
    public int tryCall(Descriptor device, MemorySegment argument) {
        if (argument.byteSize() < bytes) {
            throw new IllegalArgumentException(
                    "%s: argument bytes=%d, expected at least %d"
                            .formatted(name, argument.byteSize(), bytes));
        }
        int descriptor = device.number();
        while (Native.C.ioctl(descriptor, number, argument.address()) < 0) {
            int errno = Native.errno();
            if (errno != Errno.EINTR.number() && errno != Errno.EAGAIN.number()) {
                return errno;
            }
        }
        return 0;
    }
}
