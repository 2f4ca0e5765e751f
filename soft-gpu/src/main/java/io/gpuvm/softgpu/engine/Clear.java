package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.BlockLinear;
import io.gpuvm.gf100.classes.ColorFormat;
import io.gpuvm.gf100.classes.PixelLayout;
import io.gpuvm.gf100.classes.PixelLayout.Channel;
import io.gpuvm.gf100.classes.ThreedClass;
import io.gpuvm.gf100.classes.ZetaFormat;
import io.gpuvm.softgpu.mmu.VirtualMemory;

/// Clears one layer of a colour render target, of depth and stencil, or of both. The clear can stop
/// at any point.
///
/// The clear is limited by the screen scissor, the clip rectangles (a pixel must lie in at least
/// one) and, if the class's flags enable them, the first scissor, the first viewport and the
/// stencil mask. The target and the limits are read when the clear starts.
///
/// The following targets are left unchanged, and the clear is only counted: targets of unknown
/// formats, linear targets whose lines do not start at multiples of 16 bytes, and all targets in
/// modes in which clip rectangles exclude pixels. Pixel identifiers (CLIPID) are ignored.
///
/// Confined to the engine thread.
final class Clear {
    private static final Channel[] COLORS = {Channel.R, Channel.G, Channel.B, Channel.A};

    private final ClassState state;
    private final WorkCounters counters;
    private final RectangleFill fill;
    private final PixelRectangle limits = new PixelRectangle();
    private final PixelRectangle region = new PixelRectangle();

    private int wanted;
    private boolean colorLeft;
    private boolean zetaLeft;

    /// Index of the next clip rectangle to fill, if clip rectangles are enabled.
    private int clip;

    private boolean clipped;
    private long targetWidth;
    private long targetHeight;
    private long targetLayer;

    Clear(ClassState state, ClassObjectParts parts) {
        this.state = state;
        this.counters = parts.counters();
        fill = new RectangleFill(parts.memory(), parts.slice());
    }

    /// Prepares the clear that the data of [ThreedClass#CLEAR_BUFFERS] requests.
    void start(int data) {
        wanted = data;
        colorLeft = ThreedClass.CLEAR_BUFFERS_COLOR.isSet(data);
        zetaLeft =
                (ThreedClass.CLEAR_BUFFERS_DEPTH.isSet(data)
                                || ThreedClass.CLEAR_BUFFERS_STENCIL.isSet(data))
                        && state.get(ThreedClass.ZETA_ENABLE) != 0;
        clipped = false;
        fill.abandon();
        setLimits();
    }

    /// Clears until the clear is complete or the slice ends.
    MethodProgress run() {
        while (true) {
            MethodProgress progress = fill.run();
            counters.add(WorkCounter.CLEARED_BYTES, fill.takeFilledBytes());
            if (progress != MethodProgress.DONE) {
                return progress;
            }
            if (clipped && startNextClip()) {
                continue;
            }
            if (colorLeft) {
                colorLeft = false;
                startTarget(prepareColor());
            } else if (zetaLeft) {
                zetaLeft = false;
                startTarget(prepareZeta());
            } else {
                return MethodProgress.DONE;
            }
        }
    }

    /// Abandons the clear.
    void abandon() {
        fill.abandon();
        clipped = false;
        colorLeft = false;
        zetaLeft = false;
    }

    private void setLimits() {
        limits.whole(Long.MAX_VALUE >>> Integer.SIZE, Long.MAX_VALUE >>> Integer.SIZE)
                .cutToExtent(
                        state.get(ThreedClass.SCREEN_SCISSOR_HORIZONTAL),
                        state.get(ThreedClass.SCREEN_SCISSOR_VERTICAL));
        int flags = state.get(ThreedClass.CLEAR_FLAGS);
        if (ThreedClass.CLEAR_FLAGS_SCISSOR.isSet(flags)
                && state.get(ThreedClass.SCISSOR_ENABLE) != 0) {
            limits.cutToRange(
                    state.get(ThreedClass.SCISSOR_HORIZONTAL),
                    state.get(ThreedClass.SCISSOR_VERTICAL));
        }
        if (ThreedClass.CLEAR_FLAGS_VIEWPORT.isSet(flags)) {
            limits.cutToExtent(
                    state.get(ThreedClass.VIEWPORT_HORIZONTAL),
                    state.get(ThreedClass.VIEWPORT_VERTICAL));
        }
    }

    /// Result of preparing a target.
    private enum Preparation {
        READY,
        NOTHING_TO_DO,
        NOT_UNDERSTOOD
    }

    private void startTarget(Preparation preparation) {
        switch (preparation) {
            case READY -> {
                if (state.get(ThreedClass.CLIP_RECTANGLES_ENABLE) == 0) {
                    counters.increment(WorkCounter.CLEARS);
                    startFill(region.copyOf(limits));
                } else if (state.get(ThreedClass.CLIP_RECTANGLES_MODE)
                        == ThreedClass.CLIP_INSIDE_ANY) {
                    counters.increment(WorkCounter.CLEARS);
                    clipped = true;
                    clip = 0;
                } else {
                    counters.increment(WorkCounter.CLEARS_LEFT_OUT);
                }
            }
            case NOTHING_TO_DO -> {}
            case NOT_UNDERSTOOD -> counters.increment(WorkCounter.CLEARS_LEFT_OUT);
        }
    }

    private boolean startNextClip() {
        if (clip == ThreedClass.CLIP_RECTANGLES) {
            clipped = false;
            return false;
        }
        int offset = clip++ * ThreedClass.CLIP_RECTANGLE_STRIDE;
        startFill(
                region.copyOf(limits)
                        .cutToRange(
                                state.get(ThreedClass.CLIP_RECTANGLE_HORIZONTAL + offset),
                                state.get(ThreedClass.CLIP_RECTANGLE_VERTICAL + offset)));
        return true;
    }

    private void startFill(PixelRectangle pixels) {
        int mode = state.get(ThreedClass.MULTISAMPLE_MODE);
        pixels.scale(ThreedClass.samplesX(mode), ThreedClass.samplesY(mode))
                .cutTo(targetWidth, targetHeight);
        fill.target().at(pixels.left() * fill.pattern().pixelBytes(), pixels.top(), targetLayer);
        fill.start(pixels.width(), pixels.height());
    }

    private Preparation prepareColor() {
        int index = ThreedClass.CLEAR_BUFFERS_RT.get(wanted);
        int code = rt(index, ThreedClass.RT_FORMAT);
        if (code == 0) {
            return Preparation.NOTHING_TO_DO;
        }
        ColorFormat format = ColorFormat.of(code);
        if (format == null) {
            return Preparation.NOT_UNDERSTOOD;
        }
        PixelPattern pattern = fill.pattern().start(format.layout());
        int channels = ThreedClass.CLEAR_BUFFERS_COLOR.get(wanted);
        for (int i = 0; i < COLORS.length; i++) {
            if ((channels & 1 << i) != 0) {
                pattern.put(COLORS[i], state.get(ThreedClass.CLEAR_COLOR + i * Integer.BYTES));
            }
        }
        if (!pattern.finish()) {
            return Preparation.NOTHING_TO_DO;
        }
        long layer =
                layer(rt(index, ThreedClass.RT_BASE_LAYER), rt(index, ThreedClass.RT_ARRAY_MODE));
        if (layer < 0) {
            return Preparation.NOTHING_TO_DO;
        }
        return describe(
                state.address(
                        ThreedClass.rt(index, ThreedClass.RT_ADDRESS_HIGH),
                        ThreedClass.rt(index, ThreedClass.RT_ADDRESS_LOW)),
                rt(index, ThreedClass.RT_TILE_MODE),
                Integer.toUnsignedLong(rt(index, ThreedClass.RT_HORIZONTAL)),
                Integer.toUnsignedLong(rt(index, ThreedClass.RT_VERTICAL)),
                layer,
                Integer.toUnsignedLong(rt(index, ThreedClass.RT_LAYER_STRIDE)) * Integer.BYTES);
    }

    private Preparation prepareZeta() {
        ZetaFormat format = ZetaFormat.of(state.get(ThreedClass.ZETA_FORMAT));
        if (format == null) {
            return Preparation.NOT_UNDERSTOOD;
        }
        PixelLayout layout = format.layout();
        PixelPattern pattern = fill.pattern().start(layout);
        if (ThreedClass.CLEAR_BUFFERS_DEPTH.isSet(wanted)) {
            pattern.put(Channel.Z, state.get(ThreedClass.CLEAR_DEPTH));
        }
        if (ThreedClass.CLEAR_BUFFERS_STENCIL.isSet(wanted)) {
            boolean masked =
                    ThreedClass.CLEAR_FLAGS_STENCIL_MASK.isSet(state.get(ThreedClass.CLEAR_FLAGS));
            pattern.put(
                    Channel.S,
                    state.get(ThreedClass.CLEAR_STENCIL),
                    masked ? state.get(ThreedClass.STENCIL_MASK) : -1);
        }
        long layer =
                layer(
                        state.get(ThreedClass.ZETA_BASE_LAYER),
                        state.get(ThreedClass.ZETA_ARRAY_MODE));
        if (!pattern.finish() || layer < 0) {
            return Preparation.NOTHING_TO_DO;
        }
        return describe(
                state.address(ThreedClass.ZETA_ADDRESS_HIGH, ThreedClass.ZETA_ADDRESS_LOW),
                state.get(ThreedClass.ZETA_TILE_MODE),
                state.unsigned(ThreedClass.ZETA_HORIZONTAL),
                state.unsigned(ThreedClass.ZETA_VERTICAL),
                layer,
                state.unsigned(ThreedClass.ZETA_LAYER_STRIDE) * Integer.BYTES);
    }

    private int rt(int index, int offset) {
        return state.get(ThreedClass.rt(index, offset));
    }

    /// Returns the number of the layer to clear, or -1 if the target has no such layer.
    private long layer(int base, int arrayMode) {
        long layer = Integer.toUnsignedLong(base) + ThreedClass.CLEAR_BUFFERS_LAYER.get(wanted);
        return layer < ThreedClass.ARRAY_LAYERS.get(arrayMode) ? layer : -1;
    }

    private Preparation describe(
            long base, int tileMode, long horizontal, long vertical, long layer, long stride) {
        int pixelBytes = fill.pattern().pixelBytes();
        boolean volume = ThreedClass.TILE_MODE_VOLUME.isSet(tileMode);
        long start = volume ? base : VirtualMemory.wrap(base + layer * stride);
        targetHeight = vertical;
        if (ThreedClass.TILE_MODE_LINEAR.isSet(tileMode)) {
            targetWidth = horizontal / pixelBytes;
            fill.target().linear(start, horizontal);
            targetLayer = 0;
            return (start | horizontal) % PixelPattern.BYTES == 0
                    ? Preparation.READY
                    : Preparation.NOT_UNDERSTOOD;
        }
        if (!BlockLinear.isValid(tileMode) || start % PixelPattern.BYTES != 0) {
            return Preparation.NOT_UNDERSTOOD;
        }
        targetWidth = horizontal;
        fill.target().tiled(start, tileMode, horizontal * pixelBytes, vertical);
        targetLayer = volume ? layer : 0;
        return Preparation.READY;
    }
}
