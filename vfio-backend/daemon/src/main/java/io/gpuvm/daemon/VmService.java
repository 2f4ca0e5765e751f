package io.gpuvm.daemon;

import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.trap.vfiouser.VfioUserServer;
import java.time.Duration;
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
final class VmService implements ParkingAgent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VmService.class);

    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);

    private final VmConfig config;
    private final VfioUserServer server;
    private final ParkingAgent device;
    private final Runnable onFailure;
    private final AgentThread thread;

    /// How many errors it has survived, and how many guests there had been at the last of them.
    private volatile int survived;

    private long guestsAtError = -1;

    /// @param device what the virtual machine's GPU has to do on this thread
    /// @param onFailure told, on the session's thread, when it ended by an error of ours
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

    /// Ends the thread, then the connection; the socket is removed. Waits a few seconds at the
    /// most.
    @Override
    public void close() {
        boolean ended = thread.end(JOIN_LIMIT);
        if (survived > 1) {
            LOG.error(
                    "{}: internal errors={}, of which the first was logged",
                    config.name(),
                    survived);
        }
        if (!ended) {
            LOG.error(
                    "{}: thread did not end, socket {} is left behind",
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
                    "{}: session ended by an internal error, nobody is served on {} any more",
                    config.name(),
                    config.socket(),
                    error);
        } finally {
            onFailure.run();
        }
    }

    /// An error that comes back although no guest has caused it would come back for ever.
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
                        "{}: internal error, its guest is disconnected; others go on",
                        config.name(),
                        error);
            }
        } finally {
            server.abandon();
        }
        return true;
    }
}
