package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.ChannelCreateCommand;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.FenceDeclareCommand;
import io.gpuvm.pv.protocol.FenceQueryCommand;
import io.gpuvm.pv.protocol.FenceWaitCommand;
import io.gpuvm.pv.protocol.HandleCommand;
import io.gpuvm.pv.protocol.MapCommand;
import io.gpuvm.pv.protocol.MapListCommand;
import io.gpuvm.pv.protocol.MapStridedCommand;
import io.gpuvm.pv.protocol.StatisticsCommand;
import io.gpuvm.pv.protocol.SubmitCommand;
import io.gpuvm.pv.protocol.UnmapCommand;
import io.gpuvm.pv.protocol.VramAllocCommand;
import io.gpuvm.pv.ring.RingConsumer;
import java.lang.foreign.MemorySegment;

/// Dispatcher of a guest's commands: removes them from the submission ring, within the budget of
/// its virtual machine's turn, and passes each to the class that executes it.
///
/// A command is copied into the host's memory before it is checked. Confined to the poller.
final class CommandDispatch {
    private final RingConsumer ring;
    private final GuestStatistics statistics;
    private final GuestCounts counts;
    private final GuestResources resources;
    private final Answers answers;
    private final FlushNumbers numbers;
    private final GuestMemory memory;
    private final Mapping mapping;
    private final SpaceFlushes flushes;
    private final GuestChannels channels;
    private final ChannelSubmissions submissions;
    private final GuestFences fences;
    private final CommandOutcome outcome;
    private final MappingProgress progress;

    /// Current command: one decoder per kind of command, all on the same entry.
    private final CommandEntry command = new CommandEntry();

    private final VramAllocCommand allocation = new VramAllocCommand();
    private final HandleCommand handle = new HandleCommand();
    private final MapCommand map = new MapCommand();
    private final MapStridedCommand mapStrided = new MapStridedCommand();
    private final MapListCommand mapList = new MapListCommand();
    private final UnmapCommand unmap = new UnmapCommand();
    private final ChannelCreateCommand channelCreate = new ChannelCreateCommand();
    private final SubmitCommand submit = new SubmitCommand();
    private final FenceQueryCommand fenceQuery = new FenceQueryCommand();
    private final FenceWaitCommand fenceWait = new FenceWaitCommand();
    private final FenceDeclareCommand fenceDeclare = new FenceDeclareCommand();
    private final StatisticsCommand statisticsQuery = new StatisticsCommand();

    /// Budget of the current turn.
    private TurnBudget budget;

    /// @param ring ring whose entries the caller releases
    CommandDispatch(RingConsumer ring, GuestState state, GuestStatistics statistics) {
        this.ring = ring;
        this.statistics = statistics;
        resources = state.resources();
        counts = state.counts();
        answers = state.answers();
        numbers = state.resources().numbers();
        memory = state.memory();
        mapping = state.mapping();
        flushes = state.flushes();
        channels = state.channels();
        submissions = state.submissions();
        fences = state.fences();
        outcome = new CommandOutcome(answers, counts);
        progress = new MappingProgress(state, outcome);
        MemorySegment entry = ring.entry();
        command.wrap(entry, 0);
        allocation.wrap(entry, 0);
        handle.wrap(entry, 0);
        map.wrap(entry, 0);
        mapStrided.wrap(entry, 0);
        mapList.wrap(entry, 0);
        unmap.wrap(entry, 0);
        channelCreate.wrap(entry, 0);
        submit.wrap(entry, 0);
        fenceQuery.wrap(entry, 0);
        fenceWait.wrap(entry, 0);
        fenceDeclare.wrap(entry, 0);
        statisticsQuery.wrap(entry, 0);
    }

    /// Processes the commands of one turn, after continuing a mapping that an earlier turn has
    /// started.
    ///
    /// @param turn budget of the turn
    /// @return number of commands started or continued
    int take(TurnBudget turn) {
        budget = turn;
        int taken = 0;
        if (mapping.isUnderWay() && turn.isLeft()) {
            turn.spendCommand();
            advance();
            taken++;
        }
        while (turn.isLeft() && mayTake() && ring.poll()) {
            turn.spendCommand();
            carryOut();
            taken++;
        }
        return taken;
    }

    private boolean mayTake() {
        return !mapping.isUnderWay()
                && !resources.hasManyRequests()
                && answers.canTake(fences.waits());
    }

    private void carryOut() {
        counts.add(PvCounter.COMMANDS, 1);
        budget.spend(1);
        if (outcome.isCancelling()) {
            end(CommandStatus.CANCELLED);
            return;
        }
        CommandOpcode opcode = CommandOpcode.of(command.opcode());
        if (opcode == null) {
            end(CommandStatus.BAD_OPCODE);
        } else if ((command.flags() & ~CommandEntry.ALL_FLAGS) != 0) {
            end(CommandStatus.BAD_FLAGS);
        } else {
            dispatch(opcode);
        }
    }

    private void dispatch(CommandOpcode opcode) {
        switch (opcode) {
            case NOP -> end(CommandStatus.OK);
            case SUBMIT -> end(submissions.submit(submit.channel(), submit.put()));
            case MAP -> begun(mapping.begin(map));
            case MAP_STRIDED -> begun(mapping.begin(mapStrided));
            case MAP_LIST -> begun(mapping.begin(mapList));
            case UNMAP -> begun(mapping.begin(unmap));
            case FENCE_QUERY -> fences.query(fenceQuery, outcome);
            case FENCE_WAIT -> fences.await(fenceWait, outcome);
            case FENCE_DECLARE -> end(fences.declare(fenceDeclare));
            case STATISTICS -> statistics.write(statisticsQuery, outcome);
            case VRAM_ALLOC -> {
                made(memory.allocate(allocation.bytes()));
                budget.spendSetup(memory.work());
            }
            case VRAM_FREE -> {
                end(memory.free(handle.handle()));
                budget.spendSetup(memory.work());
            }
            case SPACE_CREATE -> {
                budget.spendSetup(0);
                made(memory.createSpace());
            }
            case SPACE_DESTROY -> {
                budget.spendSetup(0);
                destroySpace();
            }
            case CHANNEL_CREATE -> {
                budget.spendSetup(0);
                createChannel();
            }
            case CHANNEL_DESTROY -> {
                budget.spendSetup(0);
                destroyChannel();
            }
        }
    }

    private void end(CommandStatus status) {
        outcome.end(command, status, 0);
    }

    private void made(CommandStatus status) {
        long result = status == CommandStatus.OK ? Integer.toUnsignedLong(memory.result()) : 0;
        outcome.end(command, status, result);
    }

    /// Answers a refused command immediately; a command in progress is answered when it completes.
    private void underWay(CommandStatus status) {
        if (status == CommandStatus.OK) {
            outcome.goesOn();
        } else {
            end(status);
        }
    }

    private void createChannel() {
        CommandStatus status =
                channels.create(
                        channelCreate.ringGpuVa(),
                        channelCreate.ringOrder(),
                        memory.space(channelCreate.space()));
        if (status == CommandStatus.OK) {
            channels.created().answerTo(command.correlation(), command.isQuiet());
        }
        underWay(status);
    }

    private void destroyChannel() {
        CommandStatus status = channels.destroy(handle.handle());
        if (status == CommandStatus.OK) {
            channels.channel(handle.handle()).answerTo(command.correlation(), command.isQuiet());
        }
        underWay(status);
    }

    private void begun(CommandStatus status) {
        if (status == CommandStatus.OK) {
            advance();
        } else {
            end(status);
        }
    }

    private void advance() {
        budget.spend(progress.advance(budget.work()));
    }

    private void destroySpace() {
        GuestSpace space = memory.space(handle.handle());
        CommandStatus status = memory.destroySpace(handle.handle(), numbers.asked());
        if (status != CommandStatus.OK || !space.shown) {
            end(status);
            return;
        }
        flushes.askLast(space);
        outcome.endFlushed(command, status);
    }
}
