package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.ChannelClass;

/// Object for a class number that PGRAPH does not have: refuses to be bound, and refuses every
/// later method.
final class UnknownGraphClass extends GraphObject {
    UnknownGraphClass(int classNumber, ClassObjectParts parts) {
        super(classNumber, parts);
    }

    @Override
    public MethodProgress bind(int subchannel) {
        return illegalClass(subchannel, ChannelClass.SET_OBJECT);
    }

    @Override
    public MethodProgress method(int subchannel, int method, int data) {
        return illegalMethod(subchannel, method, data);
    }
}
