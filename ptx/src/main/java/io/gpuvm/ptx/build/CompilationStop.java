package io.gpuvm.ptx.build;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Conditions under which a compilation ends early: its deadline, or a request of the caller.
/// Confined to the thread of the compilation, which creates it when the compilation begins.
public final class CompilationStop {
    private final long start = System.nanoTime();
    private final long limit;
    private final BooleanSupplier isUnwanted;

    /// @param limit maximum time of the compilation
    /// @param isUnwanted returns whether the caller no longer wants the result; called several times
    ///   for each function
    public CompilationStop(Duration limit, BooleanSupplier isUnwanted) {
        this.limit = limit.toNanos();
        this.isUnwanted = isUnwanted;
    }

    /// Returns if the compilation may continue.
    ///
    /// @throws CompilationStoppedException if the compilation ends
    public void check() {
        if (isUnwanted.getAsBoolean()) {
            throw new CompilationStoppedException("compilation is cancelled");
        }
        long nanos = System.nanoTime() - start;
        if (nanos > limit) {
            throw new CompilationStoppedException(
                    "milliseconds of the compilation=%d, limit=%d"
                            .formatted(
                                    TimeUnit.NANOSECONDS.toMillis(nanos),
                                    TimeUnit.NANOSECONDS.toMillis(limit)));
        }
    }
}
