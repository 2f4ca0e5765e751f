package io.gpuvm.cuda.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.runtime.GpuError;
import io.gpuvm.pv.runtime.GpuException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Tests of the end of preparations: success, refusals, internal errors.
class PreparationTest {
    private final AtomicInteger ends = new AtomicInteger();

    private Preparation ran(Runnable work) {
        Preparation preparation = new Preparation();
        assertFalse(preparation.isDone());
        preparation.run(work, ends::incrementAndGet);
        assertEquals(1, ends.get());
        return preparation;
    }

    private static Runnable failing(Throwable failure) {
        return () -> {
            switch (failure) {
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new IllegalArgumentException(failure);
            }
        };
    }

    @Test
    void givenWork_whenItSucceeds_thenPreparationIsDone() {
        assertTrue(ran(() -> {}).isDone());
    }

    @Test
    void givenRefusalOfGpu_whenPolled_thenItIsThrown() {
        GpuException refusal = new GpuException(GpuError.INVALID_IMAGE, "image", null);

        Preparation preparation = ran(failing(refusal));

        assertEquals(refusal, assertThrows(GpuException.class, preparation::isDone));
    }

    @Test
    void givenNoMemory_whenPolled_thenGpuErrorIsOutOfMemory() {
        Preparation preparation = ran(failing(new OutOfMemoryError("test")));

        assertEquals(
                GpuError.OUT_OF_MEMORY,
                assertThrows(GpuException.class, preparation::isDone).error());
    }

    @Test
    void givenInternalError_whenPolled_thenCallFailsAndLoadDoesNotContinue() {
        for (Throwable failure :
                new Throwable[] {new IllegalStateException(), new StackOverflowError()}) {
            ends.set(0);
            Preparation preparation = ran(failing(failure));

            assertEquals(
                    CudaResult.UNKNOWN,
                    assertThrows(CudaCallException.class, preparation::isDone).result());
        }
    }
}
