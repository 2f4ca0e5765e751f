package io.gpuvm.daemon;

import io.gpuvm.counters.CounterCells;
import io.gpuvm.linux.SocketAccess;
import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.pv.host.FunctionAcceptor;
import io.gpuvm.pv.host.PvPlace;
import io.gpuvm.pv.host.PvPoller;
import io.gpuvm.pv.host.PvReception;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Service of all paravirtual guests of a backend: the poller, the acceptors, and the threads of
/// both.
///
/// Used by one thread at a time, except where noted.
final class PvService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PvService.class);
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(5);

    /// Time limit for the end of the acceptors' thread, longer than the time limit for guests to
    /// leave.
    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(15);

    private final PvPoller poller;
    private final PvReception reception;
    private final AgentThread acceptance;

    /// Poller's own thread; null if the poller shares the GPU owner's thread.
    private final AgentThread thread;

    /// True if [#acceptance] has been started.
    private boolean started;

    /// @param shared parking of the GPU owner's thread, on which the poller takes its turns if
    ///   parts share threads
    /// @param onFailure called on any thread when an internal error has stopped the service of
    ///   guests
    PvService(BackendConfig config, Parking shared, Runnable onFailure) {
        boolean alone = config.threads() != ThreadMode.COMPACT;
        poller = alone ? new PvPoller() : new PvPoller(shared);
        reception = new PvReception(poller, System::nanoTime);
        acceptance =
                new AgentThread(
                        reception,
                        reception.parking(),
                        AgentThread.NO_SPIN,
                        new ThreadFailure(
                                LOG,
                                "paravirtual guests are no longer accepted: internal error",
                                onFailure));
        thread =
                !alone
                        ? null
                        : new AgentThread(
                                poller,
                                poller.parking(),
                                () -> config.idle().spinNs(poller.hasGuests()),
                                new ThreadFailure(
                                        LOG,
                                        "paravirtual guests are no longer served: internal error",
                                        onFailure));
    }

    /// Opens the socket of a virtual machine for guests. Any thread.
    ///
    /// @param access users and groups whose processes may connect
    /// @throws io.gpuvm.linux.LinuxException if the socket cannot be created
    void open(PvPlace place, Path socket, SocketAccess access) {
        reception.open(place, socket, access);
    }

    /// Closes the socket of a virtual machine, and disconnects its guests. Any thread.
    ///
    /// @return completed as [PvReception#close(PvPlace)] describes
    CompletableFuture<Void> close(PvPlace place) {
        return reception.close(place);
    }

    /// Opens the PCI function of a virtual machine for guests. Called before [#start()].
    ///
    /// @param wakeFunction makes the function's thread call [FunctionAcceptor#deliver()]; any
    ///   thread
    FunctionAcceptor open(PvPlace place, Runnable wakeFunction) {
        return reception.open(place, wakeFunction);
    }

    /// Makes the poller poll its guests, if it sleeps. Any thread.
    void wakePoller() {
        poller.wake();
    }

    /// Shows the number of the poller's rounds in a counter. Called before the start.
    void showRounds(CounterCells loops) {
        poller.showRounds(loops);
    }

    /// Returns the poller as a passenger of another thread.
    ///
    /// @param isAsked returns whether the GPU's owner has requests
    Passenger passenger(BooleanSupplier isAsked) {
        return new Passenger(new PvPassenger(poller, isAsked), poller.descriptor());
    }

    /// Starts to accept guests. The GPU's owner must be running.
    void start() {
        if (thread != null) {
            thread.start();
        }
        acceptance.start();
        started = true;
    }

    /// Disconnects all guests, and removes the sockets. The GPU's owner must still be running.
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

    /// Closes the poller. Called last, after the end of the thread on which the poller takes its
    /// turns.
    void closePoller() {
        poller.close();
    }
}
