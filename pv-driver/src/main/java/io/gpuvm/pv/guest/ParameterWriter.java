package io.gpuvm.pv.guest;

import io.gpuvm.gf100.cubin.KernelParameter;
import io.gpuvm.pv.module.KernelImage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/// Arguments on their way to where a kernel expects its parameters.
final class ParameterWriter {
    private static final VarHandle U32 =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle U64 =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long NARROW_LIMIT = 1L << Integer.SIZE;

    private final GpuContext context;

    ParameterWriter(GpuContext context) {
        this.context = context;
    }

    /// @param pointerBytes of a pointer in the kernel's module
    /// @param bank what becomes constant bank 0
    /// @throws GpuException [GpuError#INVALID_VALUE] if the arguments are not what the kernel
    ///   takes, [GpuError#INVALID_HANDLE] if memory is closed or another context's
    void write(KernelImage kernel, int pointerBytes, Arguments arguments, byte[] bank) {
        List<Arguments.Argument> list = arguments.list();
        if (kernel.parameters().isEmpty()) {
            writeUndescribed(kernel, pointerBytes, list, bank);
            return;
        }
        if (list.size() != kernel.parameters().size()) {
            throw invalid(kernel, "arguments", list.size(), kernel.parameters().size());
        }
        for (int i = 0; i < list.size(); i++) {
            KernelParameter parameter = kernel.parameters().get(i);
            int at = kernel.parameterOffset() + parameter.offset();
            put(kernel, i, list.get(i), parameter.sizeBytes(), bank, at);
        }
    }

    private void writeUndescribed(
            KernelImage kernel, int pointerBytes, List<Arguments.Argument> list, byte[] bank) {
        int end = 0;
        for (int i = 0; i < list.size(); i++) {
            Arguments.Argument argument = list.get(i);
            int bytes = argument.pointee() == null ? argument.value().length : pointerBytes;
            int alignment = Math.max(1, Math.min(Long.BYTES, Integer.lowestOneBit(bytes)));
            int start = (end + alignment - 1) & -alignment;
            end = start + bytes;
            if (end > kernel.parameterBytes()) {
                throw invalid(kernel, "bytes of arguments", end, kernel.parameterBytes());
            }
            put(kernel, i, argument, bytes, bank, kernel.parameterOffset() + start);
        }
        if (end != kernel.parameterBytes()) {
            throw invalid(kernel, "bytes of arguments", end, kernel.parameterBytes());
        }
    }

    private void put(
            KernelImage kernel,
            int index,
            Arguments.Argument argument,
            int bytes,
            byte[] bank,
            int at) {
        if (argument.pointee() != null) {
            long offset = (long) U64.get(argument.value(), 0);
            long gpuVa = argument.pointee().range(context, "argument " + index, offset, 0);
            putPointer(kernel, index, gpuVa, bytes, bank, at);
        } else if (argument.value().length == bytes) {
            System.arraycopy(argument.value(), 0, bank, at, bytes);
        } else {
            throw invalid(kernel, "bytes of argument " + index, argument.value().length, bytes);
        }
    }

    private static void putPointer(
            KernelImage kernel, int index, long gpuVa, int bytes, byte[] bank, int at) {
        if (bytes == Long.BYTES) {
            U64.set(bank, at, gpuVa);
        } else if (bytes == Integer.BYTES && gpuVa < NARROW_LIMIT) {
            U32.set(bank, at, (int) gpuVa);
        } else if (bytes == Integer.BYTES) {
            throw invalid(kernel, "address of argument " + index, gpuVa, NARROW_LIMIT - 1);
        } else {
            throw invalid(kernel, "bytes of argument " + index, Long.BYTES, bytes);
        }
    }

    private static GpuException invalid(KernelImage kernel, String what, long value, long limit) {
        return new GpuException(
                GpuError.INVALID_VALUE,
                "kernel %s: %s=%d, limit=%d".formatted(kernel.name(), what, value, limit));
    }
}
