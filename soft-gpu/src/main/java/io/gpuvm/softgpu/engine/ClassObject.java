package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.unit.Hold;
import io.gpuvm.softgpu.mmu.MmuFault;

/// Object of a class on one channel: the state that the class's methods set, and their effects.
///
/// Methods are executed in order, each to completion before the next. A long operation stops at the
/// end of a [TimeSlice] and is resumed later. [#method] and [#resume()] throw [MmuFault] if the
/// page tables refuse an access; the object's operation must then be abandoned. Confined to the
/// engine thread.
public interface ClassObject {
    /// Returns the class number by which a channel binds the object.
    int classNumber();

    /// Binds the object to a subchannel.
    MethodProgress bind(int subchannel);

    /// Executes a method at or above [io.gpuvm.gf100.classes.ChannelClass#FIRST_ENGINE_METHOD].
    ///
    /// @param subchannel subchannel of the method, for reports
    /// @param method byte offset, a multiple of 4, at most
    ///   [io.gpuvm.gf100.fifo.MethodHeader#METHOD_MASK]
    MethodProgress method(int subchannel, int method, int data);

    /// Resumes an operation that a method left unfinished.
    MethodProgress resume();

    /// Abandons an unfinished operation.
    void abandon();

    /// Returns the position of the kernel that the unfinished operation executes; null if there is
    /// none.
    default KernelPosition kernelPosition() {
        return null;
    }

    /// Returns the [Hold] for reports of refused methods.
    Hold trap();

    /// Returns the unit to which MMU faults of this object's accesses are attributed.
    FaultUnit faultUnit();

    /// Returns the status word that reports a fault of this object: reason, direction and client,
    /// in the layout of [io.gpuvm.gf100.mmu.FaultStatus].
    int faultStatus(MmuFault fault);
}
