package io.gpuvm.daemon;

import java.util.function.Consumer;
import org.slf4j.Logger;

/// Report of an error that has ended a thread of the backend, which then ends, too, even if the
/// report fails because the heap is full.
///
/// @param message message for the log
/// @param onFailure ends the backend
record ThreadFailure(Logger log, String message, Runnable onFailure)
        implements Consumer<Throwable> {
    @Override
    public void accept(Throwable error) {
        try {
            log.error(message, error);
        } finally {
            onFailure.run();
        }
    }
}
