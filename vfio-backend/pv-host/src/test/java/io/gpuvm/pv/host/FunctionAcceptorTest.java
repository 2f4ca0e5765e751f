package io.gpuvm.pv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.protocol.SessionState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the sessions of a PCI function, with an owner that may fail to answer. All threads are
/// the test's.
class FunctionAcceptorTest {
    private static final int SESSIONS = 3;
    private static final int PASSES = 20;
    private static final long MIB = 1L << 20;
    private static final long VRAM = 16 * MIB;
    private static final long ARENA_IOVA = 0x60_0000_0000L;
    private static final long MEMORY_BYTES = 1L << 32;

    /// Length that two requests map.
    private static final long DATA_BYTES = 128 * MIB;

    private final PvQuotas quotas = new PvQuotas(SESSIONS, DATA_BYTES, 16, 4, 8, 2000, 64, 8, 0);
    private final List<ScriptedOwner> owners =
            Stream.generate(ScriptedOwner::new).limit(SESSIONS).toList();
    private final Queue<ScriptedOwner> unused = new ArrayDeque<>(owners);
    private final VmArena arena = new VmArena("gpuvm-test", ARENA_IOVA, 16 * MIB);
    private final PvPlace place =
            new PvPlace(
                    "a",
                    PlaceKind.COMMANDS,
                    new GpuLimits("test", VRAM, quotas.channels(), 1, 2),
                    quotas,
                    List.of(new VramShare(0, VRAM)),
                    new IovaShare(0, MEMORY_BYTES),
                    arena,
                    new PlaceUse(quotas, List.of(new VramShare(0, VRAM)), quotas.channels()),
                    () -> unused.remove().port(),
                    (_, _) -> {},
                    new PvCounters());
    private final PvPoller poller = new PvPoller();
    private final FunctionAcceptor acceptor =
            new FunctionAcceptor(place, poller, () -> {}, () -> {}, System::nanoTime);
    private final int file = acceptor.connect();

    @AfterEach
    void close() {
        acceptor.close();
        poller.close();
        arena.close();
    }

    @Test
    void givenBrokenSession_whenMachineDisconnects_thenMemoryOfMachineRemains() {
        acceptor.begin(0);
        work();
        assertEquals(SessionState.OPEN, acceptor.state(0));
        owners.getFirst().answers = 0;
        acceptor.end(0);
        work();
        acceptor.disconnect();
        work();
        assertTrue(isOpen(file));
    }

    @Test
    void givenSession_whenMachineDisconnects_thenMemoryOfMachineIsClosedAfterDeparture() {
        acceptor.begin(0);
        work();
        acceptor.disconnect();
        pass();
        assertTrue(isOpen(file));
        work();
        assertFalse(isOpen(file));
    }

    @Test
    void givenMappingWithUnansweredPiece_whenSiblingBegins_thenAddressesDiffer() {
        owners.getFirst().answers = 1;
        acceptor.begin(0);
        work();
        assertEquals(SessionState.REFUSED, acceptor.state(0));
        long taken = owners.getFirst().mapped.getFirst().iova();

        acceptor.begin(1);
        work();
        assertEquals(SessionState.OPEN, acceptor.state(1));
        long other = owners.get(1).mapped.getFirst().iova();
        assertTrue(Math.abs(other - taken) >= DATA_BYTES, () -> taken + " " + other);

        acceptor.begin(0);
        owners.getFirst().answers = Integer.MAX_VALUE;
        work();
        assertEquals(SessionState.REFUSED, acceptor.state(0));
        acceptor.disconnect();
        work();
        assertTrue(isOpen(file));
        assertEquals(0, place.counters().get(PvCounter.SESSIONS));
    }

    @Test
    void givenSeveralSessions_whenAllBeginAndEnd_thenEachPassExecutesOneLongStep() {
        for (int session = 0; session < SESSIONS; session++) {
            acceptor.begin(session);
        }
        for (int opened = 0; opened < SESSIONS; opened++) {
            assertEquals(opened, count("onMapDma") / 2);
            pass();
        }
        acceptor.endAll();
        for (int i = 0; i < PASSES; i++) {
            int before = count("onReset");
            pass();
            assertTrue(count("onReset") - before <= 1);
        }
        assertEquals(SESSIONS, count("onReset"));
    }

    @Test
    void givenSessionThatBeginsInEachPass_whenSiblingBegins_thenSiblingIsServed() {
        acceptor.begin(1);
        for (int i = 0; i < PASSES && acceptor.state(1) != SessionState.OPEN; i++) {
            acceptor.begin(0);
            pass();
        }
        assertEquals(SessionState.OPEN, acceptor.state(1));
    }

    /// Runs one pass of the reception and one round of the poller.
    private int pass() {
        int work = acceptor.doWork(0, () -> {});
        return work + poller.doWork();
    }

    private void work() {
        for (int i = 0; i < PASSES; i++) {
            pass();
        }
    }

    private long count(ScriptedOwner owner, String request) {
        return owner.executed.stream().filter(request::equals).count();
    }

    private int count(String request) {
        return (int) owners.stream().mapToLong(owner -> count(owner, request)).sum();
    }

    private static boolean isOpen(int descriptor) {
        return Files.exists(Path.of("/proc/self/fd/" + descriptor));
    }
}
