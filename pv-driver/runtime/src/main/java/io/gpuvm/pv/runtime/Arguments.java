package io.gpuvm.pv.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// Arguments of a launch, in the order of the kernel's parameters. A launch checks their number and
/// sizes and copies them, so the same object can be used again.
///
/// If a kernel's file does not describe its parameters, the arguments have the layout of a C
/// structure: each lies at a multiple of its size, and [#bytes] at a multiple of the largest power
/// of two, at most 8, that divides the length.
///
/// Confined to one thread.
public final class Arguments {
    /// @param value value in its memory representation; for a pointer, the 8-byte offset; null for
    ///   a structure
    /// @param pointee memory to which a pointer refers, otherwise null
    /// @param members members of a structure, otherwise null
    record Argument(byte[] value, Allocation pointee, List<Argument> members) {}

    private final List<Argument> list = new ArrayList<>();

    /// Appends the address of memory.
    public Arguments pointer(GpuBuffer memory) {
        return pointer(memory, 0);
    }

    /// Appends the address at the given offset in memory.
    ///
    /// @param offset offset in bytes, at most the length of the memory
    /// @throws GpuException [GpuError#INVALID_VALUE] if the offset is outside the memory
    public Arguments pointer(GpuBuffer memory, long offset) {
        if (offset < 0 || offset > memory.bytes()) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "pointer offset=%d, expected 0 to %d".formatted(offset, memory.bytes()));
        }
        return add(words(Long.BYTES).putLong(offset), Allocation.of(memory));
    }

    public Arguments i32(int value) {
        return add(words(Integer.BYTES).putInt(value), null);
    }

    public Arguments i64(long value) {
        return add(words(Long.BYTES).putLong(value), null);
    }

    public Arguments f32(float value) {
        return add(words(Float.BYTES).putFloat(value), null);
    }

    public Arguments f64(double value) {
        return add(words(Double.BYTES).putDouble(value), null);
    }

    /// Appends a structure, or any other value, in its memory representation.
    public Arguments bytes(byte[] value) {
        list.add(new Argument(value.clone(), null, null));
        return this;
    }

    /// Appends a structure of copies of the given members, in the layout of a C compiler. Each
    /// member lies at a multiple of its size; [#bytes] and structures lie at multiples of their
    /// alignment. The structure's size is a multiple of the largest alignment.
    public Arguments structure(Arguments members) {
        list.add(new Argument(null, null, List.copyOf(members.list)));
        return this;
    }

    List<Argument> list() {
        return list;
    }

    private static ByteBuffer words(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private Arguments add(ByteBuffer value, Allocation pointee) {
        list.add(new Argument(value.array(), pointee, null));
        return this;
    }
}
