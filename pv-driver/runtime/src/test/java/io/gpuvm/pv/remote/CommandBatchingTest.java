package io.gpuvm.pv.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.TransportException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the commands and signals that a backend receives, with and without batching.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class CommandBatchingTest {
    private static final long PAGE = 1 << 12;
    private static final int THREADS = 4;
    private static final int ROUNDS = 25;

    /// Number of commands that allocate and free VRAM: allocation, mapping, unmapping, freeing.
    private static final int COMMANDS_OF_ROUND = 4;

    /// Number of commands of a new transport: creation of its address space.
    private static final int COMMANDS_AT_START = 1;

    @TempDir private Path folder;
    private Path socket;
    private ScriptedBackend backend;

    @BeforeEach
    void listen() {
        socket = folder.resolve("guest");
        backend = new ScriptedBackend(socket);
    }

    @AfterEach
    void close() {
        backend.close();
    }

    @Test
    void givenNoBatching_whenThreadsSendCommands_thenEachCommandIsAloneInRingAndSignalledOnce()
            throws Exception {
        try (PvTransport transport = PvTransport.connect(socket, CommandBatching.OFF)) {
            GpuChannel channel = transport.openChannel();
            inThreads(() -> transport.allocateVram(PAGE).close());
            for (int i = 0; i < ROUNDS; i++) {
                channel.offer(PAGE, 1);
                channel.ring();
            }

            awaitSignals(backend.taken().size() + backend.submissions());
            assertEquals(1, backend.mostCommandsAtOnce());
            assertEquals(ROUNDS, backend.submissions());
        }
    }

    @Test
    void givenNoBatching_whenUnmapIsRefused_thenVramIsNotFreed() {
        try (PvTransport transport = PvTransport.connect(socket, CommandBatching.OFF)) {
            backend.refuse(CommandOpcode.UNMAP, CommandStatus.QUOTA_PAGES);
            transport.allocateVram(PAGE).close();

            assertEquals(CommandOpcode.UNMAP, backend.taken().getLast());
        }
    }

    @Test
    void givenNoBatching_whenSubmissionIsRefused_thenChannelHasFailedOnReturn() {
        try (PvTransport transport = PvTransport.connect(socket, CommandBatching.OFF)) {
            GpuChannel channel = transport.openChannel();
            backend.refuse(CommandOpcode.SUBMIT, CommandStatus.BAD_RANGE);
            channel.offer(PAGE, 1);
            channel.ring();

            assertNotNull(channel.failure());
            assertTrue(channel.failure().message().contains(CommandStatus.BAD_RANGE.meaning()));
        }
    }

    @Test
    void givenNoBatching_whenCommandIsRefused_thenNextCommandIsAnswered() {
        try (PvTransport transport = PvTransport.connect(socket, CommandBatching.OFF)) {
            backend.refuse(CommandOpcode.VRAM_ALLOC, CommandStatus.NO_MEMORY);
            assertThrows(TransportException.class, () -> transport.allocateVram(PAGE));
            backend.refuse(CommandOpcode.VRAM_ALLOC, CommandStatus.OK);

            assertEquals(PAGE, transport.allocateVram(PAGE).bytes());
        }
    }

    @Test
    void givenBatching_whenMemoryIsClosed_thenBothCommandsNeedAtMostOneSignal() {
        try (PvTransport transport = PvTransport.connect(socket)) {
            for (int i = 0; i < ROUNDS; i++) {
                transport.allocateVram(PAGE).close();
            }

            assertEquals(COMMANDS_AT_START + COMMANDS_OF_ROUND * ROUNDS, backend.taken().size());
            long signals = backend.signals();
            assertTrue(
                    signals <= COMMANDS_AT_START + (COMMANDS_OF_ROUND - 1) * ROUNDS,
                    () -> "signals=" + signals);
        }
    }

    /// Waits until the backend has received the signals. The backend reads each signal after the
    /// signal's command.
    private void awaitSignals(int expected) {
        while (backend.signals() < expected) {
            Thread.onSpinWait();
        }
        assertEquals(expected, backend.signals());
    }

    private static void inThreads(Runnable action) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                all.add(
                        pool.submit(() -> {
                            for (int i = 0; i < ROUNDS; i++) {
                                action.run();
                            }
                        }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
    }
}
