package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.ConstantMethods;
import io.gpuvm.softgpu.fifo.GpuProgram;
import java.util.LinkedHashMap;
import java.util.Map;

/// Methods that launch a kernel, in the order that a driver uses.
public final class KernelLauncher {
    /// Subchannel to which the class must be bound.
    public static final int SUBCHANNEL = 1;

    private static final int LAUNCH_ARGUMENT = 0x1000;

    private final Map<Integer, Integer> methods = new LinkedHashMap<>();
    private long constantsGpuVa;
    private int[] constants = {};

    /// Prepares one block of one warp, with 16 registers per thread and up to 48 KiB of shared
    /// memory.
    ///
    /// @param codeGpuVa address of the kernel's first instruction
    public KernelLauncher(long codeGpuVa) {
        set(ComputeClass.SHARED_BASE, 0xfe00_0000);
        set(ComputeClass.LOCAL_BASE, 0xff00_0000);
        set(ComputeClass.CACHE_SPLIT, ComputeClass.SPLIT_SHARED_48K);
        set(ComputeClass.CODE_ADDRESS_HIGH, (int) (codeGpuVa >>> Integer.SIZE));
        set(ComputeClass.CODE_ADDRESS_LOW, (int) codeGpuVa);
        set(ComputeClass.ENTRY, 0);
        set(ComputeClass.LOCAL_POSITIVE_BYTES, 0);
        set(ComputeClass.LOCAL_NEGATIVE_BYTES, 0);
        set(ComputeClass.CALL_STACK_BYTES, 0);
        set(ComputeClass.SHARED_BYTES, 0);
        set(ComputeClass.BARRIERS, 1);
        registers(16);
        grid(1, 1, 1);
        block(32, 1, 1);
    }

    public KernelLauncher set(int method, int data) {
        methods.put(method, data);
        return this;
    }

    public KernelLauncher grid(int x, int y, int z) {
        return set(ComputeClass.GRID_YX, yx(x, y)).set(ComputeClass.GRID_Z, z);
    }

    public KernelLauncher block(int x, int y, int z) {
        return set(ComputeClass.THREADS, x * y * z)
                .set(ComputeClass.BLOCK_YX, yx(x, y))
                .set(ComputeClass.BLOCK_Z, z);
    }

    public KernelLauncher registers(int count) {
        return set(ComputeClass.REGISTERS, count);
    }

    public KernelLauncher shared(int bytes) {
        return set(ComputeClass.SHARED_BYTES, bytes);
    }

    public KernelLauncher temp(long gpuVa, int bytes) {
        return set(ComputeClass.TEMP_ADDRESS_HIGH, (int) (gpuVa >>> Integer.SIZE))
                .set(ComputeClass.TEMP_ADDRESS_LOW, (int) gpuVa)
                .set(ComputeClass.TEMP_BYTES_HIGH, 0)
                .set(ComputeClass.TEMP_BYTES_LOW, bytes);
    }

    /// Writes words to memory, which becomes constant bank 0.
    public KernelLauncher constants(long gpuVa, int... words) {
        constantsGpuVa = gpuVa;
        constants = words.clone();
        return this;
    }

    /// Appends all methods to a program that binds the class.
    public GpuProgram append(GpuProgram program) {
        program.methods(SUBCHANNEL, ComputeClass.FLUSH, ComputeClass.FLUSH_CODE.mask());
        if (constants.length > 0) {
            program.methods(SUBCHANNEL, ConstantMethods.SIZE, 0x1000)
                    .address(SUBCHANNEL, ConstantMethods.ADDRESS_HIGH, constantsGpuVa)
                    .methods(SUBCHANNEL, ConstantMethods.POSITION, 0)
                    .repeat(SUBCHANNEL, ConstantMethods.DATA_FIRST, constants)
                    .methods(SUBCHANNEL, ComputeClass.CONSTANT_BIND, 1);
        }
        methods.forEach((method, data) -> program.methods(SUBCHANNEL, method, data));
        return program.methods(SUBCHANNEL, ComputeClass.LAUNCH, LAUNCH_ARGUMENT);
    }

    private static int yx(int x, int y) {
        return y << 16 | x;
    }
}
