package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.classes.ConstantMethods;
import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.DriverBank;
import io.gpuvm.pv.transport.GenericWindows;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Contents of constant bank 0 before the parameters.
final class LaunchConstants {
    /// Length of bank 0 in bytes: these contents, and parameters of maximum length.
    static final int BYTES = align(ConstantSection.PARAMETERS + CubinFunction.MAX_PARAMETER_BYTES);

    private static final VarHandle U32 =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private LaunchConstants() {}

    static void write(byte[] bank, LaunchShape shape) {
        U32.set(bank, DriverBank.SHARED_WINDOW, (int) GenericWindows.SHARED);
        U32.set(bank, DriverBank.LOCAL_WINDOW, (int) GenericWindows.LOCAL);
        put(bank, DriverBank.BLOCK, shape.blockX(), shape.blockY(), shape.blockZ());
        put(bank, DriverBank.GRID, shape.gridX(), shape.gridY(), shape.gridZ());
    }

    private static void put(byte[] bank, int at, int x, int y, int z) {
        U32.set(bank, at, x);
        U32.set(bank, at + Integer.BYTES, y);
        U32.set(bank, at + 2 * Integer.BYTES, z);
    }

    private static int align(int bytes) {
        return (bytes + ConstantMethods.ALIGNMENT_BYTES - 1) & -ConstantMethods.ALIGNMENT_BYTES;
    }
}
