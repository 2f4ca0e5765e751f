package io.gpuvm.bench.pocl;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/// The host's OpenCL library, loaded once per process. Any thread.
@SuppressWarnings("restricted") // Signatures are those of CL/cl.h, so calls are as safe as in C.
final class OpenCl {
    /// OpenCL's loader, which loads the implementations.
    private static final String LIBRARY = "libOpenCL.so.1";

    private static final int SUCCESS = 0;

    private static final Linker LINKER = Linker.nativeLinker();

    private static OpenCl loaded;

    private final Map<ClFunction, MethodHandle> handles = new EnumMap<>(ClFunction.class);

    private OpenCl(SymbolLookup library) {
        for (ClFunction function : ClFunction.values()) {
            MemorySegment address =
                    library.find(function.symbol())
                            .orElseThrow(() ->
                                    new NoPoclException(LIBRARY + " lacks " + function.symbol()));
            handles.put(function, generic(LINKER.downcallHandle(address, function.descriptor())));
        }
    }

    private static MethodHandle generic(MethodHandle handle) {
        return handle.asSpreader(Object[].class, handle.type().parameterCount())
                .asType(MethodType.methodType(Object.class, Object[].class));
    }

    /// Loads the library, unless it is loaded already.
    ///
    /// @throws NoPoclException if the host has no such library
    static synchronized OpenCl load() {
        if (loaded == null) {
            leaveSignalsToTheJvm();
            try {
                loaded = new OpenCl(SymbolLookup.libraryLookup(LIBRARY, Arena.global()));
            } catch (IllegalArgumentException e) {
                NoPoclException none = new NoPoclException(LIBRARY + " was not found");
                none.initCause(e);
                throw none;
            }
        }
        return loaded;
    }

    /// Disables, by an environment variable, PoCL's handler for SIGFPE, which lets kernels divide
    /// by zero. The JVM needs its own handler, which converts the signal to an ArithmeticException.
    private static void leaveSignalsToTheJvm() {
        MethodHandle setenv =
                LINKER.downcallHandle(
                        LINKER.defaultLookup().findOrThrow("setenv"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            int _ =
                    (int)
                            setenv.invokeExact(
                                    arena.allocateFrom("POCL_SIGFPE_HANDLER"),
                                    arena.allocateFrom("0"),
                                    1);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Calls a function that returns its status.
    ///
    /// @throws PoclException if the status is not success
    void call(ClFunction function, Object... arguments) {
        int status = status(function, arguments);
        if (status != SUCCESS) {
            throw failure(function, status);
        }
    }

    /// Calls a function, and returns its status.
    int status(ClFunction function, Object... arguments) {
        return (int) invoke(function, arguments);
    }

    /// Calls a function that creates an object.
    ///
    /// @param arguments all arguments except the last, the pointer to the status
    /// @throws PoclException if the status is not success
    MemorySegment create(ClFunction function, Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(ValueLayout.JAVA_INT);
            Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
            all[arguments.length] = status;
            MemorySegment created = (MemorySegment) invoke(function, all);
            if (status.get(ValueLayout.JAVA_INT, 0) != SUCCESS) {
                throw failure(function, status.get(ValueLayout.JAVA_INT, 0));
            }
            return created;
        }
    }

    private static PoclException failure(ClFunction function, int status) {
        return new PoclException("%s: status=%d, see CL/cl.h".formatted(function.symbol(), status));
    }

    private Object invoke(ClFunction function, Object[] arguments) {
        try {
            return (Object) handles.get(function).invokeExact(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
