package io.gpuvm.pv.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.CompletionEntry;
import io.gpuvm.pv.protocol.MapCommand;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/// Tests that commands and answers allocate no heap memory on either side.
class RingAllocationTest {
    private static final int COMMANDS = 100_000;

    private final TestArea area = new TestArea();
    private final RingProducer commands = area.guest.submissionProducer();
    private final RingConsumer taken = area.host.submissionConsumer();
    private final RingProducer answers = area.host.completionProducer();
    private final RingConsumer answered = area.guest.completionConsumer();
    private final Doorbell hosts = area.guest.hostDoorbell(() -> {});
    private final Doorbell guests = area.host.guestDoorbell(() -> {});
    private final Sleeper host = area.host.hostSleeper();
    private final MapCommand map = new MapCommand();
    private final CommandEntry command = new CommandEntry().wrap(taken.entry(), 0);
    private final CompletionEntry completion = new CompletionEntry();
    private final CompletionEntry answer = new CompletionEntry().wrap(answered.entry(), 0);
    private long sum;

    @Test
    void givenWarmedUpRings_whenCommandsAreAnswered_thenNoHeapMemoryIsAllocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 10; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int n = 0; n < COMMANDS; n++) {
                command(n);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertEquals(10L * COMMANDS * (COMMANDS - 1) / 2, sum);
        assertEquals(0, least);
    }

    private void command(long n) {
        host.announce();
        map.wrap(commands.memory(), commands.claim()).correlation(n).space(1).gpuVa(n).bytes(n);
        commands.publish(CommandEntry.tag(CommandOpcode.MAP, 0));
        hosts.ring();
        host.withdraw();
        if (taken.poll() && CommandOpcode.of(command.opcode()) == CommandOpcode.MAP) {
            taken.release();
            completion.wrap(answers.memory(), answers.claim()).set(command.correlation(), 0, 0);
            answers.publish(CompletionEntry.tag(CommandStatus.OK));
            guests.ring();
        }
        if (answered.poll() && answer.status() == CommandStatus.OK) {
            answered.release();
            sum += answer.correlation();
        }
    }
}
