package io.gpuvm.cli;

import io.gpuvm.daemon.Backend;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.NotifySocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.utils.Signals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// States of a backend for its service manager: ready, reloading, stopping, and alive, as long as
/// the thread of the GPU's owner answers. Also reloads the configuration on SIGHUP, as service
/// managers request it. Used by one thread; signals and answers arrive on others.
final class ServiceStates implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceStates.class);
    private static final String HANGUP = "HUP";

    /// Reports within the time that the manager permits, so that one may be late.
    private static final int REPORTS_IN_TIME = 3;

    private final NotifySocket manager;
    private final Backend backend;

    /// True while the owner has not yet answered the last question.
    private final AtomicBoolean asked = new AtomicBoolean();

    private boolean handlesSignal;

    ServiceStates(NotifySocket manager, Backend backend) {
        this.manager = manager;
        this.backend = backend;
    }

    /// Makes SIGHUP reload the configuration.
    void reloadOnSignal() {
        Signals.register(HANGUP, this::reload);
        handlesSignal = true;
    }

    void ready() {
        report(manager::ready);
    }

    /// Returns the interval between calls of [#ask()]; null if the manager expects no signs of
    /// life.
    Duration interval() {
        return manager.watchdog() == null ? null : manager.watchdog().dividedBy(REPORTS_IN_TIME);
    }

    /// Asks the owner's thread for an answer, which the manager then receives as a sign of life.
    void ask() {
        if (asked.compareAndSet(false, true)) {
            backend.probe()
                    .whenComplete((_, error) -> {
                        asked.set(false);
                        if (error == null) {
                            report(manager::alive);
                        }
                    });
        }
    }

    private void reload() {
        report(manager::reloading);
        backend.reload()
                .whenComplete((changes, error) -> {
                    if (error == null) {
                        log(changes);
                    } else {
                        Throwable cause = error.getCause() == null ? error : error.getCause();
                        LOG.error("SIGHUP: {}", cause.getMessage());
                    }
                    report(manager::ready);
                });
    }

    private static void log(List<String> changes) {
        LOG.info("SIGHUP: {}", changes.isEmpty() ? "no change" : String.join("; ", changes));
    }

    /// A manager that cannot be reached must not end the service.
    private static void report(Runnable state) {
        try {
            state.run();
        } catch (LinuxException e) {
            LOG.warn("the service manager is not informed: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        if (handlesSignal) {
            Signals.register(HANGUP, () -> LOG.info("SIGHUP: the backend is stopping"));
        }
        report(manager::stopping);
    }
}
