package io.gpuvm.remote.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.ChannelSlot;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.CompletionEntry;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.protocol.PvLimits;
import io.gpuvm.pv.protocol.StatisticsCommand;
import io.gpuvm.pv.protocol.SubmitCommand;
import io.gpuvm.pv.protocol.UnmapCommand;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.RingProducer;
import io.gpuvm.pv.ring.SharedArea;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Paravirtual session over a network with a program and a scripted backend, all on the test's
/// thread.
final class PvSession implements AutoCloseable {
    static final int CHANNELS = 8;
    static final int ENTRIES = 64;
    static final long DATA_BYTES = 4 << 20;

    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final VarHandle WORD = WireType.U32.varHandle();
    private static final PvLimits LIMITS =
            new PvLimits(new GpuLimits("GF100", 1L << 30, 8, 14, 2), 100, 4, 1 << 20, 512, 64);

    final LinkPair links = new LinkPair();

    /// The program's side of its area.
    final SharedArea program;

    /// The backend's side of its area.
    final SharedArea backend;

    final MemorySegment programData;
    final MemorySegment backendData;
    final CompletionEntry answer;

    /// Number of bytes of heap memory that the ends have allocated in [#step()].
    long allocatedBytes;

    /// Number of the last submission's put, as the backend has received it.
    int put;

    private final PvHostEnd hostEnd;
    private final PvGuestEnd guestEnd;
    private final RingProducer commands;
    private final RingConsumer answers;
    private final RingConsumer taken;
    private final RingProducer given;
    private final CommandEntry command;
    private final SubmitCommand submit;
    private final UnmapCommand unmap;
    private final StatisticsCommand statistics;
    private final CompletionEntry completion = new CompletionEntry();
    private final CommandEntry window = new CommandEntry();
    private long correlation;

    PvSession() {
        SharedArea agent = area();
        backend = area();
        program = SharedArea.attach(agent.memory());
        SharedArea gateway = SharedArea.attach(backend.memory());
        programData = program.data();
        backendData = backend.data();
        hostEnd = new PvHostEnd(agent, links.agent(), () -> {});
        guestEnd = new PvGuestEnd(gateway, links.gateway(), () -> {});
        commands = program.submissionProducer();
        answers = program.completionConsumer();
        answer = new CompletionEntry().wrap(answers.entry(), 0);
        taken = backend.submissionConsumer();
        given = backend.completionProducer();
        command = new CommandEntry().wrap(taken.entry(), 0);
        submit = new SubmitCommand().wrap(taken.entry(), 0);
        unmap = new UnmapCommand().wrap(taken.entry(), 0);
        statistics = new StatisticsCommand().wrap(taken.entry(), 0);
    }

    private static SharedArea area() {
        AreaLayout layout = AreaLayout.of(CHANNELS, ENTRIES, ENTRIES, DATA_BYTES);
        MemorySegment memory = Arena.ofAuto().allocate(layout.bytes(), 1 << 12);
        return SharedArea.create(memory, layout, LIMITS);
    }

    /// Passes on everything once, in the order of a program's host and of the backend's host.
    void step() {
        long nowNs = System.nanoTime();
        links.work();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        hostEnd.doWork(nowNs);
        guestEnd.doWork(nowNs);
        allocatedBytes += THREADS.getCurrentThreadAllocatedBytes() - before;
        carryOut();
    }

    void agentStep() {
        links.work();
        hostEnd.doWork(System.nanoTime());
    }

    void gatewayStep() {
        links.work();
        guestEnd.doWork(System.nanoTime());
    }

    boolean isAgentStalled() {
        return hostEnd.nanosUntilWork(System.nanoTime()) == HostEnd.STALL_NS;
    }

    void await(BooleanSupplier condition) {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            step();
            if (System.nanoTime() - startNs > LIMIT_NS) {
                fail("condition not reached");
            }
        }
    }

    /// Returns the memory in which the program writes the operands of a command before [#send].
    <T extends CommandEntry> T begin(T flyweight) {
        long at = commands.claim();
        assertNotEquals(RingProducer.FULL, at);
        correlation++;
        flyweight.wrap(commands.memory(), at).correlation(correlation);
        return flyweight;
    }

    void send(CommandOpcode opcode, int flags) {
        commands.publish(CommandEntry.tag(opcode, flags));
    }

    /// Sends a command without operands.
    void send(CommandOpcode opcode) {
        begin(window);
        send(opcode, 0);
    }

    /// Sends the command that was begun, and waits for its completion.
    void call(CommandOpcode opcode) {
        send(opcode, 0);
        await(this::take);
        assertEquals(correlation, answer.correlation());
        assertEquals(CommandStatus.OK, answer.status());
    }

    /// Takes a completion.
    boolean take() {
        if (answers.poll()) {
            answers.release();
            return true;
        }
        return false;
    }

    static int read(MemorySegment data, long offset) {
        return (int) WORD.getAcquire(data, offset);
    }

    static void write(MemorySegment data, long offset, int word) {
        WORD.setRelease(data, offset, word);
    }

    /// Carries out the commands in the backend's ring.
    private void carryOut() {
        while (given.room() > 0 && taken.poll()) {
            taken.release();
            CommandOpcode opcode = CommandOpcode.of(command.opcode());
            long done = 0;
            switch (opcode) {
                case SUBMIT -> put = submit.put();
                case UNMAP -> done = unmap.bytes();
                case CHANNEL_CREATE -> backend.channel(0).open();
                case CHANNEL_DESTROY -> backend.channel(0).state(ChannelSlot.CLOSED);
                case STATISTICS -> {
                    done = Long.BYTES;
                    backendData.set(WireType.U64, statistics.offset(), command.correlation());
                }
                case null, default -> {
                    // The command has no effect here.
                }
            }
            if (!command.isQuiet()) {
                completion.wrap(given.memory(), given.claim()).set(command.correlation(), done, 0);
                given.publish(CompletionEntry.tag(CommandStatus.OK));
            }
        }
    }

    @Override
    public void close() {
        hostEnd.close();
        guestEnd.close();
        links.close();
    }
}
