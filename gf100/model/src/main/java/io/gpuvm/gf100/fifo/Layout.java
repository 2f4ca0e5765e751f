package io.gpuvm.gf100.fifo;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Value layouts of the words of the blocks in this package: little-endian, aligned.
final class Layout {
    static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Layout() {}
}
