package io.gpuvm.daemon;

import io.gpuvm.counters.CounterCells;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.agent.AgentGroup;
import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.owner.GpuOwner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Thread of a shared GPU's owner. It sleeps until a virtual machine or the GPU wakes it, or until
/// a deliberate delay of the scheduler has elapsed. While commands run, it polls at intervals,
/// because the hardware has no interrupt for completion. Other agents may take turns on it
/// ([ThreadMode#COMPACT]).
final class OwnerThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerThread.class);
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);
    private static final String NAME = "gpuvm-gpu";
    private static final int INTERRUPT = 0;
    private static final int FIRST_PASSENGER = 1;
    private static final int PASSENGERS = 2;

    /// Time for which the thread polls without sleeping after an event.
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /// Time for which the thread polls on hosts with few processors, while a command runs whose end
    /// the GPU signals. A longer poll would occupy the processor that the engines need.
    private static final long SHORT_SPIN_NS = TimeUnit.MICROSECONDS.toNanos(2);

    private static final boolean FEW_PROCESSORS =
            Runtime.getRuntime().availableProcessors() < ThreadMode.PROCESSORS_FOR_ALL;

    /// Maximum delay until the thread polls the GPU's signal while requests leave no time to sleep,
    /// so that one guest's flood of requests does not delay the faults and interrupts of other
    /// guests.
    private static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final EventFd interrupt;
    private final EventWait events;
    private final Parking parking;
    private final CounterCells loops;
    private final Runnable onFailure;

    /// Thread of the owner; null until [#start].
    private AgentThread thread;

    private boolean ended = true;

    private OwnerThread(
            EventFd interrupt, EventWait events, CounterCells loops, Runnable onFailure) {
        this.interrupt = interrupt;
        this.events = events;
        this.loops = loops;
        this.onFailure = onFailure;
        parking = new Parking(events);
        events.set(INTERRUPT, interrupt.descriptor());
    }

    /// Creates the thread without starting it.
    ///
    /// @param interrupt signalled by the GPU; closed by this object, even if creation fails
    /// @param loops counts the iterations of the owner's loop
    /// @param onFailure called on the owner's thread when an internal error has stopped the owner
    static OwnerThread of(EventFd interrupt, CounterCells loops, Runnable onFailure) {
        EventWait events = null;
        try {
            events = new EventWait(FIRST_PASSENGER + PASSENGERS);
            return new OwnerThread(interrupt, events, loops, onFailure);
        } catch (RuntimeException | Error e) {
            interrupt.close();
            if (events != null) {
                events.close();
            }
            throw e;
        }
    }

    /// Returns the parking of the thread.
    Parking parking() {
        return parking;
    }

    /// Makes the owner poll its requests. Any thread. Makes a system call only if the owner sleeps.
    void wake() {
        parking.wake();
    }

    /// @param told whether the GPU wakes the thread at the end of each command
    /// @param passengers agents that take turns on this thread
    void start(GpuOwner owner, boolean told, List<Passenger> passengers) {
        OwnerAgent alone = new OwnerAgent(owner, told, passengers.isEmpty());
        ParkingAgent agent = alone;
        if (!passengers.isEmpty()) {
            List<ParkingAgent> all = new ArrayList<>();
            for (int i = 0; i < passengers.size(); i++) {
                events.set(FIRST_PASSENGER + i, passengers.get(i).descriptor());
                all.add(passengers.get(i).agent());
            }
            // The owner is last, so that the thread sees the requests of the other agents before it
            // sleeps.
            all.add(alone);
            agent = new AgentGroup(NAME, all);
        }
        thread = new AgentThread(agent, parking, alone::spinNs, this::onError);
        thread.start();
        ended = false;
    }

    /// Ends the thread. On return, no thread accesses the GPU. Wake-ups are still permitted.
    void stop() {
        if (!ended) {
            ended = thread.end(JOIN_LIMIT);
        }
    }

    /// Releases the descriptors. Called after all threads that wake this thread have ended.
    @Override
    public void close() {
        stop();
        if (!ended) {
            LOG.error("the thread of the GPU's owner did not stop");
            return;
        }
        events.close();
        interrupt.close();
    }

    private void onError(Throwable error) {
        try {
            log(error);
        } finally {
            // Also if the heap is full.
            onFailure.run();
        }
    }

    private static void log(Throwable error) {
        switch (error) {
            case GpuDeviceException e ->
                    LOG.error("the GPU is no longer usable: {}", e.getMessage());
            case InternalError e ->
                    // The JVM reports SIGBUS as an InternalError.
                    LOG.error("mapped memory is inaccessible: the GPU may be off or suspended", e);
            default -> LOG.error("the GPU's owner stopped: internal error", error);
        }
    }

    /// Agent for the owner and the GPU's signal. Confined to the thread.
    private final class OwnerAgent implements ParkingAgent {
        private final GpuOwner owner;
        private final boolean isTold;
        private final boolean isAlone;
        private long lookedNs = System.nanoTime();
        private boolean interrupted;

        OwnerAgent(GpuOwner owner, boolean isTold, boolean isAlone) {
            this.owner = owner;
            this.isTold = isTold;
            this.isAlone = isAlone;
        }

        @Override
        public int doWork() {
            long nowNs = System.nanoTime();
            boolean signalled = interrupted;
            interrupted = false;
            if (nowNs - lookedNs >= LOOK_NS) {
                lookedNs = nowNs;
                signalled |= interrupt.drain() > 0;
            }
            loops.add(1);
            return owner.doWork(signalled);
        }

        @Override
        public boolean mayPark() {
            return owner.doWork(false) == 0 && !owner.hasRequests();
        }

        @Override
        public long nanosUntilWork() {
            return owner.nanosUntilWork(isTold);
        }

        @Override
        public void onAwake(boolean slept) {
            interrupted = (!slept || events.ready(INTERRUPT)) && interrupt.drain() > 0;
            lookedNs = System.nanoTime();
        }

        @Override
        public String roleName() {
            return NAME;
        }

        long spinNs() {
            boolean isInTheWay = FEW_PROCESSORS && isTold && isAlone && owner.isBusy();
            return isInTheWay ? SHORT_SPIN_NS : SPIN_NS;
        }
    }
}
