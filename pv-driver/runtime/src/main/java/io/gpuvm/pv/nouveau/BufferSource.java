package io.gpuvm.pv.nouveau;

import io.gpuvm.linux.Errno;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.pv.transport.GenericWindows;
import io.gpuvm.pv.transport.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/// Source of buffers of one domain, with addresses outside the [GenericWindows]. One thread at a
/// time.
final class BufferSource {
    private final NouveauPort port;
    private final Pauses pauses;
    private final Domain domain;
    private final String name;
    private final LongUnaryOperator leftBeside;
    private long used;

    /// @param name name of the memory in messages
    /// @param leftBeside returns the number of bytes that may remain beside buffers of the given
    ///   total length
    BufferSource(
            NouveauPort port,
            Pauses pauses,
            Domain domain,
            String name,
            LongUnaryOperator leftBeside) {
        this.port = port;
        this.pauses = pauses;
        this.domain = domain;
        this.name = name;
        this.leftBeside = leftBeside;
    }

    /// Creates a buffer. The check of the length is necessary: instead of refusing a buffer that
    /// exceeds the VRAM, nouveau would evict other buffers of this process, and instead of refusing
    /// a buffer that exceeds the host's memory, Linux would kill a process.
    ///
    /// @throws TransportException if not enough memory remains; the message names the remainder
    GemBuffer create(long bytes) {
        long left = left();
        if (bytes > left) {
            throw new TransportException("%s bytes=%d, limit=%d left".formatted(name, bytes, left));
        }
        List<GemBuffer> unusable = new ArrayList<>();
        try {
            GemBuffer buffer = newBuffer(bytes);
            while (GenericWindows.overlap(buffer.gpuVa(), buffer.bytes())) {
                // Until another buffer is found, the unusable one keeps nouveau from choosing its
                // address again.
                unusable.add(buffer);
                buffer = newBuffer(bytes);
            }
            used += bytes;
            return buffer;
        } catch (LinuxException e) {
            throw new TransportException(
                    "%s bytes=%d, at most %d left: %s".formatted(name, bytes, left, e.getMessage()),
                    e);
        } finally {
            unusable.forEach(port::release);
        }
    }

    /// Creates a buffer. Retries a refused request for VRAM: another process may be using a buffer
    /// that nouveau would have to move. An interrupt does not end the retries.
    private GemBuffer newBuffer(long bytes) {
        long sinceNs = pauses.nanoTime();
        while (true) {
            try {
                return port.newBuffer(domain, bytes);
            } catch (LinuxException e) {
                long waitedNs = pauses.nanoTime() - sinceNs;
                boolean pressure = domain == Domain.VRAM && e.is(Errno.ENOMEM);
                if (!pressure || waitedNs >= Submitter.FULL_LIMIT_NS) {
                    throw e;
                }
                pauses.pauseFully(Pauses.longInterval(waitedNs));
            }
        }
    }

    void release(GemBuffer buffer) {
        used -= buffer.bytes();
        port.release(buffer);
    }

    /// Returns the maximum number of bytes that remain. nouveau and other processes use some of
    /// them.
    long left() {
        return leftBeside.applyAsLong(used);
    }
}
