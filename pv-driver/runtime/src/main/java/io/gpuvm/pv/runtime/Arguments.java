package io.gpuvm.pv.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// Arguments of a launch, in the order of the kernel's parameters. A launch checks their number and
/// sizes, and keeps a copy: the same arguments can be used again.
///
/// A kernel whose file does not describe its parameters gets them as a C compiler lays out a
/// structure, each at a multiple of its size; [#bytes] at multiples of 8 or of the largest power of
/// two that divides their number.
///
/// Confined to one thread.
public final class Arguments {
    /// @param value as it lies in memory; of a pointer, the offset in 8 bytes
    /// @param pointee what a pointer points to, else null
    /// @param members of a structure, else null
    record Argument(byte[] value, Allocation pointee, List<Argument> members) {}

    private final List<Argument> list = new ArrayList<>();

    /// An address that kernels see.
    public Arguments pointer(GpuBuffer memory) {
        return pointer(memory, 0);
    }

    /// An address inside of memory, or its end.
    ///
    /// @throws GpuException [GpuError#INVALID_VALUE] if it is outside
    public Arguments pointer(GpuBuffer memory, long offset) {
        if (offset < 0 || offset > memory.bytes()) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "pointer offset=%d, limit=0..%d".formatted(offset, memory.bytes()));
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

    /// A structure, or anything else, as it lies in memory.
    public Arguments bytes(byte[] value) {
        list.add(new Argument(value.clone(), null, null));
        return this;
    }

    /// A structure of these members, as they are now, laid out as a C compiler does: each at a
    /// multiple of its size, of [#bytes] and structures as above and of what they need; the whole
    /// fills multiples of the largest of these.
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
