package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.FileStatus;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.FunctionRegisters;
import io.gpuvm.pv.protocol.SessionState;
import io.gpuvm.pv.remote.MappedFunction;
import io.gpuvm.pv.remote.PciConnection;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.ring.RingProducer;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.trap.client.RegionMap;
import io.gpuvm.trap.client.ServerGoneException;
import io.gpuvm.trap.client.VfioUserClient;
import io.gpuvm.trap.vfiouser.TrapRegion;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Task;
import io.gpuvm.workloads.measure.Timings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of paravirtual guests behind a PCI function. A test client takes the place of the virtual
/// machine.
@Timeout(60)
class PvFunctionTest {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int MSI = 1;
    private static final long FILLED_BYTES = 8L << 20;

    /// Flags `VFIO_IRQ_SET_DATA_EVENTFD` and `VFIO_IRQ_SET_ACTION_TRIGGER`.
    private static final int CONNECT = 1 << 2 | 1 << 5;

    @TempDir private Path folder;
    private final AtomicBoolean failed = new AtomicBoolean();
    private Backend backend;

    @BeforeEach
    void start() {
        backend =
                Backend.start(
                        new BackendConfig(
                                GpuSpec.parse("soft,vram=256M,workers=1"),
                                List.of(
                                        VmConfig.parse(
                                                "a,mode=pv,via=vfio-user,vram=64M,data=48M,socket="
                                                        + socket())),
                                IdleMode.BACKOFF,
                                Duration.ofSeconds(10),
                                null,
                                ThreadMode.SEPARATE),
                        () -> failed.set(true));
    }

    @AfterEach
    void close() {
        if (backend != null) {
            backend.close();
        }
        assertFalse(failed.get());
    }

    @Test
    void givenMachine_whenProgramRunsWorkload_thenResultIsVerified() {
        try (Machine machine = new Machine();
                GpuContext guest = GpuContext.open(connect(machine))) {
            assertDoesNotThrow(() -> Timings.of(new Task(Workloads.named("mmul"), 48), guest, 1));
        }
    }

    @Test
    void givenMachine_whenProgramsRunInSequence_thenEachProgramFindsInitialState() {
        try (Machine machine = new Machine()) {
            for (int i = 0; i < 3; i++) {
                try (PvTransport guest = connect(machine)) {
                    assertEquals(64L << 20, guest.limits().vramBytes());
                    guest.allocateVram(60L << 20);
                    guest.openChannel();
                }
            }
            assertEquals(SessionState.CLOSED.code(), machine.read(FunctionRegisters.STATE));
        }
    }

    @Test
    void givenDeadProgram_whenNextProgramBegins_thenNextProgramHasGpuAndDeadProgramIsNotified() {
        try (Machine machine = new Machine()) {
            PvTransport dead = connect(machine);
            dead.allocateVram(60L << 20);
            try (PvTransport guest = connect(machine);
                    GpuMemory all = guest.allocateVram(60L << 20)) {
                assertEquals(60L << 20, all.bytes());
                assertThrows(
                        TransportException.class,
                        () -> {
                            for (; ; ) {
                                dead.awaitNews(LIMIT_NS);
                            }
                        });
                dead.close();
                guest.allocateVram(4096).close();
            }
        }
    }

    @Test
    void givenMachineThatLosesPower_whenNextMachineConnects_thenNoEarlierDataIsVisible() {
        try (Machine first = new Machine();
                MappedMemory area = first.map(0, 4096)) {
            PvTransport guest = connect(first);
            guest.allocateVram(60L << 20);
            first.powerOff();
            try (Machine second = new Machine();
                    MappedMemory other = second.map(0, 4096)) {
                area.segment().set(ValueLayout.JAVA_INT, 0, 1);
                assertEquals(0, other.segment().get(ValueLayout.JAVA_INT, 0));
                try (PvTransport next = connect(second);
                        GpuMemory _ = next.allocateVram(60L << 20)) {
                    assertNull(next.openChannel().failure());
                }
            }
        }
    }

    @Test
    void givenMachineThatKeepsArea_whenSessionEnds_thenAreaHasNoMemory() {
        try (Machine machine = new Machine();
                Descriptor kept = Descriptor.duplicate(machine.area.file().number())) {
            for (int i = 0; i < 2; i++) {
                try (PvTransport guest = connect(machine);
                        HostMemory memory = guest.allocateHost(FILLED_BYTES)) {
                    memory.segment().fill((byte) 1);
                    assertTrue(FileStatus.of(kept.number()).usedBytes() >= FILLED_BYTES);
                }
                await("memory", () -> FileStatus.of(kept.number()).usedBytes() == 0);
            }
            try (MappedMemory area = machine.map(0, machine.areaBytes())) {
                area.segment().asSlice(0, FILLED_BYTES).fill((byte) 1);
                machine.powerOff();
            }
            await("memory", () -> FileStatus.of(kept.number()).usedBytes() == 0);
        }
    }

    @Test
    void givenSleepingGuest_whenCommandCompletes_thenInterruptIsSent() {
        try (Machine machine = new Machine();
                EventFd interrupt = EventFd.create()) {
            machine.client.setIrqs(CONNECT, MSI, 0, 1, interrupt.descriptor());
            machine.write(FunctionRegisters.CONTROL, FunctionRegisters.BEGIN);
            await(
                    "a session",
                    () -> machine.read(FunctionRegisters.STATE) == SessionState.OPEN.code());
            try (MappedMemory memory = machine.map(0, machine.areaBytes())) {
                SharedArea area = SharedArea.attach(memory.segment());
                RingProducer commands = area.submissionProducer();
                area.guestSleeper().announce();
                commands.claim();
                commands.publish(CommandEntry.tag(CommandOpcode.NOP, 0));
                area.hostDoorbell(() -> machine.write(FunctionRegisters.DOORBELL, 1)).ring();
                await("an interrupt", () -> interrupt.drain() > 0);
                assertTrue(area.completionConsumer().poll());
            }
        }
    }

    @Test
    void givenEndingBackend_whenProgramSendsCommand_thenProgramIsNotifiedOfEnd() {
        try (Machine machine = new Machine()) {
            PvTransport guest = connect(machine);
            backend.close();
            backend = null;
            assertThrows(TransportException.class, () -> guest.allocateVram(4096));
        }
    }

    @Test
    void givenUndefinedAccesses_whenPerformed_thenReadsAreZeroAndStateIsUnchanged() {
        try (Machine machine = new Machine()) {
            int bar = FunctionRegisters.REGISTER_BAR;
            assertEquals(0, machine.client.read(bar, FunctionRegisters.MAGIC, Short.BYTES));
            assertEquals(0, machine.read(FunctionRegisters.BYTES - Integer.BYTES));
            machine.write(FunctionRegisters.CONTROL, -1);
            machine.write(FunctionRegisters.STATE, SessionState.OPEN.code());
            machine.write(FunctionRegisters.DOORBELL, 1);
            assertEquals(SessionState.CLOSED.code(), machine.read(FunctionRegisters.STATE));
            assertEquals(0, machine.read(FunctionRegisters.SESSION));
            BackendSummary.Traps traps =
                    backend.summary().vms().getFirst().traps().get(TrapRegion.BAR0);
            assertEquals(new BackendSummary.Traps(4, 3), traps);
            assertEquals(
                    0,
                    machine.client.read(
                            FunctionRegisters.AREA_BAR, machine.areaBytes(), Integer.BYTES));
        }
    }

    private Path socket() {
        return folder.resolve("a");
    }

    private static PvTransport connect(Machine machine) {
        return PvTransport.open(PciConnection.open(new Program(machine)));
    }

    private static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > LIMIT_NS) {
                throw new AssertionError(what + ": timeout");
            }
            Thread.onSpinWait();
        }
    }

    /// Client that represents the virtual machine. Reads return all ones after the client or the
    /// backend has ended.
    private final class Machine implements AutoCloseable {
        private final VfioUserClient client = new VfioUserClient(socket()).negotiate();
        private final RegionMap area = client.regionMap(FunctionRegisters.AREA_BAR);
        private final Arena arena = Arena.ofShared();
        private final MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
        private boolean off;

        long areaBytes() {
            return Integer.toUnsignedLong(read(FunctionRegisters.AREA_LO));
        }

        synchronized int read(int register) {
            if (off) {
                return -1;
            }
            try {
                return (int) client.read(FunctionRegisters.REGISTER_BAR, register, Integer.BYTES);
            } catch (ServerGoneException _) {
                return -1;
            }
        }

        synchronized void write(int register, int written) {
            if (off) {
                return;
            }
            value.set(ValueLayout.JAVA_INT, 0, written);
            try {
                client.write(FunctionRegisters.REGISTER_BAR, register, value, Integer.BYTES);
            } catch (ServerGoneException _) {
                // A write to an absent function has no effect, as on a PCI bus.
            }
        }

        MappedMemory map(long offset, long bytes) {
            return MappedMemory.map(
                    area.file().number(), offset, bytes, MappedMemory.Access.READ_WRITE);
        }

        @Override
        public void close() {
            powerOff();
        }

        synchronized void powerOff() {
            if (!off) {
                off = true;
                client.close();
                area.close();
                arena.close();
            }
        }
    }

    /// Machine's function as one program maps it.
    private record Program(Machine machine) implements MappedFunction {
        @Override
        public int read(int register) {
            return machine.read(register);
        }

        @Override
        public void write(int register, int value) {
            machine.write(register, value);
        }

        @Override
        public MappedMemory map(long offset, long bytes) {
            return machine.map(offset, bytes);
        }

        @Override
        public void close() {
            // The machine stays connected.
        }
    }
}
