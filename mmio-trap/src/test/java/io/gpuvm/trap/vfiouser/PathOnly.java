package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.Descriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Factory of descriptors that only identify a file and permit no access to it (open(2), `O_PATH`).
final class PathOnly {
    private static final int O_PATH = 0x200000;
    private static final int O_CLOEXEC = 0x80000;
    private static final MethodHandle OPEN = open();

    private PathOnly() {}

    /// Opens the file of another descriptor of this process as a path only.
    static Descriptor of(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom("/proc/self/fd/" + descriptor);
            return Descriptor.own((int) OPEN.invokeExact(path, O_PATH | O_CLOEXEC));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("restricted") // functions of the C library
    private static MethodHandle open() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("open"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                Linker.Option.firstVariadicArg(2));
    }
}
