package io.gpuvm.ptx.ir;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Conditions under which a compilation ends early: too many values of a function, its deadline, or
/// a request of the caller. Bound to the thread of the compilation while it runs, and read by each
/// new [Function], so that the steps of the compiler need no parameter for it.
public final class Checkpoint {
    /// Ends a compilation early. Leaves [Checkpoint#run].
    public static final class StoppedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StoppedException(String message) {
            super(message, null, false, false);
        }
    }

    /// Number of bytes of initialized variables for which the memory of a value suffices: several
    /// steps of the compiler have a copy of the variables.
    private static final long DATA_BYTES_OF_VALUE = 100;

    private static final ScopedValue<Checkpoint> CURRENT = ScopedValue.newInstance();
    private static final Checkpoint NONE =
            new Checkpoint(Integer.MAX_VALUE, Duration.ofNanos(Long.MAX_VALUE), () -> false);

    private final long start = System.nanoTime();
    private final int values;
    private final long nanos;
    private final BooleanSupplier isUnwanted;

    /// Bytes of initial values of all sources.
    private long dataBytes;

    private Checkpoint(int values, Duration time, BooleanSupplier isUnwanted) {
        this.values = values;
        this.nanos = time.toNanos();
        this.isUnwanted = isUnwanted;
    }

    /// Runs a compilation on this thread.
    ///
    /// @param values maximum number of values of a function
    /// @param time maximum time from now on
    /// @param isUnwanted returns whether the caller no longer wants the result; called many times
    /// @throws StoppedException if the compilation ends early
    public static <T> T run(
            int values, Duration time, BooleanSupplier isUnwanted, Supplier<T> compilation) {
        return ScopedValue.where(CURRENT, new Checkpoint(values, time, isUnwanted))
                .call(compilation::get);
    }

    /// Returns the conditions of the compilation on this thread.
    public static Checkpoint current() {
        return CURRENT.orElse(NONE);
    }

    /// Returns if the compilation may continue.
    ///
    /// @throws StoppedException if it ends
    public void pass() {
        if (isUnwanted.getAsBoolean()) {
            throw new StoppedException("compilation is cancelled");
        }
        long now = System.nanoTime() - start;
        if (now > nanos) {
            throw new StoppedException(
                    "milliseconds of the compilation=%d, limit=%d"
                            .formatted(
                                    TimeUnit.NANOSECONDS.toMillis(now),
                                    TimeUnit.NANOSECONDS.toMillis(nanos)));
        }
    }

    /// Counts bytes of the initial value of a variable.
    ///
    /// @throws StoppedException if those of all sources are too many
    public void addData(long bytes) {
        checkData(dataBytes + bytes);
        dataBytes += bytes;
    }

    /// Returns if the initialized variables of a module may have so many bytes.
    ///
    /// @throws StoppedException if they are too many
    public void checkData(long bytes) {
        if (bytes > values * DATA_BYTES_OF_VALUE) {
            throw new StoppedException(
                    "initialized variables: bytes=%d, limit=%d"
                            .formatted(bytes, values * DATA_BYTES_OF_VALUE));
        }
    }

    /// Returns if a function may have so many values, and if the compilation may continue.
    ///
    /// @throws StoppedException if it ends
    void pass(String function, long count) {
        if (count > values) {
            throw new StoppedException(
                    "function %s: values=%d, limit=%d".formatted(function, count, values));
        }
        pass();
    }
}
