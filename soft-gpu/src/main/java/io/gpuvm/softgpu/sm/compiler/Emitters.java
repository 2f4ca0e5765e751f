package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Instruction;
import java.util.List;

/// Emitters for loops over lanes.
final class Emitters {
    private static final List<LaneEmitter> ALL =
            List.of(
                    new IntegerEmitter(),
                    new BitEmitter(),
                    new SelectEmitter(),
                    new FloatEmitter(),
                    new DoubleEmitter(),
                    new ConversionEmitter(),
                    new CallEmitter(),
                    new FlagWordEmitter(),
                    new VideoEmitter(),
                    new SharedLoadEmitter());

    private Emitters() {}

    /// Returns the emitter of an instruction; null if no emitter supports the instruction, so that
    /// the interpreter must execute it.
    static LaneEmitter of(Instruction i) {
        if (i.error != null || i.joins) {
            return null;
        }
        for (LaneEmitter emitter : ALL) {
            if (emitter.cost(i) > 0) {
                return emitter;
            }
        }
        return null;
    }
}
