package io.gpuvm.bench.pocl;

import io.gpuvm.workloads.WorkloadRun;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;

/// Run of a workload on PoCL, with one kernel. Closing it frees its memory.
///
/// Confined to one thread.
abstract class PoclRun implements WorkloadRun {
    /// Value of wiped bytes, the same as for runs on the software GPU.
    private static final byte WIPED = (byte) 0xff;

    private final PoclDevice device;
    private final String name;

    /// Sizes of the allocated buffers, in bytes, by buffer.
    private final Map<MemorySegment, Long> memory = new LinkedHashMap<>();

    private PoclKernel kernel;

    /// @param name name of the kernel and of its source
    PoclRun(PoclDevice device, String name) {
        this.device = device;
        this.name = name;
    }

    final PoclDevice device() {
        return device;
    }

    final PoclKernel kernel() {
        return kernel;
    }

    /// Compiles the kernel for the given number of square blocks in each direction.
    final void build(int columns, int rows) {
        kernel = device.build(name, columns, rows);
    }

    /// Allocates memory for floats or other 32-bit words, which is freed when the run is closed.
    final MemorySegment allocateWords(long words) {
        long bytes = words * Integer.BYTES;
        MemorySegment allocated = device.allocate(bytes);
        memory.put(allocated, bytes);
        return allocated;
    }

    @Override
    public final void wipe() {
        memory.forEach((buffer, bytes) -> device.fill(buffer, bytes, WIPED));
    }

    @Override
    public final void close() {
        memory.keySet().forEach(device::free);
        memory.clear();
        if (kernel != null) {
            kernel.close();
            kernel = null;
        }
    }
}
