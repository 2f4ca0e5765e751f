package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.tests.support.OpenDescriptors;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Attaches and detaches virtual machines many times, half of them while sessions live, and checks
/// that nothing is lost, and that a neighbour's results are right all the time.
class AttachSoakTest {
    private static final int SHORT = 40;
    private static final int LONG = 1000;

    /// Interval of the checks, in attachments.
    private static final int PER_CHECK = 20;

    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long MIB = 1L << 20;

    /// Number of bytes of VRAM that a program fills.
    private static final long FILLED = 16 * MIB;

    /// Thread that the software GPU starts when a kernel has run often enough.
    private static final String ON_DEMAND = "gpuvm-kernel-compiler";

    @TempDir Path folder;

    private final AtomicBoolean failed = new AtomicBoolean();

    /// State of the backend in which nothing is attached except the neighbour.
    private record Rest(ObjectNode status, int descriptors, Set<String> threads) {}

    @Test
    @Timeout(300)
    void givenNeighbour_whenVmsComeAndGo_thenNothingIsLostAndNeighbourIsUnaffected() {
        soak(SHORT);
    }

    @Test
    @Tag("long")
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void givenNeighbour_whenThousandVmsComeAndGo_thenNothingIsLostAndNeighbourIsUnaffected() {
        soak(LONG);
    }

    private void soak(int times) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        BackendConfig config =
                new BackendConfig(
                                GpuSpec.parse("soft,vram=1024M,workers=1"),
                                List.of(
                                        VmConfig.parse(
                                                "n,mode=pv,vram=64M,socket="
                                                        + folder.resolve("n.sock"))),
                                IdleMode.BLOCK,
                                BackendConfig.DEFAULT_COMMAND_LIMIT)
                        .with(BackendConfig.DEFAULT_POLICY, folder.resolve("ctl"));
        ControlRequests control = new ControlRequests(folder.resolve("ctl"));
        try (Backend _ = Backend.start(config, () -> failed.set(true));
                HonestPvGuest neighbour = HonestPvGuest.start(folder.resolve("n.sock"), seed)) {
            neighbour.awaitRound();
            Rest rest = rest(control);
            for (int i = 0; i < times; i++) {
                comeAndGo(control, i, random);
                if (i % PER_CHECK == 0) {
                    neighbour.awaitRound();
                }
            }
            neighbour.awaitRound();
            awaitRest(rest, control);
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed=" + seed, e);
        }
        assertFalse(failed.get());
    }

    /// Attaches a virtual machine, lets its program compute, and detaches it: every second pair
    /// while the program is connected and its kernel never ends.
    private void comeAndGo(ControlRequests control, int number, Random random) {
        boolean cuda = number % 2 == 1;
        boolean lives = number / 2 % 2 == 1;
        String name = "v" + number;
        String keys =
                "\"mode\":\"%s\",\"vram\":\"%dM\",\"weight\":%d"
                        .formatted(cuda ? "cuda" : "pv", 64 + random.nextInt(64), 1 + number % 7);
        JsonNode attached = control.attach(name, keys);
        assertTrue(attached.path("ok").asBoolean(), attached::toString);
        Path socket = Path.of(attached.get("socket").asText());
        if (cuda) {
            useCuda(control, name, socket, lives, number);
        } else {
            usePv(control, name, socket, lives);
        }
        if (!lives) {
            detach(control, name);
        }
    }

    private static void useCuda(
            ControlRequests control, String name, Path socket, boolean lives, int seed) {
        try (CudaProgram program = CudaProgram.connect(socket)) {
            CudaProgram.Context context = program.new Context(1);
            context.compute(256, seed);
            if (lives) {
                long flag = context.allocate(4096);
                context.launch(context.stream, CudaProgram.SPIN, 1, 32, flag, 0);
                detach(control, name);
                program.awaitLoss();
            }
        }
    }

    private static void usePv(ControlRequests control, String name, Path socket, boolean lives) {
        byte[] secret = {0x5a, 0x5a, 0x5a, 0x5a};
        try (AutoCloseable _ = VramProbe.fill(socket, secret, FILLED)) {
            if (lives) {
                detach(control, name);
            }
        } catch (Exception e) {
            throw new AssertionError(name, e);
        }
    }

    private static void detach(ControlRequests control, String name) {
        JsonNode detached = control.detach(name);
        assertTrue(detached.path("ok").asBoolean(), detached::toString);
    }

    private Rest rest(ControlRequests control) {
        ObjectNode status = (ObjectNode) control.status();
        assertEquals(1, status.get("vms").size());
        assertEquals(960 * MIB, status.get("freeVramBytes").asLong());
        // The neighbour's counters change.
        status.remove("vms");
        Set<String> threads =
                Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .filter(name -> name.startsWith("gpuvm-") && !name.equals(ON_DEMAND))
                        .collect(Collectors.toCollection(TreeSet::new));
        return new Rest(status, OpenDescriptors.count(), threads);
    }

    /// Waits until the backend has returned to the given state; clients' connections end at any
    /// time.
    private void awaitRest(Rest expected, ControlRequests control) {
        long startNs = System.nanoTime();
        Rest now = rest(control);
        while (!now.equals(expected) && System.nanoTime() - startNs < LIMIT_NS) {
            Thread.onSpinWait();
            now = rest(control);
        }
        assertEquals(expected, now);
    }
}
