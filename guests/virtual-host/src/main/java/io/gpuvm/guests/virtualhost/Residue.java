package io.gpuvm.guests.virtualhost;

import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Paravirtual guest that allocates all available VRAM, checks that it contains no data of an
/// earlier guest, and leaves its own data.
///
/// Argument: socket of the backend. Exit status 0 if all VRAM was zero and now contains the written
/// data.
final class Residue {
    private static final long PIECE_BYTES = 4L << 20;
    private static final int SECRET = 0x5e;

    private Residue() {}

    public static void main(String[] args) {
        try (GpuContext gpu = GpuContext.open(PvTransport.connect(Path.of(args[0])));
                Arena arena = Arena.ofConfined()) {
            GpuStream stream = gpu.defaultStream();
            MemorySegment zeros = arena.allocate(PIECE_BYTES, Long.BYTES);
            MemorySegment seen = arena.allocate(PIECE_BYTES, Long.BYTES);
            List<DeviceMemory> pieces = allThereIs(gpu);
            int clean = 0;
            int kept = 0;
            for (DeviceMemory piece : pieces) {
                stream.copyToHost(seen, piece, 0);
                clean += seen.mismatch(zeros) < 0 ? 1 : 0;
                stream.fill(piece, 0, PIECE_BYTES, SECRET);
                stream.copyToHost(seen, piece, 0);
                kept += seen.mismatch(zeros) == 0 ? 1 : 0;
            }
            String found =
                    "pieces: %d of %d MiB, zero before: %d, with the secret now: %d"
                            .formatted(pieces.size(), PIECE_BYTES >> 20, clean, kept);
            boolean ok = !pieces.isEmpty() && clean == pieces.size() && kept == pieces.size();
            System.out.printf(
                    "@gpuvm {\"event\":\"check\",\"ok\":%b,\"text\":\"%s\"}%n", ok, found);
            System.exit(ok ? 0 : 1);
        }
    }

    private static List<DeviceMemory> allThereIs(GpuContext gpu) {
        List<DeviceMemory> pieces = new ArrayList<>();
        try {
            for (; ; ) {
                pieces.add(gpu.allocate(PIECE_BYTES));
            }
        } catch (GpuException _) {
            return pieces;
        }
    }
}
