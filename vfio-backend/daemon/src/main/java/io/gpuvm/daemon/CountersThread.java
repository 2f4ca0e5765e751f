package io.gpuvm.daemon;

import io.gpuvm.counters.CounterCells;
import io.gpuvm.counters.CounterSet;
import io.gpuvm.counters.CounterType;
import io.gpuvm.counters.CountersFile;
import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.linux.agent.ThreadWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Thread that shows once per second that the backend lives: its process, and the loops of the
/// GPU's owner and of the poller, which it wakes for this purpose. It also shows values that no
/// other thread stores.
final class CountersThread implements ParkingAgent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CountersThread.class);
    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);
    private static final Path MEMORY = Path.of("/proc/self/statm");

    /// Field of the resident pages in [#MEMORY] (proc_pid_statm(5)).
    private static final int RESIDENT = 1;

    private static final long PAGE_BYTES = 4096;

    private final CountersFile counters;
    private final LongSupplier freeVram;
    private final Loop owner;
    private final Loop poller;
    private final AgentThread thread;
    private long nextNs = System.nanoTime();

    /// @param freeVram returns the VRAM that no virtual machine holds, in bytes
    /// @param wakeOwner makes the owner's loop run once; null if there is no owner
    /// @param wakePoller makes the poller's loop run once; null if there is no poller
    CountersThread(
            CountersFile counters, LongSupplier freeVram, Runnable wakeOwner, Runnable wakePoller) {
        this.counters = counters;
        this.freeVram = freeVram;
        CounterSet backend = counters.backend();
        owner =
                wakeOwner == null
                        ? null
                        : new Loop(
                                backend.cells(CounterType.OWNER_LOOPS),
                                backend.cells(CounterType.OWNER_ALIVE_NS),
                                wakeOwner);
        poller =
                wakePoller == null
                        ? null
                        : new Loop(
                                backend.cells(CounterType.POLLER_LOOPS),
                                backend.cells(CounterType.POLLER_ALIVE_NS),
                                wakePoller);
        thread =
                new AgentThread(
                                this,
                                new Parking(new ThreadWait()),
                                AgentThread.NO_SPIN,
                                error -> LOG.error("counters: internal error", error))
                        .daemon();
    }

    void start() {
        thread.start();
    }

    @Override
    public int doWork() {
        long nowNs = System.nanoTime();
        if (nowNs - nextNs < 0) {
            return 0;
        }
        nextNs = nowNs + PERIOD_NS;
        if (owner != null) {
            owner.check(nowNs);
        }
        if (poller != null) {
            poller.check(nowNs);
        }
        show();
        counters.beat();
        return 1;
    }

    private void show() {
        CounterSet backend = counters.backend();
        Runtime runtime = Runtime.getRuntime();
        backend.cells(CounterType.VRAM_FREE_BYTES).set(freeVram.getAsLong());
        backend.cells(CounterType.HEAP_USED_BYTES)
                .set(runtime.totalMemory() - runtime.freeMemory());
        backend.cells(CounterType.HEAP_LIMIT_BYTES).set(runtime.maxMemory());
        backend.cells(CounterType.RESIDENT_BYTES).set(residentBytes());
        ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .ifPresent(used -> backend.cells(CounterType.CPU_NS).set(used.toNanos()));
    }

    private static long residentBytes() {
        try {
            return Long.parseLong(Files.readString(MEMORY).split(" ")[RESIDENT]) * PAGE_BYTES;
        } catch (IOException e) {
            // Without /proc, the value is unknown.
            return 0;
        }
    }

    @Override
    public boolean mayPark() {
        return true;
    }

    @Override
    public long nanosUntilWork() {
        return Math.max(1, nextNs - System.nanoTime());
    }

    @Override
    public String roleName() {
        return "gpuvm-counters";
    }

    /// Ends the thread. The counters then show that the backend has stopped.
    @Override
    public void close() {
        thread.end(JOIN_LIMIT);
    }

    /// Loop of another thread. A loop that has run since the last check proceeds.
    private static final class Loop {
        private final CounterCells loops;
        private final CounterCells alive;
        private final Runnable wake;
        private long seen = -1;

        Loop(CounterCells loops, CounterCells alive, Runnable wake) {
            this.loops = loops;
            this.alive = alive;
            this.wake = wake;
        }

        void check(long nowNs) {
            long count = loops.get();
            if (count != seen) {
                seen = count;
                alive.set(nowNs);
            }
            wake.run();
        }
    }
}
