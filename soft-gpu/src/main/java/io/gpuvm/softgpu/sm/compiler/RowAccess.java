package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Rows;
import java.lang.reflect.Field;
import java.util.Objects;

/// How generated code reads and writes a warp's registers: as the same words, but as integers or as
/// floats, whichever it needs.
///
/// The JVM's compiler makes vectors of such accesses, and does not of [Float#intBitsToFloat(int)].
/// Offsets are those of [io.gpuvm.softgpu.sm.code.Rows] and of lanes: the compiler's own, never a
/// guest's.
public final class RowAccess {
    /// A `sun.misc.Unsafe`.
    public static final Object UNSAFE;

    /// Where an array's first word is.
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

    /// Where a row's first word is.
    ///
    /// @throws IndexOutOfBoundsException if a loop over the lanes would leave the array
    static long offset(int row) {
        Objects.checkFromIndexSize(row, Rows.SPAN, Rows.WORDS);
        return BASE + (long) row * Integer.BYTES;
    }
}
