package io.gpuvm.daemon;

import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.trap.vfiouser.VfioUserServer;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Thread of one virtual machine: runs its vfio-user server, and thereby all work that the guest's
/// accesses cause.
///
/// If the GPU is shared, an internal error on this thread affects only the current guest: the guest
/// is disconnected, its channels are removed from the GPU and its VRAM is zeroed. If that succeeds,
/// the next guest receives a GPU in its initial state; if not, or if the service fails again before
/// the next guest, the socket is closed to new guests. In pass-through, such an error ends the
/// session immediately.
final class VmService implements ParkingAgent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VmService.class);

    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);

    private final VmConfig config;
    private final VfioUserServer server;
    private final ParkingAgent device;
    private final Runnable onFailure;
    private final AgentThread thread;

    /// Number of errors that the service has survived.
    private volatile int survived;

    /// Number of guests that had connected at the last survived error; -1 before the first.
    private long guestsAtError = -1;

    /// @param device work of the virtual machine's GPU on this thread
    /// @param onFailure called on this thread when an internal error has stopped the service
    VmService(
            VmConfig config,
            VfioUserServer server,
            ParkingAgent device,
            IdleMode idle,
            Runnable onFailure) {
        this.config = config;
        this.server = server;
        this.device = device;
        this.onFailure = onFailure;
        this.thread =
                new AgentThread(
                        this,
                        server.parking(),
                        () -> idle.spinNs(server.connected()),
                        this::onError);
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

    /// Ends the thread, then the connection; removes the socket. Waits for at most a few seconds.
    @Override
    public void close() {
        boolean ended = thread.end(JOIN_LIMIT);
        if (survived > 1) {
            LOG.error("{}: internal errors={}, the first was logged", config.name(), survived);
        }
        if (!ended) {
            LOG.error(
                    "{}: thread did not stop, socket {} is not removed",
                    config.name(),
                    config.socket());
        }
    }

    @Override
    public int doWork() {
        return server.doWork() + device.doWork();
    }

    @Override
    public boolean mayPark() {
        return device.mayPark();
    }

    @Override
    public long nanosUntilWork() {
        return device.nanosUntilWork();
    }

    @Override
    public String roleName() {
        return "gpuvm-vm-" + config.name();
    }

    @Override
    public void onClose() {
        server.close();
    }

    private void onError(Throwable error) {
        try {
            LOG.error(
                    "{}: session stopped: internal error; {} is closed to new guests",
                    config.name(),
                    config.socket(),
                    error);
        } finally {
            onFailure.run();
        }
    }

    /// Returns whether the service can continue after an error. An error that recurs without a new
    /// guest would recur indefinitely.
    private boolean canSurvive() {
        return config.mode() != VmMode.PASSTHROUGH
                && server.counters().connections() != guestsAtError;
    }

    @Override
    public boolean survives(Throwable error) {
        if (!canSurvive()) {
            return false;
        }
        guestsAtError = server.counters().connections();
        survived++;
        try {
            if (survived == 1) {
                LOG.error(
                        "{}: internal error, guest disconnected; other guests are not affected",
                        config.name(),
                        error);
            }
        } finally {
            server.abandon();
        }
        return true;
    }
}
