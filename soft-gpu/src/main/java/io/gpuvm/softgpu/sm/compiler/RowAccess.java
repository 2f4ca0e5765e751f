package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Rows;
import java.lang.reflect.Field;
import java.util.Objects;

/// Access of generated code to a warp's registers: the same words, as integers or as floats.
///
/// The JVM's compiler vectorizes such accesses, but not [Float#intBitsToFloat(int)]. Offsets are
/// derived from [io.gpuvm.softgpu.sm.code.Rows] and from lane numbers: the compiler supplies them,
/// never a guest.
public final class RowAccess {
    /// Instance of `sun.misc.Unsafe`.
    public static final Object UNSAFE;

    /// Offset of an array's first word, in bytes.
    static final long BASE;

    static {
        try {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Field instance = type.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            UNSAFE = instance.get(null);
            BASE = type.getDeclaredField("ARRAY_INT_BASE_OFFSET").getLong(null);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private RowAccess() {}

    /// Returns the offset of a row's first word, in bytes.
    ///
    /// @throws IndexOutOfBoundsException if a loop over the lanes would exceed the array
    static long offset(int row) {
        Objects.checkFromIndexSize(row, Rows.SPAN, Rows.WORDS);
        return BASE + (long) row * Integer.BYTES;
    }
}
