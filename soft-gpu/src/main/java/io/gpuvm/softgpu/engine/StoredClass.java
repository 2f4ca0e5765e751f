package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.fifo.MethodHeader;

/// 2D (902d) and 3D (9097), as far as they go for now: they can be bound, and keep what their
/// methods write.
///
/// **Nothing is executed.** No blit, clear or draw happens; no query or fence is written, so
/// whoever waits for one waits for ever; macros are not run; no method is refused.
final class StoredClass extends GraphObject {
    private final int[] state = new int[(MethodHeader.METHOD_MASK >>> 2) + 1];

    StoredClass(ClassId id, EngineParts parts) {
        super(id.number(), parts);
    }

    @Override
    public Progress method(int subchannel, int method, int data) {
        state[method >>> 2] = data;
        parts().counters().increment(WorkCounter.UNKNOWN_METHODS);
        return Progress.DONE;
    }

    /// What a method wrote last.
    int state(int method) {
        return state[method >>> 2];
    }
}
