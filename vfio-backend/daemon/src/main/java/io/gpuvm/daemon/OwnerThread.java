package io.gpuvm.daemon;

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

/// The thread of a shared GPU's owner. It sleeps until a virtual machine or the GPU wakes it, or
/// the scheduler has waited on purpose for long enough; while commands run it looks every now and
/// then, for hardware has no interrupt for "done". Others may take their turns on it
/// ([ThreadMode#COMPACT]).
final class OwnerThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerThread.class);
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);
    private static final String NAME = "gpuvm-gpu";
    private static final int INTERRUPT = 0;
    private static final int FIRST_PASSENGER = 1;
    private static final int PASSENGERS = 2;

    /// How long it looks without sleeping after something happened.
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /// The same while a command runs of whose end it is told, where processors are few: it would
    /// look for the end on the processor that the engines need to get there.
    private static final long SHORT_SPIN_NS = TimeUnit.MICROSECONDS.toNanos(2);

    private static final boolean FEW_PROCESSORS =
            Runtime.getRuntime().availableProcessors() < ThreadMode.PROCESSORS_FOR_ALL;

    /// How long the GPU's signal waits at most while requests leave no time to sleep: one virtual
    /// machine's flood must not keep faults and interrupts from the others.
    private static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final EventFd interrupt;
    private final EventWait events;
    private final Parking parking;
    private final Runnable onFailure;

    /// Null until [#start].
    private AgentThread thread;

    private boolean ended = true;

    private OwnerThread(EventFd interrupt, EventWait events, Runnable onFailure) {
        this.interrupt = interrupt;
        this.events = events;
        this.onFailure = onFailure;
        parking = new Parking(events);
        events.set(INTERRUPT, interrupt.descriptor());
    }

    /// Not started yet.
    ///
    /// @param interrupt signalled by the GPU; closed by this object, also if it cannot be made
    /// @param onFailure told, on the owner's thread, when it ended by an error of ours
    static OwnerThread of(EventFd interrupt, Runnable onFailure) {
        EventWait events = null;
        try {
            events = new EventWait(FIRST_PASSENGER + PASSENGERS);
            return new OwnerThread(interrupt, events, onFailure);
        } catch (RuntimeException | Error e) {
            interrupt.close();
            if (events != null) {
                events.close();
            }
            throw e;
        }
    }

    /// Where the thread sleeps.
    Parking parking() {
        return parking;
    }

    /// Makes the owner look at its requests. Any thread; a system call only if it sleeps.
    void wake() {
        parking.wake();
    }

    /// @param told whether the GPU wakes the thread when a command has ended
    /// @param passengers what takes its turns on this thread
    void start(GpuOwner owner, boolean told, List<Passenger> passengers) {
        OwnerAgent alone = new OwnerAgent(owner, told, passengers.isEmpty());
        ParkingAgent agent = alone;
        if (!passengers.isEmpty()) {
            List<ParkingAgent> all = new ArrayList<>();
            for (int i = 0; i < passengers.size(); i++) {
                events.set(FIRST_PASSENGER + i, passengers.get(i).descriptor());
                all.add(passengers.get(i).agent());
            }
            // Last, so that before the thread sleeps it sees what the others have asked for.
            all.add(alone);
            agent = new AgentGroup(NAME, all);
        }
        thread = new AgentThread(agent, parking, alone::spinNs, this::onError);
        thread.start();
        ended = false;
    }

    /// Ends the thread: nobody touches the GPU when this returns. Whoever wakes it may still do so.
    void stop() {
        if (!ended) {
            ended = thread.end(JOIN_LIMIT);
        }
    }

    /// After everybody who wakes it has ended.
    @Override
    public void close() {
        stop();
        if (!ended) {
            LOG.error("the thread of the GPU's owner did not end");
            return;
        }
        events.close();
        interrupt.close();
    }

    private void onError(Throwable error) {
        switch (error) {
            case GpuDeviceException e ->
                    LOG.error("the GPU cannot be used any more: {}", e.getMessage());
            case InternalError e ->
                    // What the JVM makes of a bus error.
                    LOG.error(
                            "memory that was mapped is gone, the GPU's perhaps, which is off or"
                                    + " asleep",
                            e);
            default -> LOG.error("the GPU's owner ended by an internal error", error);
        }
        onFailure.run();
    }

    /// The owner, and the GPU's signal. Confined to the thread.
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
