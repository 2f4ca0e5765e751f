package io.gpuvm.gf100.classes;

import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// Byte positions in a block-linear surface. Reusable: [#describe] selects the surface whose size
/// and offsets later calls return.
///
/// A surface consists of blocks, and a block consists of GOBs of 64 bytes by 8 lines. Both are
/// stored in the order x, y, z. The bits of an offset within a GOB are:
///
/// ```text
///   offset bit   8    7  6    5    4    3  2  1  0
///   taken from   x5   y2 y1   x4   y0   x3 x2 x1 x0
/// ```
///
/// Hence 16 bytes of a line are contiguous.
///
/// The tile mode word holds the block's shape:
///
/// ```text
///   11        8 7         4 3        0
///  +-----------+-----------+----------+
///  | log2 depth|log2 GOBs y|  width   |   width: 0 one GOB, e 16 bytes per line instead of 64
///  +-----------+-----------+----------+
/// ```
///
/// Sources: envytools `docs/hw/memory/g80-surface.rst`; `nvkm/engine/ce/fuc/com.fuc`.
public final class BlockLinear {
    /// Length of a contiguous run of bytes in a line. Each run starts at a multiple of this length.
    public static final int RUN_BYTES = 16;

    private static final BitField MODE_WIDTH = bits(3, 0);
    private static final BitField MODE_HEIGHT = bits(7, 4);
    private static final BitField MODE_DEPTH = bits(11, 8);

    /// Width code of blocks that are 16 bytes wide; their lines are contiguous.
    private static final int WIDTH_NARROW = 0xe;

    private static final int GOB_WIDTH_SHIFT = 6;
    private static final int GOB_HEIGHT_SHIFT = 3;
    private static final int NARROW_WIDTH_SHIFT = 4;
    private static final int MAX_BLOCK_SHIFT = 5;

    private boolean narrow;
    private int widthShift;
    private int heightShift;
    private int depthShift;
    private long blocksX;
    private long blocksY;

    /// Returns whether a tile mode describes blocks that the hardware supports: at most 32 GOBs in
    /// y, and at most 32 in z.
    public static boolean isValid(int tileMode) {
        return MODE_HEIGHT.get(tileMode) <= MAX_BLOCK_SHIFT
                && MODE_DEPTH.get(tileMode) <= MAX_BLOCK_SHIFT;
    }

    /// Returns the tile mode of blocks that are one GOB wide.
    public static int mode(int log2GobsY, int log2Depth) {
        return MODE_HEIGHT.of(log2GobsY) | MODE_DEPTH.of(log2Depth);
    }

    /// Returns the tile mode of blocks that are 16 bytes wide.
    public static int narrowMode(int log2GobsY, int log2Depth) {
        return mode(log2GobsY, log2Depth) | MODE_WIDTH.of(WIDTH_NARROW);
    }

    /// Selects the surface to describe.
    ///
    /// @param widthBytes width in bytes, unsigned
    /// @param height height in lines, unsigned
    public BlockLinear describe(int tileMode, long widthBytes, long height) {
        narrow = MODE_WIDTH.get(tileMode) == WIDTH_NARROW;
        widthShift = narrow ? NARROW_WIDTH_SHIFT : GOB_WIDTH_SHIFT;
        heightShift = MODE_HEIGHT.get(tileMode) + GOB_HEIGHT_SHIFT;
        depthShift = MODE_DEPTH.get(tileMode);
        blocksX = roundUp(widthBytes, widthShift);
        blocksY = roundUp(height, heightShift);
        return this;
    }

    /// Returns the size of the surface in bytes.
    public long bytes(long depth) {
        return blocksX * blocksY * roundUp(depth, depthShift) << blockShift();
    }

    /// Returns the offset of a byte from the start of the surface.
    ///
    /// @param x index of the byte in the line
    /// @param y index of the line
    /// @param z index of the layer
    public long offset(long x, long y, long z) {
        long block =
                ((z >>> depthShift) * blocksY + (y >>> heightShift)) * blocksX + (x >>> widthShift);
        long layer = (z & (1L << depthShift) - 1) << widthShift + heightShift;
        long line = y & (1L << heightShift) - 1;
        return (block << blockShift()) + layer + (narrow ? inNarrow(x, line) : inGobs(x, line));
    }

    private int blockShift() {
        return widthShift + heightShift + depthShift;
    }

    private static long inNarrow(long x, long line) {
        return (line << NARROW_WIDTH_SHIFT) + (x & RUN_BYTES - 1);
    }

    private static long inGobs(long x, long line) {
        long gob = line >>> GOB_HEIGHT_SHIFT << GOB_WIDTH_SHIFT + GOB_HEIGHT_SHIFT;
        return gob
                | (x & 0x0f)
                | (line & 0x01) << 4
                | (x & 0x10) << 1
                | (line & 0x06) << 5
                | (x & 0x20) << 3;
    }

    private static long roundUp(long value, int shift) {
        return value + (1L << shift) - 1 >>> shift;
    }
}
