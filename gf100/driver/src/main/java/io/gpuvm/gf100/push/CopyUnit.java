package io.gpuvm.gf100.push;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.classes.M2mfClass;

/// Unit that copies memory: M2MF of the graphics engine, which every GPU has, or a copy engine.
///
/// The commands are linear copies from memory to memory. Each unit accepts rectangles up to a
/// maximum size; [#startOf] and [#cornerOf] return parts of larger rectangles.
public enum CopyUnit {
    M2MF(
            ClassId.M2MF,
            Subchannel.M2MF,
            M2mfClass.USUAL_MAX_LINE_LENGTH,
            M2mfClass.USUAL_MAX_LINE_COUNT,
            Integer.MAX_VALUE),
    COPY0(
            ClassId.COPY0,
            Subchannel.COPY,
            CopyClass.X_COUNT_MASK,
            CopyClass.Y_COUNT_MASK,
            CopyClass.PITCH_MASK),
    COPY1(
            ClassId.COPY1,
            Subchannel.COPY,
            CopyClass.X_COUNT_MASK,
            CopyClass.Y_COUNT_MASK,
            CopyClass.PITCH_MASK);

    /// Number of words of [#copy].
    public static final int WORDS = 12;

    /// Number of words of [#bind].
    public static final int BIND_WORDS = 2;

    /// Length of the lines into which a long line is divided: a whole number of pages, short enough
    /// for every unit.
    private static final int DIVISION_BYTES = 1 << 15;

    private static final int SIZES = 4;

    private final ClassId id;
    private final int subchannel;
    private final int maxLineBytes;
    private final int maxLines;
    private final int maxPitch;

    CopyUnit(ClassId id, int subchannel, int maxLineBytes, int maxLines, int maxPitch) {
        this.id = id;
        this.subchannel = subchannel;
        this.maxLineBytes = maxLineBytes;
        this.maxLines = maxLines;
        this.maxPitch = maxPitch;
    }

    /// Returns whether the unit supports the pitches of a rectangle.
    public boolean takes(Rectangle rectangle) {
        return rectangle.lines() == 1
                || rectangle.targetPitch() <= maxPitch && rectangle.sourcePitch() <= maxPitch;
    }

    /// Returns a part at the start of a line, short enough for one command and divided into one or
    /// more lines.
    ///
    /// @param line rectangle of one line, not empty
    public Rectangle startOf(Rectangle line) {
        if (line.lineBytes() <= maxLineBytes) {
            return line;
        }
        return new Rectangle(
                line.target(),
                DIVISION_BYTES,
                line.source(),
                DIVISION_BYTES,
                DIVISION_BYTES,
                Math.min(line.lineBytes() / DIVISION_BYTES, maxLines));
    }

    /// Returns the largest part of a rectangle, starting at its first corner, that one command can
    /// copy: a single line if the lines are too far apart.
    ///
    /// @param rectangle rectangle, not empty
    public Rectangle cornerOf(Rectangle rectangle) {
        return rectangle.part(
                0,
                0,
                Math.min(rectangle.lineBytes(), maxLineBytes),
                takes(rectangle) ? Math.min(rectangle.lines(), maxLines) : 1);
    }

    /// Binds the unit's class to the channel.
    public void bind(PushBuffer push) {
        push.bind(subchannel, id);
    }

    /// Copies a rectangle that the unit accepts and that is not too large for one command. If
    /// source and target overlap, the result is undefined.
    public void copy(PushBuffer push, Rectangle rectangle) {
        if (this == M2MF) {
            push.address(subchannel, M2mfClass.OFFSET_OUT_HIGH, rectangle.target())
                    .address(subchannel, M2mfClass.OFFSET_IN_HIGH, rectangle.source());
            sizes(push, M2mfClass.PITCH_IN, rectangle);
            push.immediate(
                    subchannel,
                    M2mfClass.EXEC,
                    M2mfClass.EXEC_LINEAR_IN.of(1) | M2mfClass.EXEC_LINEAR_OUT.of(1));
        } else {
            push.address(subchannel, CopyClass.SRC_ADDRESS_HIGH, rectangle.source())
                    .address(subchannel, CopyClass.DST_ADDRESS_HIGH, rectangle.target());
            sizes(push, CopyClass.SRC_PITCH, rectangle);
            push.immediate(
                    subchannel,
                    CopyClass.EXEC,
                    CopyClass.EXEC_SRC_LINEAR.of(1) | CopyClass.EXEC_DST_LINEAR.of(1));
        }
    }

    private void sizes(PushBuffer push, int first, Rectangle rectangle) {
        boolean single = rectangle.lines() == 1;
        push.increasing(subchannel, first, SIZES)
                .word(single ? 0 : (int) rectangle.sourcePitch())
                .word(single ? 0 : (int) rectangle.targetPitch())
                .word((int) rectangle.lineBytes())
                .word((int) rectangle.lines());
    }
}
