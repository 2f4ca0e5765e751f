package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.reg.RegisterArray;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;

/// Access to a GPU's registers by name. Confined to the thread of the [GpuDevice].
public final class RegisterPort {
    /// Maximum time to wait, longer than the response time of every unit, even under nested
    /// emulation.
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(2);

    private static final int SPINS = 1000;
    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(20);

    private final GpuDevice gpu;

    public RegisterPort(GpuDevice gpu) {
        this.gpu = gpu;
    }

    public int read(Register register) {
        return (int) gpu.read(Bar.BAR0, register.offset(), Register.BYTES);
    }

    public void write(Register register, int value) {
        gpu.write(Bar.BAR0, register.offset(), Register.BYTES, Integer.toUnsignedLong(value));
    }

    /// Reads an element of a register array.
    public int read(RegisterArray array, int index) {
        return (int) gpu.read(Bar.BAR0, array.at(index), Register.BYTES);
    }

    /// Writes an element of a register array.
    public void write(RegisterArray array, int index, int value) {
        gpu.write(Bar.BAR0, array.at(index), Register.BYTES, Integer.toUnsignedLong(value));
    }

    /// Reads a register until `wanted` accepts its value.
    ///
    /// @param what name of the awaited event, for the error message
    /// @throws GpuDeviceException after two seconds
    public void await(String what, Register register, IntPredicate wanted) {
        long start = System.nanoTime();
        int value = read(register);
        for (int turn = 0; !wanted.test(value); turn++) {
            if (System.nanoTime() - start > LIMIT_NS) {
                throw new GpuDeviceException(
                        "%s: timeout=%d ms, %s=%#x"
                                .formatted(
                                        what,
                                        TimeUnit.NANOSECONDS.toMillis(LIMIT_NS),
                                        register.name(),
                                        value));
            }
            if (turn < SPINS) {
                Thread.onSpinWait();
            } else {
                // On a busy host, the thread that responds may need this core.
                LockSupport.parkNanos(NAP_NS);
            }
            value = read(register);
        }
    }
}
