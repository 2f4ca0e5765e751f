package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/// Tests of the report of an error that has ended a thread.
class ThreadFailureTest {
    private static Logger failing(Error error) {
        return (Logger)
                Proxy.newProxyInstance(
                        Logger.class.getClassLoader(),
                        new Class<?>[] {Logger.class},
                        (_, _, _) -> {
                            throw error;
                        });
    }

    @Test
    void givenFullHeap_whenThreadHasEnded_thenBackendEndsAlthoughReportFails() {
        AtomicInteger ended = new AtomicInteger();
        OutOfMemoryError full = new OutOfMemoryError();
        ThreadFailure failure = new ThreadFailure(failing(full), "stopped", ended::incrementAndGet);

        assertThrows(OutOfMemoryError.class, () -> failure.accept(full));

        assertEquals(1, ended.get());
    }
}
