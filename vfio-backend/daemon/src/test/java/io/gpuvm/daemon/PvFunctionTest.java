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
import io.gpuvm.pv.remote.PciConnection;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.ring.RingProducer;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.trap.vfiouser.TrapRegion;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Task;
import io.gpuvm.workloads.measure.Timings;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
        try (FunctionMachine machine = new FunctionMachine(socket());
                GpuContext guest = GpuContext.open(connect(machine))) {
            assertDoesNotThrow(() -> Timings.of(new Task(Workloads.named("mmul"), 48), guest, 1));
        }
    }

    @Test
    void givenMachine_whenProgramsRunInSequence_thenEachProgramFindsInitialState() {
        try (FunctionMachine machine = new FunctionMachine(socket())) {
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
        try (FunctionMachine machine = new FunctionMachine(socket())) {
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
        try (FunctionMachine first = new FunctionMachine(socket());
                MappedMemory area = first.map(0, 4096)) {
            PvTransport guest = connect(first);
            guest.allocateVram(60L << 20);
            first.powerOff();
            try (FunctionMachine second = new FunctionMachine(socket());
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
        try (FunctionMachine machine = new FunctionMachine(socket());
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
        try (FunctionMachine machine = new FunctionMachine(socket());
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
        try (FunctionMachine machine = new FunctionMachine(socket())) {
            PvTransport guest = connect(machine);
            backend.close();
            backend = null;
            assertThrows(TransportException.class, () -> guest.allocateVram(4096));
        }
    }

    @Test
    void givenUndefinedAccesses_whenPerformed_thenReadsAreZeroAndStateIsUnchanged() {
        try (FunctionMachine machine = new FunctionMachine(socket())) {
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
        try (FunctionMachine machine = new FunctionMachine(socket())) {
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
        try (FunctionMachine machine = new FunctionMachine(socket())) {
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
        try (FunctionMachine machine = new FunctionMachine(socket())) {
            FunctionProgram first = new FunctionProgram(machine, 0);
            FunctionProgram second = new FunctionProgram(machine, 1);
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
            FunctionProgram beyond = new FunctionProgram(machine, SESSIONS);
            beyond.write(FunctionRegisters.CONTROL, FunctionRegisters.BEGIN);
            assertEquals(0, beyond.read(FunctionRegisters.MAGIC));
        }
    }

    @Test
    void givenProgramsOfTwoSessions_whenBothCompute_thenResultsAreVerified() throws Exception {
        try (FunctionMachine machine = new FunctionMachine(socket());
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

    private static SessionState state(FunctionProgram program) {
        return SessionState.of(program.read(FunctionRegisters.STATE));
    }

    private Path socket() {
        return folder.resolve("a");
    }

    private static PvTransport connect(FunctionMachine machine) {
        return connect(machine, 0);
    }

    private static PvTransport connect(FunctionMachine machine, int session) {
        return PvTransport.open(PciConnection.open(new FunctionProgram(machine, session)));
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
}
