package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Prom;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.BooleanSupplier;

/// PROM: the VBIOS image, in BAR0 and as the expansion ROM.
///
/// Behaviour: nouveau `nvkm/subdev/bios/shadowrom.c`.
public final class PromUnit implements Unit, RegisterTable.Window {
    private static final ValueLayout.OfShort U16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment image;
    private final BooleanSupplier visible;

    /// @param image the VBIOS, a multiple of 4 KiB long
    /// @param visible whether the window in BAR0 currently shows the image; the ROM BAR always
    ///   shows it
    public PromUnit(byte[] image, BooleanSupplier visible) {
        this.image = MemorySegment.ofArray(image.clone());
        this.visible = visible;
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        table.window(Prom.WINDOW.first(), Math.toIntExact(image.byteSize()), this);
    }

    @Override
    public long read(long offset, int width) {
        return visible.getAsBoolean() ? readImage(offset, width) : 0;
    }

    /// Ignores the write: the window is read-only. On hardware, a write accesses the flash chip's
    /// command port, which only flashing tools use.
    @Override
    public void write(long offset, int width, long value) {}

    /// Reads the image, regardless of its visibility in the window.
    ///
    /// @param width 1, 2, 4 or 8 bytes
    public long readImage(long offset, int width) {
        return switch (width) {
            case Byte.BYTES -> Byte.toUnsignedLong(image.get(ValueLayout.JAVA_BYTE, offset));
            case Short.BYTES -> Short.toUnsignedLong(image.get(U16, offset));
            case Integer.BYTES -> Integer.toUnsignedLong(image.get(U32, offset));
            default -> image.get(U64, offset);
        };
    }
}
