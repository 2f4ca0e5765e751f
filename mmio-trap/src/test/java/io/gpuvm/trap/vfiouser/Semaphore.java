package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.Descriptor;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Factory of eventfds whose counter a read decrements by 1 (eventfd(2), `EFD_SEMAPHORE`).
final class Semaphore {
    private static final int EFD_SEMAPHORE = 1;
    private static final int EFD_CLOEXEC = 0x80000;
    private static final MethodHandle EVENTFD = eventFd();

    private Semaphore() {}

    /// Creates an eventfd with the given initial counter.
    static Descriptor of(int counter) {
        try {
            return Descriptor.own((int) EVENTFD.invokeExact(counter, EFD_SEMAPHORE | EFD_CLOEXEC));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("restricted") // functions of the C library
    private static MethodHandle eventFd() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("eventfd"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    }
}
