package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.push.Rectangle;

/// Copy of a box between two buffers: slices of lines. If source and target overlap, the result is
/// undefined.
public final class BoxCopy extends GpuWork {
    private final Slices target;
    private final Slices source;
    private final long width;
    private final long height;
    private final long depth;

    /// Address of the target's first line, set by the check.
    private long to;

    /// Address of the source's first line, set by the check.
    private long from;

    /// Number of slices that are submitted.
    private long slice;

    /// Copy of the slice that is submitted in part, or null.
    private RectangleCopy part;

    /// Describes the copy of a box.
    ///
    /// @param width bytes of a line
    /// @param height number of lines of a slice
    /// @param depth number of slices
    /// @throws GpuException [GpuError#INVALID_VALUE] if the number of lines exceeds 63 bits
    public BoxCopy(Slices target, Slices source, long width, long height, long depth) {
        // A box of single lines is a rectangle of these lines, and slices without gaps are one
        // slice.
        boolean flat = height == 1 && depth > 1;
        boolean adjacent = isAdjacent(target, height) && isAdjacent(source, height);
        this.target = flat ? flat(target) : target;
        this.source = flat ? flat(source) : source;
        this.width = width;
        this.height = flat ? depth : adjacent ? product(height, depth) : height;
        this.depth = flat || adjacent ? 1 : depth;
    }

    /// Returns the copy of one contiguous range.
    public static BoxCopy line(
            GpuBuffer target, long targetOffset, GpuBuffer source, long sourceOffset, long bytes) {
        return new BoxCopy(
                new Slices(target, targetOffset, bytes, bytes),
                new Slices(source, sourceOffset, bytes, bytes),
                bytes,
                1,
                1);
    }

    private static long product(long height, long depth) {
        try {
            return Math.multiplyExact(height, depth);
        } catch (ArithmeticException e) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "copy depth=%d, limit=%d".formatted(depth, Long.MAX_VALUE / height),
                    e);
        }
    }

    private static Slices flat(Slices slices) {
        return new Slices(slices.buffer(), slices.offset(), slices.slicePitch(), 0);
    }

    private static boolean isAdjacent(Slices slices, long height) {
        return slices.pitch() > 0
                && slices.slicePitch() % slices.pitch() == 0
                && slices.slicePitch() / slices.pitch() == height;
    }

    @Override
    void check(GpuContext context) {
        to = Allocation.of(target.buffer()).box(context, "target", target, width, height, depth);
        from = Allocation.of(source.buffer()).box(context, "source", source, width, height, depth);
    }

    @Override
    boolean isComplete() {
        return slice == depth || width == 0 || height == 0;
    }

    @Override
    long submitNext(CommandQueue queue) {
        if (part == null) {
            part =
                    new RectangleCopy(
                            new Rectangle(
                                    to + slice * target.slicePitch(),
                                    target.pitch(),
                                    from + slice * source.slicePitch(),
                                    source.pitch(),
                                    width,
                                    height));
        }
        long number = part.submitNext(queue);
        if (part.isComplete()) {
            part = null;
            slice++;
        }
        return number;
    }
}
