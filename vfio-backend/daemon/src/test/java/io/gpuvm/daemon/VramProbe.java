package io.gpuvm.daemon;

import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/// Guest that writes or reads all of its VRAM.
final class VramProbe {
    private static final long PIECE = 8L << 20;

    private VramProbe() {}

    /// Fills VRAM with a pattern.
    ///
    /// @param most maximum number of bytes
    /// @return session that holds the VRAM
    static GpuContext fill(Path socket, byte[] pattern, long most) {
        GpuContext context = GpuContext.open(PvTransport.connect(socket));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment piece = arena.allocate(PIECE);
            for (long at = 0; at < PIECE; at += pattern.length) {
                MemorySegment.copy(pattern, 0, piece, ValueLayout.JAVA_BYTE, at, pattern.length);
            }
            long bytes = Math.min(most, context.freeVramBytes()) / PIECE * PIECE;
            DeviceMemory memory = context.allocate(bytes);
            for (long at = 0; at < bytes; at += PIECE) {
                context.defaultStream().copyToDevice(memory, at, piece);
            }
            context.defaultStream().synchronize();
        }
        return context;
    }

    /// Returns whether VRAM reads as zeros.
    ///
    /// @param bytes minimum size of the VRAM that is read
    static boolean isZero(Path socket, long bytes) {
        try (GpuContext context = GpuContext.open(PvTransport.connect(socket));
                Arena arena = Arena.ofConfined()) {
            MemorySegment piece = arena.allocate(PIECE);
            MemorySegment zeros = arena.allocate(PIECE);
            long all = context.freeVramBytes() / PIECE * PIECE;
            if (all < bytes / PIECE * PIECE - PIECE) {
                throw new AssertionError("free=%d, expected %d".formatted(all, bytes));
            }
            try (DeviceMemory memory = context.allocate(all)) {
                for (long at = 0; at < all; at += PIECE) {
                    context.defaultStream().copyToHost(piece, memory, at);
                    if (piece.mismatch(zeros) >= 0) {
                        return false;
                    }
                }
            }
            return true;
        }
    }
}
