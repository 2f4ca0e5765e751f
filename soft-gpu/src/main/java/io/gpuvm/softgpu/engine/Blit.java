package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.BlockLinear;
import io.gpuvm.gf100.classes.ColorFormat;
import io.gpuvm.gf100.classes.PixelLayout;
import io.gpuvm.gf100.classes.PixelLayout.Channel;
import io.gpuvm.gf100.classes.TwodClass;
import io.gpuvm.softgpu.mmu.VirtualMemory;

/// Copies and converts pixels from one surface to another; each target pixel is a copy of the
/// nearest source pixel. The copy can stop between any two pixels. It proceeds towards higher
/// addresses, even if the surfaces overlap.
///
/// The following are unsupported and only counted: operations other than copies, colour keys,
/// unknown formats, conversions between integer and other formats, linear surfaces whose lines do
/// not start at multiples of 16 bytes, and bilinear filtering unless the source advances by whole
/// pixels.
///
/// Confined to the engine thread.
final class Blit {
    /// Time-slice cost of a pixel, in bytes.
    private static final int PIXEL_COST_BYTES = 256;

    private static final Channel[] CHANNELS = {Channel.R, Channel.G, Channel.B, Channel.A};
    private static final int ALIGNMENT_BYTES = 16;

    private final ClassState state;
    private final VirtualMemory memory;
    private final TimeSlice slice;
    private final WorkCounters counters;
    private final Surface source = new Surface();
    private final Surface target = new Surface();
    private final PixelPattern pixel = new PixelPattern();
    private final long[] read = new long[2];

    private PixelLayout from;
    private PixelLayout to;
    private boolean multiplied;
    private long left;
    private long right;
    private long bottom;
    private long x;
    private long y;

    Blit(ClassState state, ClassObjectParts parts) {
        this.state = state;
        memory = parts.memory();
        slice = parts.slice();
        counters = parts.counters();
    }

    /// Prepares the copy that the methods' data describes.
    void start() {
        abandon();
        if (prepare()) {
            counters.increment(WorkCounter.BLITS);
            setArea();
        } else {
            counters.increment(WorkCounter.BLITS_LEFT_OUT);
        }
    }

    /// Copies until the blit is complete or the slice ends.
    MethodProgress run() {
        while (y < bottom) {
            while (x < right) {
                if (slice.isOver()) {
                    return MethodProgress.UNFINISHED;
                }
                copyPixel();
                x++;
                slice.spend(PIXEL_COST_BYTES);
            }
            x = left;
            y++;
        }
        return MethodProgress.DONE;
    }

    /// Abandons the copy.
    void abandon() {
        bottom = 0;
        y = 0;
    }

    private boolean prepare() {
        ColorFormat reads = ColorFormat.of(state.get(TwodClass.SOURCE + TwodClass.FORMAT));
        ColorFormat writes = ColorFormat.of(state.get(TwodClass.TARGET + TwodClass.FORMAT));
        int operation = state.get(TwodClass.OPERATION);
        multiplied = operation == TwodClass.OPERATION_COPY_MULTIPLIED;
        if (reads == null
                || writes == null
                || (!multiplied && operation != TwodClass.OPERATION_COPY)
                || state.get(TwodClass.COLOR_KEY_ENABLE) != 0
                || mixesPixels()) {
            return false;
        }
        from = reads.layout();
        to = writes.layout();
        boolean comparable = from.isInteger() == to.isInteger();
        return comparable
                && !(multiplied && from.isInteger())
                && describe(source, TwodClass.SOURCE, from.bytes())
                && describe(target, TwodClass.TARGET, to.bytes());
    }

    private boolean mixesPixels() {
        boolean whole =
                (state.get(TwodClass.BLIT_STEP_X_FRACTION)
                                | state.get(TwodClass.BLIT_STEP_Y_FRACTION)
                                | state.get(TwodClass.BLIT_SOURCE_X_FRACTION)
                                | state.get(TwodClass.BLIT_SOURCE_Y_FRACTION))
                        == 0;
        boolean single =
                Math.abs(state.get(TwodClass.BLIT_STEP_X)) == 1
                        && Math.abs(state.get(TwodClass.BLIT_STEP_Y)) == 1;
        return TwodClass.BLIT_CONTROL_BILINEAR.isSet(state.get(TwodClass.BLIT_CONTROL))
                && !(whole && single);
    }

    private boolean describe(Surface surface, int side, int pixelBytes) {
        long base = state.address(side + TwodClass.ADDRESS_HIGH, side + TwodClass.ADDRESS_LOW);
        int tileMode = state.get(side + TwodClass.TILE_MODE);
        long pitch = state.unsigned(side + TwodClass.PITCH);
        if (state.get(side + TwodClass.LINEAR) != 0) {
            surface.linear(base, pitch);
            return (base | pitch) % ALIGNMENT_BYTES == 0;
        }
        surface.tiled(
                        base,
                        tileMode,
                        state.unsigned(side + TwodClass.WIDTH) * pixelBytes,
                        state.unsigned(side + TwodClass.HEIGHT))
                .at(0, 0, side == TwodClass.TARGET ? state.unsigned(side + TwodClass.LAYER) : 0);
        return base % ALIGNMENT_BYTES == 0 && BlockLinear.isValid(tileMode);
    }

    /// Sets the rectangle, clipped to the target and the clip rectangle.
    private void setArea() {
        long startX = state.get(TwodClass.BLIT_TARGET_X);
        long startY = state.get(TwodClass.BLIT_TARGET_Y);
        left = Math.max(startX, 0);
        long top = Math.max(startY, 0);
        right =
                Math.min(
                        startX + state.get(TwodClass.BLIT_WIDTH),
                        state.unsigned(TwodClass.TARGET + TwodClass.WIDTH));
        bottom =
                Math.min(
                        startY + state.get(TwodClass.BLIT_HEIGHT),
                        state.unsigned(TwodClass.TARGET + TwodClass.HEIGHT));
        if (state.get(TwodClass.CLIP_ENABLE) != 0) {
            long clipX = state.get(TwodClass.CLIP_X);
            long clipY = state.get(TwodClass.CLIP_Y);
            left = Math.max(left, clipX);
            top = Math.max(top, clipY);
            right = Math.min(right, clipX + state.get(TwodClass.CLIP_WIDTH));
            bottom = Math.min(bottom, clipY + state.get(TwodClass.CLIP_HEIGHT));
        }
        x = left;
        y = right > left ? top : bottom;
    }

    private void copyPixel() {
        long sourceX =
                along(
                        x - state.get(TwodClass.BLIT_TARGET_X),
                        TwodClass.BLIT_STEP_X_FRACTION,
                        TwodClass.BLIT_SOURCE_X_FRACTION,
                        TwodClass.WIDTH);
        long sourceY =
                along(
                        y - state.get(TwodClass.BLIT_TARGET_Y),
                        TwodClass.BLIT_STEP_Y_FRACTION,
                        TwodClass.BLIT_SOURCE_Y_FRACTION,
                        TwodClass.HEIGHT);
        for (int at = 0; at < from.bytes(); at += Long.BYTES) {
            long gpuVa = source.gpuVa(sourceX * from.bytes() + at, sourceY);
            read[at / Long.BYTES] = memory.read(gpuVa, Math.min(from.bytes(), Long.BYTES));
        }
        convert();
        for (int at = 0; at < to.bytes(); at += Long.BYTES) {
            long gpuVa = target.gpuVa(x * to.bytes() + at, y);
            memory.write(gpuVa, Math.min(to.bytes(), Long.BYTES), pixel.value(at));
        }
    }

    /// Returns a coordinate of the source, clamped to the surface.
    private long along(long steps, int step, int start, int size) {
        long position = fixed(start) + steps * fixed(step) >> Integer.SIZE;
        long end = state.unsigned(TwodClass.SOURCE + size);
        return Math.max(Math.min(position, end - 1), 0);
    }

    /// Returns the fixed-point number in the data of two methods: first the fraction, then the
    /// integer part.
    private long fixed(int fraction) {
        return (long) state.get(fraction + Integer.BYTES) << Integer.SIZE
                | state.unsigned(fraction);
    }

    private void convert() {
        pixel.start(to);
        if (from == to && !multiplied) {
            pixel.putRaw(read[0], read[1]);
            return;
        }
        for (Channel channel : CHANNELS) {
            int shift = from.shift(channel);
            long stored = read[shift / Long.SIZE] >>> shift & from.mask(channel);
            int value = from.decode(channel, stored);
            pixel.put(channel, multiplied ? multiply(channel, value) : value);
        }
    }

    private int multiply(Channel channel, int value) {
        int beta = state.get(TwodClass.BETA4);
        int factor =
                switch (channel) {
                    case R -> TwodClass.BETA4_RED.get(beta);
                    case G -> TwodClass.BETA4_GREEN.get(beta);
                    case B -> TwodClass.BETA4_BLUE.get(beta);
                    default -> TwodClass.BETA4_ALPHA.get(beta);
                };
        float part = factor / (float) TwodClass.BETA4_BLUE.max();
        return Float.floatToRawIntBits(Float.intBitsToFloat(value) * part);
    }
}
