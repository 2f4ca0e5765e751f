package io.gpuvm.pv.bare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.tests.gpu.RunningGpu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NativeMemoryTest {
    private static final int PAGE = 4096;
    private static final int MIB = 1 << 20;
    private static final long FOUR_GIB = 1L << 32;

    private final RunningGpu gpu = new RunningGpu();
    private final NativeTransport transport = NativeTransport.open(gpu.device());

    @AfterEach
    void close() {
        transport.close();
        gpu.close();
    }

    @Test
    void givenRandomAllocations_whenCompared_thenAddressesAreDisjointAndInRange() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<GpuMemory> held = new ArrayList<>();
        for (int step = 0; step < 400; step++) {
            if (held.size() < 40 && random.nextInt(3) > 0) {
                long bytes = 1 + random.nextInt(random.nextBoolean() ? 3 * PAGE : MIB);
                GpuMemory memory =
                        random.nextBoolean()
                                ? transport.allocateVram(bytes)
                                : transport.allocateHost(bytes);
                assertTrue(memory.bytes() >= bytes && memory.bytes() < bytes + PAGE);
                assertEquals(0, memory.gpuVa() % PAGE);
                checkApart(memory, held, seed);
                held.add(memory);
            } else if (!held.isEmpty()) {
                held.remove(random.nextInt(held.size())).close();
            }
        }
    }

    private static void checkApart(GpuMemory memory, List<GpuMemory> others, long seed) {
        long start = memory.gpuVa();
        long end = start + memory.bytes();
        assertTrue(start > 0 && end <= FOUR_GIB, () -> "seed=" + seed);
        for (GpuMemory other : others) {
            boolean apart = end <= other.gpuVa() || other.gpuVa() + other.bytes() <= start;
            assertTrue(apart, () -> "seed=" + seed);
        }
    }

    @Test
    void givenFreedHostMemory_whenReallocated_thenMemoryIsZero() throws Exception {
        for (int bytes : new int[] {PAGE, 3 * PAGE, MIB, 9 * MIB}) {
            HostMemory used = transport.allocateHost(bytes);
            used.segment().fill((byte) 0x5a);
            used.close();

            HostMemory fresh = transport.allocateHost(bytes);

            MemorySegment zeros = MemorySegment.ofArray(new byte[bytes]);
            assertEquals(-1, fresh.segment().mismatch(zeros), () -> "bytes=" + bytes);
            fresh.close();
        }
    }

    @Test
    void givenHostMemory_whenClosed_thenAccessIsRefusedAndSecondCloseHasNoEffect() {
        HostMemory memory = transport.allocateHost(PAGE);
        memory.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);

        memory.close();
        memory.close();

        assertThrows(
                IllegalStateException.class, () -> memory.segment().get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void givenAlmostFullVram_whenLargerPieceIsRequested_thenErrorNamesFreeBytes() {
        long bytes = transport.limits().vramBytes();
        GpuMemory most = transport.allocateVram(bytes - PAGE);

        TransportException e =
                assertThrows(TransportException.class, () -> transport.allocateVram(2 * PAGE));
        assertEquals("vram bytes=8192, limit=4096 left", e.getMessage());

        most.close();
        transport.allocateVram(bytes).close();
    }

    @Test
    void givenFragmentedVram_whenLargePieceIsAllocated_thenPiecesAreJoined() throws Exception {
        List<GpuMemory> pieces = new ArrayList<>();
        long left = transport.limits().vramBytes();
        for (; left > 0; left -= 64 << 10) {
            pieces.add(transport.allocateVram(64 << 10));
        }
        for (int i = 1; i < pieces.size(); i += 2) {
            pieces.get(i).close();
        }

        GpuMemory joined = transport.allocateVram(MIB);

        byte[] bytes = new byte[MIB];
        new Random(1).nextBytes(bytes);
        try (PushBuffer push = new PushBuffer(transport)) {
            HostMemory source = transport.allocateHost(MIB);
            HostMemory target = transport.allocateHost(MIB);
            source.segment().copyFrom(MemorySegment.ofArray(bytes));
            for (int at = 0; at < MIB; at += PAGE) {
                push.copy(joined.gpuVa() + at, source.gpuVa() + at, PAGE);
            }
            push.run();
            push.rewind();
            for (int at = 0; at < MIB; at += PAGE) {
                push.copy(target.gpuVa() + at, joined.gpuVa() + at, PAGE);
            }
            push.run();
            assertEquals(-1, target.segment().mismatch(source.segment()));
        }
    }

    @Test
    void givenInvalidSizes_whenMemoryIsAllocated_thenErrorNamesSizes() {
        for (long bytes : new long[] {0, -1, Long.MAX_VALUE}) {
            for (boolean vram : new boolean[] {true, false}) {
                TransportException e =
                        assertThrows(
                                TransportException.class,
                                () -> {
                                    if (vram) {
                                        transport.allocateVram(bytes);
                                    } else {
                                        transport.allocateHost(bytes);
                                    }
                                });
                String expected = ", ";
                assertTrue(e.getMessage().contains("bytes=" + bytes + expected), e::getMessage);
            }
        }
    }

    @Test
    void givenExcessiveLength_whenHostMemoryIsAllocated_thenErrorNamesLimit() {
        TransportException e =
                assertThrows(TransportException.class, () -> transport.allocateHost(1L << 46));

        assertTrue(
                e.getMessage().matches("host memory bytes=\\d+, limit=\\d+ available"),
                e::getMessage);
    }

    @Test
    void givenLimits_whenQueried_thenLimitsMatchGpu() {
        assertEquals("Quadro 6000", transport.limits().name());
        assertEquals(gpu.device().vramBytes(), transport.limits().vramBytes());
        assertEquals(128, transport.limits().channels());
        assertEquals(14, transport.limits().multiprocessors());
        assertEquals(2, transport.limits().copyEngines());
    }
}
