package io.gpuvm.counters;

import java.nio.file.Path;
import org.agrona.concurrent.AtomicBuffer;

/// Layout of the first page of a counters file. Numbers are little-endian.
final class FileHeader {
    /// The bytes `GPUVMCNT`.
    static final long MAGIC = 0x544e434d56555047L;

    /// Version of the format.
    static final int VERSION = 1;

    /// Length of the header; the metadata follows it, then the values.
    static final int BYTES = 4096;

    static final int MAGIC_AT = 0;
    static final int VERSION_AT = 8;

    /// Number of counters for which the file has room.
    static final int CAPACITY_AT = 12;

    static final int PID_AT = 16;

    /// Start of the process, in milliseconds since 1970, as the kernel reports it.
    static final int PROCESS_START_MS_AT = 24;

    /// Creation of the file, in milliseconds since 1970.
    static final int START_MS_AT = 32;

    /// Last heartbeat, in milliseconds since 1970.
    static final int HEARTBEAT_MS_AT = 40;

    /// Last heartbeat, in nanoseconds of the host's monotonic clock.
    static final int HEARTBEAT_NS_AT = 48;

    static final int STATE_AT = 56;

    /// Length in bytes of [#NAME_AT].
    static final int NAME_BYTES_AT = 60;

    /// Name of the backend's GPU, in ASCII.
    static final int NAME_AT = 64;

    static final int MOST_NAME_BYTES = 128;

    /// Length in bytes of [#CONTROL_AT]; 0 without a control socket.
    static final int CONTROL_BYTES_AT = 252;

    /// Absolute path of the control socket, in UTF-8.
    static final int CONTROL_AT = 256;

    /// PID namespace of the process, as the number of its inode; 0 if it is unknown.
    static final int NAMESPACE_AT = 368;

    /// Greatest length of the path of a socket (unix(7)).
    static final int MOST_CONTROL_BYTES = 108;

    /// State of a backend that serves, or has died.
    static final int SERVING = 1;

    /// State of a backend that has closed the file.
    static final int STOPPED = 2;

    private FileHeader() {}

    /// Checks the header of a mapped file.
    ///
    /// @param bytes length of the file
    /// @throws CountersException if the file is not a counters file of this version
    static void check(Path file, AtomicBuffer buffer, long bytes) {
        if (bytes < BYTES || buffer.getLong(MAGIC_AT) != MAGIC) {
            throw new CountersException("%s: not a file of gpuvm's counters".formatted(file));
        }
        int version = buffer.getInt(VERSION_AT);
        if (version != VERSION) {
            throw new CountersException(
                    "%s: version=%d, expected=%d".formatted(file, version, VERSION));
        }
        int capacity = buffer.getInt(CAPACITY_AT);
        long wanted = FileSize.of(Math.max(capacity, 0));
        if (capacity <= 0 || wanted != bytes) {
            throw new CountersException(
                    "%s: counters=%d, bytes=%d, expected=%d"
                            .formatted(file, capacity, bytes, wanted));
        }
    }
}
