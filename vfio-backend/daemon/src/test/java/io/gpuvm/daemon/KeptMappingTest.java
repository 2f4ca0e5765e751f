package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.trap.client.RegionMap;
import io.gpuvm.trap.client.VfioUserClient;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of a client that keeps writing to its mappings while it is being disconnected.
@Timeout(60)
class KeptMappingTest {
    private static final int BAR0 = 0;
    private static final int ROUNDS = 20;
    private static final byte THEIRS = 0x5a;
    private static final byte[] ZEROS = new byte[Pramin.WINDOW.end() - Pramin.WINDOW.first()];
    private static final long NO_MISMATCH = -1;

    @TempDir Path folder;

    @Test
    void givenClientThatWritesUntilEnd_whenDisconnected_thenNextClientFindsZeros()
            throws InterruptedException {
        Path socket = folder.resolve("vm");
        VmConfig vm = VmConfig.parse("vm,mode=fv,map=all,vram=64M,socket=" + socket);
        BackendConfig config =
                new BackendConfig(
                        GpuSpec.parse("soft,vram=64M"),
                        List.of(vm),
                        IdleMode.BACKOFF,
                        Duration.ofSeconds(10));
        try (Backend _ = Backend.start(config, () -> {})) {
            for (int round = 0; round < ROUNDS; round++) {
                writeUntilGone(socket);
            }
        }
    }

    private static void writeUntilGone(Path socket) throws InterruptedException {
        AtomicBoolean gone = new AtomicBoolean();
        try (MappedMemory kept = leaveWithPramin(socket)) {
            Thread writer =
                    Thread.ofPlatform()
                            .start(() -> {
                                while (!gone.get()) {
                                    kept.segment().fill(THEIRS);
                                }
                            });
            try (VfioUserClient next = new VfioUserClient(socket).negotiate()) {
                gone.set(true);
                assertEquals(NO_MISMATCH, pramin(next).mismatch(MemorySegment.ofArray(ZEROS)));
            } finally {
                gone.set(true);
                writer.join();
            }
        }
    }

    private static MappedMemory leaveWithPramin(Path socket) {
        try (VfioUserClient client = new VfioUserClient(socket).negotiate();
                RegionMap bar0 = client.regionMap(BAR0)) {
            MappedMemory pramin = bar0.map(bar0.areas().getLast());
            pramin.segment().fill(THEIRS);
            return pramin;
        }
    }

    /// Returns the beginning of VRAM, which PRAMIN shows.
    private static MemorySegment pramin(VfioUserClient client) {
        MemorySegment found = MemorySegment.ofArray(new byte[ZEROS.length]);
        int step = VfioUserClient.MAX_READ_BYTES;
        for (int at = 0; at < ZEROS.length; at += step) {
            client.read(BAR0, Pramin.WINDOW.first() + at, step, found.asSlice(at));
        }
        return found;
    }
}
