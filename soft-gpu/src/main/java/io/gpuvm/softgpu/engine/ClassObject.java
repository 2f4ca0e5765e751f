package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.unit.Hold;
import io.gpuvm.softgpu.mmu.MmuFault;

/// A class as one channel uses it: the state that its methods set, and what they do.
///
/// Methods are executed in order and completely before the next one, except for long operations,
/// which stop at the end of a [TimeSlice] and are resumed. [MmuFault] comes out of [#method] and
/// [#resume()] when the page tables refuse an access; the object must then be abandoned. Confined
/// to the engine thread.
public interface ClassObject {
    /// The class number that a channel binds it by.
    int classNumber();

    /// Takes a place on a subchannel.
    MethodProgress bind(int subchannel);

    /// Executes a method of [io.gpuvm.gf100.classes.ChannelClass#FIRST_ENGINE_METHOD] or above.
    ///
    /// @param subchannel where it came from, for reports
    /// @param method byte offset, a multiple of 4, at most
    ///   [io.gpuvm.gf100.fifo.MethodHeader#METHOD_MASK]
    MethodProgress method(int subchannel, int method, int data);

    /// Goes on with an operation that a method left unfinished.
    MethodProgress resume();

    /// Forgets an unfinished operation.
    void abandon();

    /// Where refused methods are reported.
    Hold trap();

    /// The unit that faults of this object's accesses are reported for.
    FaultUnit faultUnit();

    /// How a fault of this object is reported: reason, direction and client, as
    /// [io.gpuvm.gf100.mmu.FaultStatus] lays them out.
    int faultStatus(MmuFault fault);
}
