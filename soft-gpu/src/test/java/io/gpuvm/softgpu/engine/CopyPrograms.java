package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.softgpu.fifo.GpuProgram;

/// Copy programs, as drivers write them.
public final class CopyPrograms {
    /// Subchannel to which nouveau binds M2MF.
    public static final int M2MF = 2;

    /// Subchannel of the copy engines.
    public static final int COPY = 4;

    private CopyPrograms() {}

    /// Copies one line with M2MF.
    public static GpuProgram m2mfLinear(long source, long target, int bytes) {
        return m2mfLines(source, bytes, target, bytes, bytes, 1);
    }

    /// Copies lines of linear memory with M2MF.
    public static GpuProgram m2mfLines(
            long source, int sourcePitch, long target, int targetPitch, int bytes, int lines) {
        return new GpuProgram()
                .bind(M2MF, ClassId.M2MF)
                .address(M2MF, M2mfClass.OFFSET_OUT_HIGH, target)
                .address(M2MF, M2mfClass.OFFSET_IN_HIGH, source)
                .methods(M2MF, M2mfClass.PITCH_IN, sourcePitch, targetPitch, bytes, lines)
                .methods(
                        M2MF,
                        M2mfClass.EXEC,
                        M2mfClass.EXEC_LINEAR_IN.of(1) | M2mfClass.EXEC_LINEAR_OUT.of(1));
    }

    /// Copies one line with a copy engine.
    public static GpuProgram copyLinear(ClassId id, long source, long target, int bytes) {
        return copyLines(id, source, bytes, target, bytes, bytes, 1);
    }

    /// Copies lines of linear memory with a copy engine.
    public static GpuProgram copyLines(
            ClassId id,
            long source,
            int sourcePitch,
            long target,
            int targetPitch,
            int bytes,
            int lines) {
        return new GpuProgram()
                .bind(COPY, id)
                .address(COPY, CopyClass.SRC_ADDRESS_HIGH, source)
                .address(COPY, CopyClass.DST_ADDRESS_HIGH, target)
                .methods(COPY, CopyClass.SRC_PITCH, sourcePitch, targetPitch, bytes, lines)
                .methods(
                        COPY,
                        CopyClass.EXEC,
                        CopyClass.EXEC_SRC_LINEAR.of(1) | CopyClass.EXEC_DST_LINEAR.of(1));
    }
}
