package io.gpuvm.trap.vfiouser;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Ptimer;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.softgpu.SoftGpu;
import io.gpuvm.softgpu.SoftGpuConfig;
import io.gpuvm.trap.vgpu.GpuFunction;
import io.gpuvm.trap.vgpu.MappableBars;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Path of one access from a received message to its reply, without the socket: the server's
/// dispatch, pass-through, and the software GPU's register table.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RegisterPathBenchmark {
    private static final int MESSAGE_BYTES = 256;
    private static final int NO_REPLY = 0x10;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment requests = arena.allocate(4 * MESSAGE_BYTES, Long.BYTES);
    private final MemorySegment replies = arena.allocate(MESSAGE_BYTES, Long.BYTES);
    private final Request request = new Request();
    private final Reply reply = new Reply().wrap(replies, 0);
    private SoftGpu gpu;
    private Dispatcher dispatcher;

    /// Connects a client by the usual messages, without a socket.
    @Setup
    public void negotiate() {
        gpu = new SoftGpu(SoftGpuConfig.parse("vram=64M"));
        GpuFunction device = new GpuFunction(gpu, MappableBars.NONE);
        TrapCounters counters = new TrapCounters();
        DmaRegions memory = new DmaRegions(device, new TrapCounters(), LogLimit.once());
        dispatcher = new Dispatcher(device, memory, new IrqTable(device, _ -> {}), counters);
        int versionBytes = MessageHeader.BYTES + 2 * Short.BYTES;
        new MessageHeader().wrap(requests, 0).command(0, Command.VERSION, 0).size(versionBytes);
        if (dispatcher.dispatch(request.wrap(requests, 0), reply) == Request.REFUSED) {
            throw new IllegalStateException(request.refusalText());
        }
        access(1, Command.REGION_READ, 0, Pmc.BOOT_0.offset(), 0);
        access(2, Command.REGION_READ, 0, Ptimer.TIME_LOW.offset(), 0);
        access(3, Command.REGION_WRITE, NO_REPLY, Ptimer.CLOCK_DIV.offset(), Integer.BYTES);
    }

    @TearDown
    public void close() {
        gpu.close();
        arena.close();
    }

    /// Reads a register with a constant value, [Pmc#BOOT_0].
    @Benchmark
    public int readStored() {
        return dispatcher.dispatch(request.wrap(requests, MESSAGE_BYTES), reply);
    }

    /// Reads a register whose value is computed, the GPU's clock.
    @Benchmark
    public int readComputed() {
        return dispatcher.dispatch(request.wrap(requests, 2 * MESSAGE_BYTES), reply);
    }

    /// Posts a write to a register that stores the value.
    @Benchmark
    public int writeStored() {
        return dispatcher.dispatch(request.wrap(requests, 3 * MESSAGE_BYTES), reply);
    }

    private void access(int slot, int command, int flags, int offset, int dataBytes) {
        long base = (long) slot * MESSAGE_BYTES;
        int bytes = MessageHeader.BYTES + RegionAccessBody.BYTES + dataBytes;
        new MessageHeader().wrap(requests, base).command(slot, command, flags).size(bytes);
        new RegionAccessBody()
                .wrap(requests, base + MessageHeader.BYTES)
                .offset(offset)
                .region(Bar.BAR0.index())
                .count(Integer.BYTES);
    }
}
