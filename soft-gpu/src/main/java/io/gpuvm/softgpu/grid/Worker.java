package io.gpuvm.softgpu.grid;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/// A thread that runs the lanes that it is offered. Looks for the next one for a short while, then
/// sleeps.
final class Worker implements AutoCloseable {
    static final String THREAD_NAME = "gpuvm-worker-";

    /// About as long as it takes to wake a thread.
    private static final int SPINS = 1000;

    private final AtomicReference<Lane> offered = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean asleep;
    private volatile boolean closed;

    Worker(int number) {
        thread = Thread.ofPlatform().daemon().name(THREAD_NAME + number).unstarted(this::work);
        thread.start();
    }

    /// Engine thread: asks it to run a lane that is on offer. An earlier one that it has not looked
    /// at is forgotten.
    void offer(Lane lane) {
        offered.set(lane);
        if (asleep) {
            LockSupport.unpark(thread);
        }
    }

    /// Ends the thread. Nothing may be on offer.
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        int idle = 0;
        while (!closed) {
            Lane lane = offered.get() == null ? null : offered.getAndSet(null);
            if (lane != null) {
                lane.runIfOffered(null);
                idle = 0;
            } else if (idle < SPINS) {
                idle++;
                Thread.onSpinWait();
            } else {
                sleep();
            }
        }
    }

    /// Whoever offers something after the look here sees that it sleeps.
    private void sleep() {
        asleep = true;
        if (offered.get() == null && !closed) {
            LockSupport.park(this);
        }
        asleep = false;
    }
}
