package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.unit.fifo.FifoReports;
import io.gpuvm.softgpu.engine.ClassObjectParts;
import io.gpuvm.softgpu.engine.MacroMemory;
import io.gpuvm.softgpu.engine.TimeSlice;
import io.gpuvm.softgpu.mmu.ChannelTlb;
import io.gpuvm.softgpu.mmu.VirtualMemory;

/// Baton, the state that only the holder of the baton may access, and the notifications of the
/// register thread.
///
/// @param baton mutual exclusion for the other components
/// @param signal notifications from the register thread
/// @param channels channels by number
/// @param engineUse assignment of engines to channels
/// @param scheduler runs channels in turn
record EngineSide(
        Baton baton,
        WorkSignal signal,
        Channel[] channels,
        EngineUse engineUse,
        Scheduler scheduler) {
    /// Creates the state, without bound channels and without work.
    static EngineSide create(FifoParts parts, FifoReports reports) {
        Baton baton = new Baton(Baton.LIMIT_NS);
        WorkSignal signal = new WorkSignal();
        TimeSlice slice = new TimeSlice(baton::yieldRequested);
        Channel[] channels = new Channel[Channel.COUNT];
        for (int id = 0; id < channels.length; id++) {
            channels[id] = channel(id, parts, reports, slice);
        }
        EngineUse engineUse = new EngineUse(reports, slice, parts.times());
        ChannelRunner runner = new ChannelRunner(parts, slice, reports, engineUse);
        Scheduler scheduler = new Scheduler(channels, runner, engineUse, signal, parts.times());
        return new EngineSide(baton, signal, channels, engineUse, scheduler);
    }

    private static Channel channel(int id, FifoParts parts, FifoReports reports, TimeSlice slice) {
        ChannelTlb space = new ChannelTlb(parts.mmu());
        ClassObjectParts engineParts =
                new ClassObjectParts(
                        new VirtualMemory(space),
                        parts.clockNs(),
                        slice,
                        parts.counters(),
                        parts.graphTrap(),
                        parts.copyTrap0(),
                        parts.copyTrap1(),
                        reports.nonStall(),
                        new MacroMemory(),
                        parts.compute(),
                        id);
        return new Channel(id, space, engineParts);
    }
}
