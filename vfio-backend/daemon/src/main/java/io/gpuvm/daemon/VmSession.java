package io.gpuvm.daemon;

import io.gpuvm.trap.vfiouser.VfioUserServer;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The thread of one virtual machine: runs its vfio-user server, and through it everything that the
/// guest's accesses cause.
///
/// An error of ours there costs, where the GPU is shared, no more than the guest that was served:
/// it is disconnected, its channels are taken off the GPU and its VRAM is zeroed. If that works,
/// the next guest finds a GPU as new; if not, or if it fails again before there is a next one,
/// nobody is served on this socket any more. In pass-through such an error ends the session at
/// once.
final class VmSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VmSession.class);

    /// How long [IdleMode#BACKOFF] spins: a few round trips of QEMU, so that a run of register
    /// reads finds the thread awake.
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /// A wait without a time limit spares the kernel a timer; whoever wants the thread wakes it.
    private static final long FOREVER = -1;

    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(5);

    private final VmConfig config;
    private final VfioUserServer server;
    private final DutyCycle device;
    private final IdleMode idle;
    private final Runnable onFailure;
    private final Thread thread;
    private volatile boolean running = true;

    /// How many errors it has survived, and how many guests there had been at the last of them.
    private volatile int survived;

    private long guestsAtError = -1;

    /// @param device what the virtual machine's GPU has to do on this thread
    /// @param onFailure told, on the session's thread, when it ended by an error of ours
    VmSession(
            VmConfig config,
            VfioUserServer server,
            DutyCycle device,
            IdleMode idle,
            Runnable onFailure) {
        this.config = config;
        this.server = server;
        this.device = device;
        this.idle = idle;
        this.onFailure = onFailure;
        this.thread = Thread.ofPlatform().name("gpuvm-vm-" + config.name()).unstarted(this::run);
    }

    VmConfig config() {
        return config;
    }

    VfioUserServer server() {
        return server;
    }

    void start() {
        thread.start();
    }

    /// Ends the thread, then the connection; the socket is removed. Waits a few seconds at the
    /// most.
    @Override
    public void close() {
        if (thread.getState() == Thread.State.NEW) {
            server.close();
            return;
        }
        running = false;
        server.wake();
        try {
            thread.join(JOIN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (survived > 1) {
            LOG.error(
                    "{}: internal errors={}, of which the first was logged",
                    config.name(),
                    survived);
        }
        if (thread.isAlive()) {
            LOG.error(
                    "{}: thread did not end, socket {} is left behind",
                    config.name(),
                    config.socket());
        }
    }

    private void run() {
        try (server) {
            serve();
        } catch (RuntimeException | Error e) {
            try {
                LOG.error(
                        "{}: session ended by an internal error, nobody is served on {} any more",
                        config.name(),
                        config.socket(),
                        e);
            } finally {
                onFailure.run();
            }
        }
    }

    private void serve() {
        long idleSinceNs = System.nanoTime();
        while (running) {
            try {
                if (server.doWork() + device.doWork().getAsInt() > 0) {
                    idleSinceNs = System.nanoTime();
                } else {
                    idle(idleSinceNs);
                }
            } catch (RuntimeException | Error e) {
                if (!canSurvive()) {
                    throw e;
                }
                survive(e);
            }
        }
    }

    /// An error that comes back although no guest has caused it would come back for ever.
    private boolean canSurvive() {
        return config.mode() != VmMode.PASSTHROUGH
                && server.counters().connections() != guestsAtError;
    }

    private void survive(Throwable error) {
        guestsAtError = server.counters().connections();
        survived++;
        try {
            if (survived == 1) {
                LOG.error(
                        "{}: internal error, its guest is disconnected; others go on",
                        config.name(),
                        error);
            }
        } finally {
            server.abandon();
        }
    }

    private void idle(long idleSinceNs) {
        boolean spin =
                server.connected()
                        && switch (idle) {
                            case BLOCK -> false;
                            case SPIN -> true;
                            case BACKOFF -> System.nanoTime() - idleSinceNs < SPIN_NS;
                        };
        if (spin) {
            Thread.onSpinWait();
        } else {
            long nanos = device.nanosUntilWork().getAsLong();
            server.park(nanos == Long.MAX_VALUE ? FOREVER : nanos);
        }
    }
}
