package io.gpuvm.daemon;

import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.pv.host.FunctionAcceptor;
import io.gpuvm.pv.host.PvPlace;
import io.gpuvm.pv.host.PvPoller;
import io.gpuvm.pv.host.PvReception;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All paravirtual guests of a backend: who serves them, who lets them in, and their threads.
///
/// Used by one thread, except [#wakePoller()].
final class PvService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PvService.class);
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);

    /// Longer than guests may take to leave.
    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(15);

    private final PvPoller poller;
    private final PvReception reception;
    private final AgentThread acceptance;

    /// Null if the poller takes its turns on another's thread.
    private final AgentThread thread;

    /// Whether [#acceptance] was started.
    private boolean started;

    /// @param shared where the thread of the GPU's owner sleeps, on which the poller takes its
    ///   turns if parts share threads
    /// @param onFailure told, on some thread, when guests are not served any more by an error of
    ///   ours
    PvService(BackendConfig config, Parking shared, Runnable onFailure) {
        boolean alone = config.threads() != ThreadMode.COMPACT;
        poller = alone ? new PvPoller() : new PvPoller(shared);
        reception = new PvReception(poller, System::nanoTime);
        acceptance =
                new AgentThread(
                        reception,
                        reception.parking(),
                        AgentThread.NO_SPIN,
                        error -> {
                            LOG.error(
                                    "no paravirtual guest gets in any more: internal error", error);
                            onFailure.run();
                        });
        thread =
                !alone
                        ? null
                        : new AgentThread(
                                poller,
                                poller.parking(),
                                () -> config.idle().spinNs(poller.hasGuests()),
                                error -> {
                                    LOG.error(
                                            "paravirtual guests are not served any more: internal"
                                                    + " error",
                                            error);
                                    onFailure.run();
                                });
    }

    /// Opens a virtual machine to guests at its socket. Before [#start()].
    ///
    /// @throws io.gpuvm.linux.LinuxException if the socket cannot be made
    void open(PvPlace place, Path socket) {
        reception.open(place, socket);
    }

    /// Opens a virtual machine to guests at its PCI function. Before [#start()].
    ///
    /// @param wakeFunction makes the function's thread call [FunctionAcceptor#deliver()]; any
    ///   thread
    FunctionAcceptor open(PvPlace place, Runnable wakeFunction) {
        return reception.open(place, wakeFunction);
    }

    /// Makes the poller look at its guests, if it sleeps. Any thread.
    void wakePoller() {
        poller.wake();
    }

    /// The poller, for the thread that it takes its turns on.
    ///
    /// @param isAsked whether somebody has asked the GPU's owner for something
    Passenger passenger(BooleanSupplier isAsked) {
        return new Passenger(new PvPassenger(poller, isAsked), poller.descriptor());
    }

    /// Lets guests in, once the GPU's owner works.
    void start() {
        if (thread != null) {
            thread.start();
        }
        acceptance.start();
        started = true;
    }

    /// Has all guests leave, and removes the sockets. The GPU's owner still works.
    @Override
    public void close() {
        if (started) {
            reception.leave();
            acceptance.awaitEnd(LEAVE_LIMIT);
        } else {
            acceptance.end(LEAVE_LIMIT);
        }
        if (thread != null) {
            thread.end(JOIN_LIMIT);
        }
    }

    /// After the last call of anything else, and after the thread on which the poller took its
    /// turns.
    void closePoller() {
        poller.close();
    }
}
