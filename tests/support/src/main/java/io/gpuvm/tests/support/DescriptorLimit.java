package io.gpuvm.tests.support;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Limit that keeps this process from opening descriptors until it is closed (setrlimit(2),
/// `RLIMIT_NOFILE`). A class whose first load fails during the limit stays unavailable: run the
/// code under test once before.
public final class DescriptorLimit implements AutoCloseable {
    private static final int RLIMIT_NOFILE = 7;

    /// Standard input, output and error, which are open. With a lower limit ppoll(2) fails.
    private static final int STANDARD = 3;

    private static final MethodHandle GET = limits("getrlimit");
    private static final MethodHandle SET = limits("setrlimit");

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment before = arena.allocate(ValueLayout.JAVA_LONG, 2);
    private final MemorySegment none = arena.allocate(ValueLayout.JAVA_LONG, 2);

    /// Begins to refuse descriptors.
    public DescriptorLimit() {
        call(GET, before);
        call(SET, before);
        long hard = before.getAtIndex(ValueLayout.JAVA_LONG, 1);
        none.setAtIndex(ValueLayout.JAVA_LONG, 0, STANDARD);
        none.setAtIndex(ValueLayout.JAVA_LONG, 1, hard);
        call(SET, none);
    }

    @Override
    public void close() {
        call(SET, before);
        arena.close();
    }

    private static void call(MethodHandle function, MemorySegment limits) {
        int result;
        try {
            result = (int) function.invokeExact(RLIMIT_NOFILE, limits);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        if (result != 0) {
            throw new AssertionError("limit of descriptors: " + result);
        }
    }

    @SuppressWarnings("restricted") // the C library's own
    private static MethodHandle limits(String name) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }
}
