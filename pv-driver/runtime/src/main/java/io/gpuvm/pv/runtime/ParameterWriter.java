package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.cubin.KernelParameter;
import io.gpuvm.pv.module.KernelImage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/// Writer of arguments to the offsets at which a kernel expects its parameters.
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

    /// @param layout argument layout of the kernel's module
    /// @param bank receives the contents of constant bank 0
    /// @throws GpuException [GpuError#INVALID_VALUE] if the arguments do not match the kernel's
    ///   parameters, [GpuError#INVALID_HANDLE] if memory is closed or belongs to another context
    void write(KernelImage kernel, ArgumentLayout layout, Arguments arguments, byte[] bank) {
        List<Arguments.Argument> list = arguments.list();
        Target target = new Target(kernel, layout, bank);
        if (kernel.parameters().isEmpty()) {
            writeUndescribed(target, list);
            return;
        }
        if (list.size() != kernel.parameters().size()) {
            throw invalid(kernel, "arguments", list.size(), kernel.parameters().size());
        }
        for (int i = 0; i < list.size(); i++) {
            KernelParameter parameter = kernel.parameters().get(i);
            int at = kernel.parameterOffset() + parameter.offset();
            put(target, i, list.get(i), parameter.sizeBytes(), at);
        }
    }

    private void writeUndescribed(Target target, List<Arguments.Argument> list) {
        KernelImage kernel = target.kernel();
        int end = 0;
        for (int i = 0; i < list.size(); i++) {
            Arguments.Argument argument = list.get(i);
            int bytes = target.layout().bytes(argument);
            int start = target.layout().start(end, argument);
            end = start + bytes;
            if (end > kernel.parameterBytes()) {
                throw invalid(kernel, "bytes of arguments", end, kernel.parameterBytes());
            }
            put(target, i, argument, bytes, kernel.parameterOffset() + start);
        }
        if (end != kernel.parameterBytes()) {
            throw invalid(kernel, "bytes of arguments", end, kernel.parameterBytes());
        }
    }

    /// Destination of a launch's arguments.
    private record Target(KernelImage kernel, ArgumentLayout layout, byte[] bank) {}

    /// @param index index of the argument, or of the structure that contains it
    private void put(Target target, int index, Arguments.Argument argument, int bytes, int at) {
        if (argument.members() != null) {
            putMembers(target, index, argument, bytes, at);
        } else if (argument.pointee() != null) {
            long offset = (long) U64.get(argument.value(), 0);
            long gpuVa = argument.pointee().pointer(context, index, offset);
            putPointer(target, index, gpuVa, bytes, at);
        } else if (argument.value().length == bytes) {
            System.arraycopy(argument.value(), 0, target.bank(), at, bytes);
        } else {
            throw wrongSize(target, index, argument.value().length, bytes);
        }
    }

    private void putMembers(
            Target target, int index, Arguments.Argument structure, int bytes, int at) {
        ArgumentLayout layout = target.layout();
        if (layout.bytes(structure) != bytes) {
            throw wrongSize(target, index, layout.bytes(structure), bytes);
        }
        int end = 0;
        for (Arguments.Argument member : structure.members()) {
            int start = layout.start(end, member);
            end = start + layout.bytes(member);
            put(target, index, member, layout.bytes(member), at + start);
        }
    }

    private static void putPointer(Target target, int index, long gpuVa, int bytes, int at) {
        if (bytes == Long.BYTES) {
            U64.set(target.bank(), at, gpuVa);
        } else if (bytes == Integer.BYTES && gpuVa < NARROW_LIMIT) {
            U32.set(target.bank(), at, (int) gpuVa);
        } else if (bytes == Integer.BYTES) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "kernel %s: address of argument %d=%d, limit=%d"
                            .formatted(target.kernel().name(), index, gpuVa, NARROW_LIMIT - 1));
        } else {
            throw wrongSize(target, index, Long.BYTES, bytes);
        }
    }

    private static GpuException wrongSize(Target target, int index, int bytes, int expected) {
        return invalid(target.kernel(), "bytes of argument " + index, bytes, expected);
    }

    private static GpuException invalid(
            KernelImage kernel, String what, long value, long expected) {
        return new GpuException(
                GpuError.INVALID_VALUE,
                "kernel %s: %s=%d, expected=%d".formatted(kernel.name(), what, value, expected));
    }
}
