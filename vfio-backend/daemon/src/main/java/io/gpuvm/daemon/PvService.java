package io.gpuvm.daemon;

import io.gpuvm.pv.host.FunctionDoor;
import io.gpuvm.pv.host.PvPlace;
import io.gpuvm.pv.host.PvPoller;
import io.gpuvm.pv.host.PvReception;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/// All paravirtual guests of a backend: who serves them, who lets them in, and their threads.
///
/// Used by one thread, except [#wakePoller()].
final class PvService implements AutoCloseable {
    private final PvPoller poller = new PvPoller();
    private final PvReception reception = new PvReception(poller, System::nanoTime);
    private final ReceptionThread door;

    /// Null if the poller takes its turns on another's thread.
    private final PollerThread thread;

    /// @param onFailure told, on some thread, when guests are not served any more by an error of
    ///   ours
    PvService(BackendConfig config, Runnable onFailure) {
        door = new ReceptionThread(reception, onFailure);
        thread =
                config.threads() == ThreadMode.COMPACT
                        ? null
                        : new PollerThread(poller, config.idle(), onFailure);
    }

    /// Opens the door of a virtual machine. Before [#start()].
    ///
    /// @throws io.gpuvm.linux.LinuxException if the socket cannot be made
    void open(PvPlace place, Path socket) {
        reception.open(place, socket);
    }

    /// Opens the door of a virtual machine that has a PCI function. Before [#start()].
    ///
    /// @param wakeFunction makes the function's thread call [FunctionDoor#deliver()]; any thread
    FunctionDoor open(PvPlace place, Runnable wakeFunction) {
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
        return new PvPassenger(poller, isAsked);
    }

    /// Lets guests in, once the GPU's owner works.
    void start() {
        if (thread != null) {
            thread.start();
        }
        door.start();
    }

    /// Has all guests leave, and removes the sockets. The GPU's owner still works.
    @Override
    public void close() {
        door.close();
        if (thread != null) {
            thread.close();
        }
    }

    /// After the last call of anything else, and after the thread on which the poller took its
    /// turns.
    void closePoller() {
        poller.close();
    }
}
