package io.gpuvm.daemon;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.Poller;
import io.gpuvm.owner.GpuOwner;
import java.lang.invoke.VarHandle;
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
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(5);
    private static final int INTERRUPT = 0;
    private static final int WAKE = 1;
    private static final int FIRST_PASSENGER = 2;
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
    private final EventFd wakeEvent;
    private final Poller poller;
    private final Runnable onFailure;
    private final Thread thread;
    private GpuOwner owner;
    private boolean isTold;
    private List<Passenger> passengers = List.of();
    private volatile boolean parked;
    private volatile boolean running = true;

    private OwnerThread(EventFd interrupt, EventFd wakeEvent, Poller poller, Runnable onFailure) {
        this.interrupt = interrupt;
        this.wakeEvent = wakeEvent;
        this.poller = poller;
        this.onFailure = onFailure;
        this.thread = Thread.ofPlatform().name("gpuvm-gpu").unstarted(this::run);
        poller.set(INTERRUPT, interrupt.descriptor());
        poller.set(WAKE, wakeEvent.descriptor());
    }

    /// Not started yet.
    ///
    /// @param interrupt signalled by the GPU; closed by this object, also if it cannot be made
    /// @param onFailure told, on the owner's thread, when it ended by an error of ours
    static OwnerThread of(EventFd interrupt, Runnable onFailure) {
        EventFd wakeEvent = null;
        try {
            wakeEvent = EventFd.create();
            return new OwnerThread(
                    interrupt, wakeEvent, new Poller(FIRST_PASSENGER + PASSENGERS), onFailure);
        } catch (RuntimeException | Error e) {
            interrupt.close();
            if (wakeEvent != null) {
                wakeEvent.close();
            }
            throw e;
        }
    }

    /// Makes the owner look at its requests. Any thread; a system call only if it sleeps.
    void wake() {
        // Either we see that it sleeps, or it sees what was put in before.
        VarHandle.fullFence();
        if (parked) {
            wakeEvent.signal();
        }
    }

    /// @param told whether the GPU wakes the thread when a command has ended
    /// @param others what takes its turns on this thread
    void start(GpuOwner of, boolean told, List<Passenger> others) {
        owner = of;
        isTold = told;
        passengers = List.copyOf(others);
        for (int i = 0; i < passengers.size(); i++) {
            poller.set(FIRST_PASSENGER + i, passengers.get(i).descriptor());
        }
        thread.start();
    }

    /// Ends the thread: nobody touches the GPU when this returns. Whoever wakes it may still do so.
    void stop() {
        running = false;
        wakeEvent.signal();
        try {
            if (thread.getState() != Thread.State.NEW) {
                thread.join(JOIN_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// After everybody who wakes it has ended.
    @Override
    public void close() {
        stop();
        poller.close();
        wakeEvent.close();
        interrupt.close();
    }

    private void run() {
        try {
            long idleSinceNs = System.nanoTime();
            long lookedNs = idleSinceNs;
            boolean interrupted = false;
            while (running) {
                boolean worked = owner.doWork(interrupted) + carry() > 0;
                long nowNs = System.nanoTime();
                if (worked) {
                    idleSinceNs = nowNs;
                } else {
                    Thread.onSpinWait();
                }
                if (nowNs - idleSinceNs >= spinNs()) {
                    interrupted = park();
                    lookedNs = nowNs;
                } else {
                    boolean look = nowNs - lookedNs >= LOOK_NS;
                    lookedNs = look ? nowNs : lookedNs;
                    interrupted = look && interrupt.drain() > 0;
                }
            }
        } catch (GpuDeviceException e) {
            LOG.error("the GPU cannot be used any more: {}", e.getMessage());
            onFailure.run();
        } catch (InternalError e) {
            // What the JVM makes of a bus error.
            LOG.error(
                    "memory that was mapped is gone, the GPU's perhaps, which is off or asleep", e);
            onFailure.run();
        } catch (RuntimeException | Error e) {
            LOG.error("the GPU's owner ended by an internal error", e);
            onFailure.run();
        }
    }

    private long spinNs() {
        boolean isInTheWay = FEW_PROCESSORS && isTold && passengers.isEmpty() && owner.isBusy();
        return isInTheWay ? SHORT_SPIN_NS : SPIN_NS;
    }

    private int carry() {
        int work = 0;
        for (int i = 0; i < passengers.size(); i++) {
            work += passengers.get(i).doWork();
        }
        return work;
    }

    /// @return whether the GPU has signalled
    private boolean park() {
        boolean slept = false;
        parked = true;
        VarHandle.fullFence();
        try {
            // Whoever asked before it saw that we sleep is seen by this look.
            if (owner.doWork(false) == 0 && mayPassengersSleep()) {
                long nanos = owner.nanosUntilWork(isTold);
                for (int i = 0; i < passengers.size(); i++) {
                    nanos = Math.min(nanos, passengers.get(i).nanosUntilWork());
                }
                poller.poll(nanos == Long.MAX_VALUE ? Poller.FOREVER : nanos);
                slept = true;
            }
        } finally {
            parked = false;
            for (int i = 0; i < passengers.size(); i++) {
                passengers.get(i).onAwake();
            }
        }
        if (slept && poller.ready(WAKE)) {
            wakeEvent.drain();
        }
        return (!slept || poller.ready(INTERRUPT)) && interrupt.drain() > 0;
    }

    /// Asks all of them, so that none misses that the thread is about to sleep.
    private boolean mayPassengersSleep() {
        boolean may = true;
        for (int i = 0; i < passengers.size(); i++) {
            may &= passengers.get(i).prepareToPark();
        }
        return may && !owner.hasRequests();
    }
}
