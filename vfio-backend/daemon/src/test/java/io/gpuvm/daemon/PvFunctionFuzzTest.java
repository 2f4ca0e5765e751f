package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.FunctionRegisters;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.protocol.SessionState;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.RingProducer;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.trap.client.RefusedException;
import io.gpuvm.trap.client.RegionMap;
import io.gpuvm.trap.client.ServerGoneException;
import io.gpuvm.trap.client.VfioUserClient;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of a virtual machine that randomly accesses its PCI function for paravirtual guests. A
/// neighbour must be unaffected, and the function must serve the next machine.
@Tag("soak")
class PvFunctionFuzzTest {
    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(10);
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final int SEED_STEPS = 4000;
    private static final int REGIONS = 10;
    private static final int CONFIG = 7;
    private static final int IRQS = 6;
    private static final int MSI = 1;
    private static final int CONNECT = 1 << 2 | 1 << 5;
    private static final int PAGE = 4096;
    private static final int PAGES = 16;
    private static final int[] WIDTHS = {1, 2, 4, 8};

    private static final int[] REGISTERS = {
        FunctionRegisters.MAGIC,
        FunctionRegisters.VERSION,
        FunctionRegisters.AREA_LO,
        FunctionRegisters.AREA_HI,
        FunctionRegisters.CONTROL,
        FunctionRegisters.SESSION,
        FunctionRegisters.STATE,
        FunctionRegisters.DOORBELL,
        FunctionRegisters.SESSIONS,
        FunctionRegisters.START_LO,
        FunctionRegisters.PAGE_BYTES - 4,
        FunctionRegisters.PAGE_BYTES,
        FunctionRegisters.PAGE_BYTES + FunctionRegisters.CONTROL,
        FunctionRegisters.PAGE_BYTES + FunctionRegisters.DOORBELL,
        2 * FunctionRegisters.PAGE_BYTES + FunctionRegisters.CONTROL,
        2 * FunctionRegisters.PAGE_BYTES + FunctionRegisters.STATE,
        64 * FunctionRegisters.PAGE_BYTES,
    };

    private static final long[] EDGES = {
        0, 1, 2, 3, PAGE - 1, PAGE, 1L << 26, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE, -PAGE, -1
    };

    @TempDir private Path folder;

    private final EventFd event = EventFd.create();
    private final MemFd ram = MemFd.create("ram", PAGES * PAGE);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void givenRandomMachine_whenServed_thenNeighbourIsUnaffected(long seed) {
        fuzz(seed, SEED_STEPS);
    }

    @Test
    @Tag("long")
    void givenRandomMachine_whenServedForLongTime_thenNeighbourIsUnaffected() {
        long start = System.nanoTime();
        for (long seed = 1000; System.nanoTime() - start < LONG_NS; seed++) {
            fuzz(seed, 10 * SEED_STEPS);
        }
    }

    private void fuzz(long seed, int steps) {
        AtomicBoolean failed = new AtomicBoolean();
        Random random = new Random(seed);
        ThreadMode threads = seed % 2 == 0 ? ThreadMode.COMPACT : ThreadMode.SEPARATE;
        try (Backend _ = Backend.start(config(threads), () -> failed.set(true));
                HonestPvGuest honest = HonestPvGuest.start(socket("honest"), seed)) {
            int left = steps;
            while (left > 0) {
                try (Machine machine = new Machine(random)) {
                    for (int i = random.nextInt(600); i >= 0 && left > 0; i--, left--) {
                        machine.step();
                    }
                }
            }
            honest.awaitRound();
            assertServed();
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed=" + seed, e);
        }
        assertFalse(failed.get(), "a thread of the backend has ended, seed=" + seed);
    }

    /// Asserts that a machine that follows the protocol receives a completion.
    private void assertServed() {
        try (Machine machine = new Machine(new Random())) {
            machine.write(FunctionRegisters.CONTROL, FunctionRegisters.BEGIN);
            await(() -> machine.read(FunctionRegisters.STATE) == SessionState.OPEN.code());
            assertEquals(
                    RingProtocol.COMMANDS.functionMagic(),
                    (int) machine.read(FunctionRegisters.MAGIC));
            try (MappedMemory memory = machine.map(machine.areaBytes())) {
                SharedArea area = SharedArea.attach(memory.segment());
                RingProducer commands = area.submissionProducer();
                RingConsumer completions = area.completionConsumer();
                assertTrue(commands.claim() != RingProducer.FULL);
                commands.publish(CommandEntry.tag(CommandOpcode.NOP, 0));
                area.hostDoorbell(() -> machine.write(FunctionRegisters.DOORBELL, 1)).ring();
                await(completions::poll);
            }
        }
    }

    private static void await(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - start < LIMIT_NS, "timeout");
            Thread.onSpinWait();
        }
    }

    private BackendConfig config(ThreadMode threads) {
        return new BackendConfig(
                GpuSpec.parse("soft,vram=128M,workers=1"),
                List.of(
                        VmConfig.parse(
                                "honest,mode=pv,vram=64M,data=16M,socket=" + socket("honest")),
                        VmConfig.parse(
                                "wild,mode=pv,via=vfio-user,vram=64M,data=4M,socket="
                                        + socket("wild"))),
                IdleMode.BACKOFF,
                Duration.ofSeconds(2),
                null,
                threads);
    }

    private Path socket(String name) {
        return folder.resolve(name);
    }

    /// Machine, from power-on to power loss.
    private final class Machine implements AutoCloseable {
        private final Random random;
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment value = arena.allocate(Long.BYTES, Long.BYTES);
        private final VfioUserClient client = new VfioUserClient(socket("wild")).negotiate();

        /// Mapped part of the shared area; null if no part is mapped.
        private MappedMemory area;

        private boolean gone;

        Machine(Random random) {
            this.random = random;
        }

        /// Performs one random access; a refused access counts as performed.
        void step() {
            if (gone) {
                return;
            }
            try {
                act();
            } catch (RefusedException _) {
                // A refusal contains only an errno.
            } catch (ServerGoneException _) {
                gone = true;
            }
        }

        private void act() {
            switch (random.nextInt(20)) {
                case 0 -> client.read(random.nextInt(REGIONS), offset(), width());
                case 1 -> write(random.nextInt(REGIONS), offset(), width(), value());
                case 2 -> client.read(CONFIG, random.nextInt(PAGE), width());
                case 3 -> write(CONFIG, random.nextInt(PAGE), width(), value());
                case 4, 5 -> client.read(FunctionRegisters.REGISTER_BAR, register(), width());
                case 6 -> write(FunctionRegisters.REGISTER_BAR, register(), width(), value());
                case 7, 8 -> write(FunctionRegisters.CONTROL, FunctionRegisters.BEGIN);
                case 9 -> write(FunctionRegisters.CONTROL, FunctionRegisters.END);
                case 10 -> ringOften();
                case 11 -> client.setIrqs(CONNECT, MSI, 0, 1, event.descriptor());
                case 12 -> client.setIrqs(CONNECT, MSI, 0, 1, ram.descriptor());
                case 13 -> setAnyIrqs();
                case 14 -> client.map(ram.descriptor(), page(), pages());
                case 15 -> client.unmap(random.nextInt(4), page(), pages());
                case 16 -> client.reset();
                case 17 -> mapArea();
                default -> scribble();
            }
        }

        void write(int register, int written) {
            write(FunctionRegisters.REGISTER_BAR, register, Integer.BYTES, written);
        }

        long read(int register) {
            return client.read(FunctionRegisters.REGISTER_BAR, register, Integer.BYTES);
        }

        long areaBytes() {
            return read(FunctionRegisters.AREA_LO);
        }

        MappedMemory map(long bytes) {
            try (RegionMap region = client.regionMap(FunctionRegisters.AREA_BAR)) {
                return MappedMemory.map(
                        region.file().number(),
                        region.fileOffset(),
                        bytes,
                        MappedMemory.Access.READ_WRITE);
            }
        }

        private void write(int region, long offset, int width, long written) {
            value.set(ValueLayout.JAVA_LONG, 0, written);
            client.write(region, offset, value, width);
        }

        private void ringOften() {
            for (int i = random.nextInt(50); i >= 0; i--) {
                client.post(
                        FunctionRegisters.REGISTER_BAR,
                        FunctionRegisters.DOORBELL,
                        random.nextInt());
            }
            client.flush();
        }

        private void setAnyIrqs() {
            int[] events = new int[random.nextInt(3)];
            Arrays.fill(events, event.descriptor());
            client.setIrqs(
                    random.nextInt(1 << 6),
                    random.nextInt(IRQS),
                    random.nextInt(3),
                    random.nextInt(3),
                    events);
        }

        private void mapArea() {
            if (area == null) {
                area = map(areaBytes());
            } else {
                area.close();
                area = null;
            }
        }

        /// Overwrites a random location in the area, mostly in the header.
        private void scribble() {
            if (area != null) {
                long bytes = area.segment().byteSize();
                long at = random.nextInt(4) == 0 ? random.nextLong(bytes) : random.nextInt(PAGE);
                area.segment().set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
            }
        }

        private int width() {
            return WIDTHS[random.nextInt(WIDTHS.length)];
        }

        private long register() {
            return REGISTERS[random.nextInt(REGISTERS.length)] + random.nextInt(8) / 5;
        }

        private long offset() {
            return random.nextBoolean() ? register() : value();
        }

        private long page() {
            return random.nextInt(2 * PAGES) * (long) PAGE;
        }

        private long pages() {
            return random.nextInt(1 + PAGES) * (long) PAGE;
        }

        private long value() {
            return random.nextInt(3) == 0 ? random.nextLong() : EDGES[random.nextInt(EDGES.length)];
        }

        @Override
        public void close() {
            client.close();
            if (area != null) {
                area.close();
            }
            arena.close();
        }
    }
}
