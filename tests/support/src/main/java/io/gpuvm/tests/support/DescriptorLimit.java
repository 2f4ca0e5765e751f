package io.gpuvm.tests.support;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Limit that prevents this process from opening descriptors until the limit is closed
/// (setrlimit(2), `RLIMIT_NOFILE`). A class whose first loading fails under the limit remains
/// unavailable, so the code under test must run once before.
public final class DescriptorLimit implements AutoCloseable {
    private static final int RLIMIT_NOFILE = 7;

    /// Number of standard streams, which are open. With a lower limit, ppoll(2) fails.
    private static final int STANDARD = 3;

    private static final MethodHandle GET = limits("getrlimit");
    private static final MethodHandle SET = limits("setrlimit");

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment before = arena.allocate(ValueLayout.JAVA_LONG, 2);
    private final MemorySegment none = arena.allocate(ValueLayout.JAVA_LONG, 2);

    /// Sets the limit.
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
            throw new AssertionError("setrlimit: result=" + result);
        }
    }

    @SuppressWarnings("restricted") // Functions of the C library.
    private static MethodHandle limits(String name) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }
}
