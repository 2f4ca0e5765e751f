package io.gpuvm.vfio;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import io.gpuvm.linux.Errno;

/// Open file of VFIO (container, group or device), and the system calls on it.
///
/// Confined to one thread.
final class KernelFile implements AutoCloseable {
    private static final int O_RDWR = 0x2;
    private static final int O_CLOEXEC = 0x80000;
    private static final C C_LIBRARY = Native.load("c", C.class);

    private final String name;
    private final int descriptor;
    private final Memory word = new Memory(Long.BYTES);
    private boolean closed;

    /// @param name name of the file in messages
    KernelFile(String name, int descriptor) {
        this.name = name;
        this.descriptor = descriptor;
    }

    /// Opens a file for reading and writing.
    static KernelFile open(String path) {
        try {
            return new KernelFile(path, C_LIBRARY.open(path, O_RDWR | O_CLOEXEC));
        } catch (LastErrorException e) {
            throw new VfioException(path, "open", e.getErrorCode());
        }
    }

    String name() {
        return name;
    }

    int descriptor() {
        return descriptor;
    }

    /// Performs an ioctl with an integer argument.
    int call(VfioIoctl request, long argument) {
        return call(request, () -> C_LIBRARY.ioctl(descriptor, request.number(), argument));
    }

    /// Performs an ioctl with a structure that the kernel reads and may fill.
    int call(VfioIoctl request, Structure argument) {
        argument.write();
        int result =
                call(
                        request,
                        () -> C_LIBRARY.ioctl(descriptor, request.number(), argument.getPointer()));
        argument.read();
        return result;
    }

    /// Performs an ioctl with memory of the caller's layout.
    int call(VfioIoctl request, Pointer argument) {
        return call(request, () -> C_LIBRARY.ioctl(descriptor, request.number(), argument));
    }

    /// Reads 1, 2, 4 or 8 bytes.
    long read(long offset, int width) {
        word.setLong(0, 0);
        transfer("pread", offset, width, () -> C_LIBRARY.pread(descriptor, word, width, offset));
        return word.getLong(0);
    }

    /// Writes the low 1, 2, 4 or 8 bytes of a value.
    void write(long offset, int width, long value) {
        word.setLong(0, value);
        transfer("pwrite", offset, width, () -> C_LIBRARY.pwrite(descriptor, word, width, offset));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            C_LIBRARY.close(descriptor);
            word.close();
        }
    }

    private interface Call {
        long make() throws LastErrorException;
    }

    private int call(VfioIoctl request, Call call) {
        try {
            return (int) retry(call);
        } catch (LastErrorException e) {
            throw new VfioException(name, request.name(), e.getErrorCode());
        }
    }

    private void transfer(String what, long offset, int width, Call call) {
        String described = "%s of %d bytes at %#x".formatted(what, width, offset);
        try {
            if (retry(call) != width) {
                throw new VfioException(name, described, Errno.EIO.number());
            }
        } catch (LastErrorException e) {
            throw new VfioException(name, described, e.getErrorCode());
        }
    }

    /// Repeats a call if a signal interrupts it.
    private static long retry(Call call) {
        while (true) {
            try {
                return call.make();
            } catch (LastErrorException e) {
                if (e.getErrorCode() != Errno.EINTR.number()) {
                    throw e;
                }
            }
        }
    }

    /// Functions of the C library, with the signatures of the manual pages for 64-bit Linux.
    /// Public, because JNA implements it.
    public interface C extends Library {
        int open(String path, int flags) throws LastErrorException;

        int close(int descriptor);

        int ioctl(int descriptor, long request, long argument) throws LastErrorException;

        int ioctl(int descriptor, long request, Pointer argument) throws LastErrorException;

        long pread(int descriptor, Pointer buffer, long bytes, long offset)
                throws LastErrorException;

        long pwrite(int descriptor, Pointer buffer, long bytes, long offset)
                throws LastErrorException;
    }
}
