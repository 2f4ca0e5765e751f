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
import io.gpuvm.pv.protocol.RingProtocol;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
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
    private static final int SESSIONS = 6;
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
                                                "a,mode=pv,via=vfio-user,sessions=6,vram=64M,data=48M,socket="
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
            machine.run(() -> machine.client.setIrqs(CONNECT, MSI, 0, 1, interrupt.descriptor()));
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
            assertEquals(0, machine.read(bar, FunctionRegisters.MAGIC, Short.BYTES));
            assertEquals(0, machine.read(FunctionRegisters.PAGE_BYTES - Integer.BYTES));
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
                    machine.read(FunctionRegisters.AREA_BAR, machine.areaBytes(), Integer.BYTES));
        }
    }

    @Test
    void givenMachine_whenProgramsUseAllSessions_thenEachHasOwnAreaAndCommonQuota() {
        try (Machine machine = new Machine()) {
            assertEquals(SESSIONS, machine.read(FunctionRegisters.SESSIONS));
            List<PvTransport> programs = new ArrayList<>();
            List<HostMemory> memories = new ArrayList<>();
            for (int session = 0; session < SESSIONS; session++) {
                programs.add(connect(machine, session));
                memories.add(programs.getLast().allocateHost(4096));
                memories.getLast().segment().fill((byte) (session + 1));
            }
            for (int session = 0; session < SESSIONS; session++) {
                assertEquals(
                        session + 1, memories.get(session).segment().get(ValueLayout.JAVA_BYTE, 0));
            }
            programs.getFirst().allocateVram(60L << 20);
            assertThrows(
                    TransportException.class, () -> programs.getLast().allocateVram(60L << 20));
            assertEquals(
                    new BackendSummary.Sessions(SESSIONS, SESSIONS),
                    backend.summary().vms().getFirst().sessions());
            programs.getFirst().close();
            await("release", () -> openSessions() == SESSIONS - 1);
            programs.getLast().allocateVram(60L << 20).close();
            programs.forEach(PvTransport::close);
            await("release", () -> openSessions() == 0);
        }
    }

    @Test
    void givenMachine_whenNoSessionIsOpen_thenAreasHaveNoMemory() {
        try (Machine machine = new Machine()) {
            int file = machine.area.file().number();
            try (PvTransport _ = connect(machine, 2)) {
                long one = FileStatus.of(file).usedBytes();
                assertTrue(one > 0 && one < machine.areaBytes(), () -> "bytes=" + one);
            }
            await("memory", () -> FileStatus.of(file).usedBytes() == 0);
        }
    }

    @Test
    void givenPagesOfSessions_whenSessionBeginsAndEnds_thenOtherPagesAreUnchanged() {
        try (Machine machine = new Machine()) {
            Program first = new Program(machine, 0);
            Program second = new Program(machine, 1);
            assertEquals(
                    RingProtocol.COMMANDS.functionMagic(), second.read(FunctionRegisters.MAGIC));
            second.write(FunctionRegisters.CONTROL, FunctionRegisters.BEGIN);
            await("a session", () -> state(second) == SessionState.OPEN);
            assertEquals(1, second.read(FunctionRegisters.SESSION));
            assertEquals(0, first.read(FunctionRegisters.SESSION));
            assertEquals(SessionState.CLOSED, state(first));
            first.write(FunctionRegisters.CONTROL, FunctionRegisters.END);
            assertEquals(SessionState.OPEN, state(second));
            second.write(FunctionRegisters.CONTROL, FunctionRegisters.END);
            assertEquals(SessionState.CLOSED, state(second));
            Program beyond = new Program(machine, SESSIONS);
            beyond.write(FunctionRegisters.CONTROL, FunctionRegisters.BEGIN);
            assertEquals(0, beyond.read(FunctionRegisters.MAGIC));
        }
    }

    @Test
    void givenProgramsOfTwoSessions_whenBothCompute_thenResultsAreVerified() throws Exception {
        try (Machine machine = new Machine();
                GpuContext first = GpuContext.open(connect(machine, 0));
                GpuContext second = GpuContext.open(connect(machine, 1))) {
            CompletableFuture<Void> other =
                    CompletableFuture.runAsync(
                            () -> Timings.of(new Task(Workloads.named("mmul"), 48), second, 1));
            assertDoesNotThrow(() -> Timings.of(new Task(Workloads.named("mmul"), 48), first, 1));
            other.get(LIMIT_NS, TimeUnit.NANOSECONDS);
        }
    }

    private long openSessions() {
        return backend.summary().vms().getFirst().sessions().open();
    }

    private static SessionState state(Program program) {
        return SessionState.of(program.read(FunctionRegisters.STATE));
    }

    private Path socket() {
        return folder.resolve("a");
    }

    private static PvTransport connect(Machine machine) {
        return connect(machine, 0);
    }

    private static PvTransport connect(Machine machine, int session) {
        return PvTransport.open(PciConnection.open(new Program(machine, session)));
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
        /// The client's only thread, to which it is confined.
        private final ExecutorService thread = Executors.newSingleThreadExecutor();

        private final VfioUserClient client = on(() -> new VfioUserClient(socket()).negotiate());
        private final RegionMap area = on(() -> client.regionMap(FunctionRegisters.AREA_BAR));
        private final Arena arena = Arena.ofShared();
        private final MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
        private boolean off;

        /// Runs a step on the client's thread.
        private <T> T on(Supplier<T> step) {
            try {
                return CompletableFuture.supplyAsync(step, thread).join();
            } catch (CompletionException e) {
                throw e.getCause() instanceof RuntimeException cause ? cause : e;
            }
        }

        void run(Runnable step) {
            on(() -> {
                step.run();
                return null;
            });
        }

        int read(int bar, long offset, int width) {
            return (int) (long) on(() -> client.read(bar, offset, width));
        }

        long areaBytes() {
            return Integer.toUnsignedLong(read(FunctionRegisters.AREA_LO));
        }

        synchronized int read(int register) {
            if (off) {
                return -1;
            }
            try {
                return read(FunctionRegisters.REGISTER_BAR, register, Integer.BYTES);
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
                run(() ->
                        client.write(
                                FunctionRegisters.REGISTER_BAR, register, value, Integer.BYTES));
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
                run(client::close);
                thread.close();
                area.close();
                arena.close();
            }
        }
    }

    /// Session of the machine's function as one program maps it.
    private record Program(Machine machine, int session) implements MappedFunction {
        @Override
        public int read(int register) {
            return machine.read(session * FunctionRegisters.PAGE_BYTES + register);
        }

        @Override
        public void write(int register, int value) {
            machine.write(session * FunctionRegisters.PAGE_BYTES + register, value);
        }

        @Override
        public MappedMemory map(long offset, long bytes) {
            long start = Integer.toUnsignedLong(read(FunctionRegisters.START_LO));
            assertEquals(0, read(FunctionRegisters.START_HI));
            return machine.map(start + offset, bytes);
        }

        @Override
        public void close() {
            // The machine stays connected.
        }
    }
}
