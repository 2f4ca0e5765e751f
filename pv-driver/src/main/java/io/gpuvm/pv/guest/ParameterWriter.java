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
        ArgumentLayout layout = new ArgumentLayout(pointerBytes);
        if (kernel.parameters().isEmpty()) {
            writeUndescribed(kernel, layout, list, bank);
            return;
        }
        if (list.size() != kernel.parameters().size()) {
            throw invalid(kernel, "arguments", list.size(), kernel.parameters().size());
        }
        for (int i = 0; i < list.size(); i++) {
            KernelParameter parameter = kernel.parameters().get(i);
            int at = kernel.parameterOffset() + parameter.offset();
            put(new Place(kernel, layout, i, bank), list.get(i), parameter.sizeBytes(), at);
        }
    }

    private void writeUndescribed(
            KernelImage kernel, ArgumentLayout layout, List<Arguments.Argument> list, byte[] bank) {
        int end = 0;
        for (int i = 0; i < list.size(); i++) {
            Arguments.Argument argument = list.get(i);
            int bytes = layout.bytes(argument);
            int start = layout.start(end, argument);
            end = start + bytes;
            if (end > kernel.parameterBytes()) {
                throw invalid(kernel, "bytes of arguments", end, kernel.parameterBytes());
            }
            put(
                    new Place(kernel, layout, i, bank),
                    argument,
                    bytes,
                    kernel.parameterOffset() + start);
        }
        if (end != kernel.parameterBytes()) {
            throw invalid(kernel, "bytes of arguments", end, kernel.parameterBytes());
        }
    }

    /// What an argument goes to.
    ///
    /// @param index which argument it is, or is a member of
    private record Place(KernelImage kernel, ArgumentLayout layout, int index, byte[] bank) {
        String argument() {
            return "argument " + index;
        }
    }

    private void put(Place place, Arguments.Argument argument, int bytes, int at) {
        if (argument.members() != null) {
            putMembers(place, argument, bytes, at);
        } else if (argument.pointee() != null) {
            long offset = (long) U64.get(argument.value(), 0);
            long gpuVa = argument.pointee().range(context, place.argument(), offset, 0);
            putPointer(place, gpuVa, bytes, at);
        } else if (argument.value().length == bytes) {
            System.arraycopy(argument.value(), 0, place.bank(), at, bytes);
        } else {
            throw wrongSize(place, argument.value().length, bytes);
        }
    }

    private void putMembers(Place place, Arguments.Argument structure, int bytes, int at) {
        ArgumentLayout layout = place.layout();
        if (layout.bytes(structure) != bytes) {
            throw wrongSize(place, layout.bytes(structure), bytes);
        }
        int end = 0;
        for (Arguments.Argument member : structure.members()) {
            int start = layout.start(end, member);
            end = start + layout.bytes(member);
            put(place, member, layout.bytes(member), at + start);
        }
    }

    private static void putPointer(Place place, long gpuVa, int bytes, int at) {
        if (bytes == Long.BYTES) {
            U64.set(place.bank(), at, gpuVa);
        } else if (bytes == Integer.BYTES && gpuVa < NARROW_LIMIT) {
            U32.set(place.bank(), at, (int) gpuVa);
        } else if (bytes == Integer.BYTES) {
            throw invalid(
                    place.kernel(), "address of " + place.argument(), gpuVa, NARROW_LIMIT - 1);
        } else {
            throw wrongSize(place, Long.BYTES, bytes);
        }
    }

    private static GpuException wrongSize(Place place, int bytes, int limit) {
        return invalid(place.kernel(), "bytes of " + place.argument(), bytes, limit);
    }

    private static GpuException invalid(KernelImage kernel, String what, long value, long limit) {
        return new GpuException(
                GpuError.INVALID_VALUE,
                "kernel %s: %s=%d, limit=%d".formatted(kernel.name(), what, value, limit));
    }
}
