package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.fifo.EngineId;

/// Object for a class number that a copy engine does not have: refuses to be bound, and refuses
/// every later method.
///
/// nouveau's falcon program would accept any number and behave as usual; a refusal reveals a driver
/// that relies on this behaviour.
final class UnknownCopyClass extends CopyObject {
    UnknownCopyClass(EngineId engine, int classNumber, ClassObjectParts parts) {
        super(engine, classNumber, parts);
    }

    @Override
    public MethodProgress bind(int subchannel) {
        return refuse(
                CopyClass.ERROR_INVALID_ENUM, subchannel, ChannelClass.SET_OBJECT, classNumber());
    }

    @Override
    public MethodProgress method(int subchannel, int method, int data) {
        return refuse(CopyClass.ERROR_ILLEGAL_METHOD, subchannel, method, data);
    }
}
