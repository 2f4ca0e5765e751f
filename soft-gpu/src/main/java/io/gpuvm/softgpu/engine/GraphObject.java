package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.mmu.FaultClient;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.unit.GraphTrap;
import io.gpuvm.gf100.unit.Hold;
import io.gpuvm.softgpu.mmu.MmuFault;

/// Base class of PGRAPH's classes: refusals of methods, bindings and data.
abstract class GraphObject implements ClassObject {
    private final int classNumber;
    private final ClassObjectParts parts;

    GraphObject(int classNumber, ClassObjectParts parts) {
        this.classNumber = classNumber;
        this.parts = parts;
    }

    @Override
    public final int classNumber() {
        return classNumber;
    }

    @Override
    public MethodProgress bind(int subchannel) {
        return MethodProgress.DONE;
    }

    @Override
    public MethodProgress resume() {
        return MethodProgress.DONE;
    }

    @Override
    public void abandon() {}

    @Override
    public final Hold trap() {
        return parts.graphTrap();
    }

    @Override
    public final FaultUnit faultUnit() {
        return FaultUnit.PGRAPH;
    }

    @Override
    public int faultStatus(MmuFault fault) {
        return FaultStatus.ofHub(fault.reason(), FaultClient.DISPATCH, fault.isWrite());
    }

    /// Returns the data last written to a method; 0 if the class does not store the data.
    int readMethod(int method) {
        return 0;
    }

    final ClassObjectParts parts() {
        return parts;
    }

    /// Refuses a method that the class does not have.
    final MethodProgress illegalMethod(int subchannel, int method, int data) {
        return refuse(GraphError.INTR_ILLEGAL_METHOD.mask(), 0, subchannel, method, data);
    }

    /// Refuses a binding.
    final MethodProgress illegalClass(int subchannel, int method) {
        return refuse(GraphError.INTR_ILLEGAL_CLASS.mask(), 0, subchannel, method, classNumber);
    }

    /// Refuses a method's data.
    ///
    /// @param code error code of [GraphError]
    final MethodProgress dataError(int code, int subchannel, int method, int data) {
        return refuse(GraphError.INTR_DATA_ERROR.mask(), code, subchannel, method, data);
    }

    private MethodProgress refuse(int interrupt, int code, int subchannel, int method, int data) {
        GraphTrap trap = parts.graphTrap();
        if (!trap.isReleased()) {
            return MethodProgress.OCCUPIED;
        }
        parts.counters().increment(WorkCounter.CLASS_ERRORS);
        trap.describe(subchannel, classNumber, method, data);
        trap.raise(interrupt, code, parts.memory().space().instanceAddress());
        return MethodProgress.REFUSED;
    }
}
