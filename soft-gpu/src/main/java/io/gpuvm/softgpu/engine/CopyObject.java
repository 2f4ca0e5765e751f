package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.mmu.FaultClient;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.unit.CopyTrap;
import io.gpuvm.softgpu.mmu.MmuFault;

/// Base class of the copy engines' classes: engine number and refusals.
abstract class CopyObject implements ClassObject {
    private final int classNumber;
    private final ClassObjectParts parts;
    private final boolean second;

    CopyObject(EngineId engine, int classNumber, ClassObjectParts parts) {
        this.classNumber = classNumber;
        this.parts = parts;
        this.second = engine == EngineId.COPY1;
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
    public final CopyTrap trap() {
        return second ? parts.copyTrap1() : parts.copyTrap0();
    }

    @Override
    public final FaultUnit faultUnit() {
        return second ? FaultUnit.PCOPY1 : FaultUnit.PCOPY0;
    }

    @Override
    public final int faultStatus(MmuFault fault) {
        FaultClient client = second ? FaultClient.PCOPY1 : FaultClient.PCOPY0;
        return FaultStatus.ofHub(fault.reason(), client, fault.isWrite());
    }

    final ClassObjectParts parts() {
        return parts;
    }

    /// Returns the counter of this engine's launches.
    final WorkCounter launches() {
        return second ? WorkCounter.COPY1_LAUNCHES : WorkCounter.COPY0_LAUNCHES;
    }

    /// Returns the counter of this engine's bytes.
    final WorkCounter bytesCopied() {
        return second ? WorkCounter.COPY1_BYTES : WorkCounter.COPY0_BYTES;
    }

    /// Refuses a method.
    ///
    /// @param code error code of [io.gpuvm.gf100.classes.CopyClass]
    final MethodProgress refuse(int code, int subchannel, int method, int data) {
        CopyTrap trap = trap();
        if (!trap.isReleased()) {
            return MethodProgress.OCCUPIED;
        }
        parts.counters().increment(WorkCounter.CLASS_ERRORS);
        trap.describe(subchannel, method, data);
        trap.raise(code, parts.memory().space().instanceAddress());
        return MethodProgress.REFUSED;
    }
}
