package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.ThreedClass;

/// Rectangle of pixels that successive limits reduce. Mutable, to avoid an allocation per method.
final class PixelRectangle {
    private long left;
    private long top;
    private long right;
    private long bottom;

    /// Sets the rectangle to the given size, at the origin.
    PixelRectangle whole(long width, long height) {
        left = 0;
        top = 0;
        right = width;
        bottom = height;
        return this;
    }

    PixelRectangle copyOf(PixelRectangle other) {
        left = other.left;
        top = other.top;
        right = other.right;
        bottom = other.bottom;
        return this;
    }

    /// Clips the rectangle to the start and extent in the data of two methods.
    PixelRectangle cutToExtent(int horizontal, int vertical) {
        long x = ThreedClass.START.get(horizontal);
        long y = ThreedClass.START.get(vertical);
        return cut(
                x, y, x + ThreedClass.EXTENT.get(horizontal), y + ThreedClass.EXTENT.get(vertical));
    }

    /// Clips the rectangle to the start and end in the data of two methods.
    PixelRectangle cutToRange(int horizontal, int vertical) {
        return cut(
                ThreedClass.MINIMUM.get(horizontal),
                ThreedClass.MINIMUM.get(vertical),
                ThreedClass.MAXIMUM.get(horizontal),
                ThreedClass.MAXIMUM.get(vertical));
    }

    /// Converts pixels to samples.
    PixelRectangle scale(int shiftX, int shiftY) {
        left <<= shiftX;
        right <<= shiftX;
        top <<= shiftY;
        bottom <<= shiftY;
        return this;
    }

    /// Clips the rectangle to a surface of the given size.
    PixelRectangle cutTo(long width, long height) {
        return cut(0, 0, width, height);
    }

    long left() {
        return left;
    }

    long top() {
        return top;
    }

    long width() {
        return Math.max(right - left, 0);
    }

    long height() {
        return Math.max(bottom - top, 0);
    }

    private PixelRectangle cut(long x, long y, long endX, long endY) {
        left = Math.max(left, x);
        top = Math.max(top, y);
        right = Math.min(right, endX);
        bottom = Math.min(bottom, endY);
        return this;
    }
}
