package io.gpuvm.pv.remote;

import io.gpuvm.pv.protocol.ChannelCreateCommand;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.FenceDeclareCommand;
import io.gpuvm.pv.protocol.HandleCommand;
import io.gpuvm.pv.protocol.MapCommand;
import io.gpuvm.pv.protocol.MapOptions;
import io.gpuvm.pv.protocol.SubmitCommand;
import io.gpuvm.pv.protocol.UnmapCommand;
import io.gpuvm.pv.protocol.VramAllocCommand;
import io.gpuvm.pv.transport.TransportException;

/// Requests from a guest to its backend. Any thread.
///
/// All methods except [#submit] wait for the answer, and throw [TransportException] with the
/// backend's reason if the backend refuses the request.
final class Hypercalls {
    private final CommandLink link;
    private final CommandEntry plain = new CommandEntry();
    private final VramAllocCommand vramAlloc = new VramAllocCommand();
    private final HandleCommand handled = new HandleCommand();
    private final MapCommand map = new MapCommand();
    private final UnmapCommand unmap = new UnmapCommand();
    private final ChannelCreateCommand channelCreate = new ChannelCreateCommand();
    private final SubmitCommand submit = new SubmitCommand();
    private final FenceDeclareCommand fenceDeclare = new FenceDeclareCommand();

    Hypercalls(CommandLink link) {
        this.link = link;
    }

    /// Creates an address space.
    ///
    /// @return handle of the address space
    int createSpace() {
        link.enter();
        try {
            Call call = begin(plain);
            return (int) finish(call, CommandOpcode.SPACE_CREATE, 0);
        } finally {
            link.exit();
        }
    }

    /// Allocates VRAM.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @return handle of the memory
    int allocateVram(long bytes) {
        link.enter();
        try {
            Call call = begin(vramAlloc);
            vramAlloc.bytes(bytes);
            return (int) finish(call, CommandOpcode.VRAM_ALLOC, bytes);
        } finally {
            link.exit();
        }
    }

    /// Frees VRAM that no address space maps.
    void freeVram(int memory) {
        link.enter();
        try {
            Call call = begin(handled);
            handled.handle(memory);
            finish(call, CommandOpcode.VRAM_FREE, 0);
        } finally {
            link.exit();
        }
    }

    /// Maps memory in an address space.
    ///
    /// @param memory handle, or [io.gpuvm.pv.protocol.Handle#DATA_AREA]
    /// @param offset offset in that memory
    void map(int space, long gpuVa, int memory, long offset, long bytes) {
        link.enter();
        try {
            Call call = begin(map);
            map.space(space)
                    .options(MapOptions.AUTO)
                    .gpuVa(gpuVa)
                    .memory(memory)
                    .offset(offset)
                    .bytes(bytes);
            finish(call, CommandOpcode.MAP, bytes);
        } finally {
            link.exit();
        }
    }

    /// Unmaps a range. On return, the GPU has flushed the old mapping from its TLBs.
    void unmap(int space, long gpuVa, long bytes) {
        link.enter();
        try {
            Call call = begin(unmap);
            unmap.space(space).gpuVa(gpuVa).bytes(bytes);
            finish(call, CommandOpcode.UNMAP, bytes);
        } finally {
            link.exit();
        }
    }

    /// Unmaps a range as [#unmap] does, and frees the VRAM that was mapped there.
    void unmapAndFree(int space, long gpuVa, long bytes, int memory) {
        if (!link.isBatched()) {
            unmap(space, gpuVa, bytes);
            freeVram(memory);
            return;
        }
        link.enter();
        try {
            Call call = link.call();
            link.awaitRoom();
            unmap.wrap(link.memory(), link.claim())
                    .correlation(link.correlation(call))
                    .space(space)
                    .gpuVa(gpuVa)
                    .bytes(bytes);
            link.publish(CommandOpcode.UNMAP, CommandEntry.QUIET | CommandEntry.LINKED);
            handled.wrap(link.memory(), link.claim())
                    .correlation(link.correlation(call))
                    .handle(memory);
            finish(call, CommandOpcode.VRAM_FREE, bytes);
        } finally {
            link.exit();
        }
    }

    /// Creates a channel.
    ///
    /// @param ringGpuVa GPU address of the channel's ring
    /// @param ringOrder binary logarithm of the ring's number of entries
    /// @return number of the channel
    int createChannel(int space, long ringGpuVa, int ringOrder) {
        link.enter();
        try {
            Call call = begin(channelCreate);
            channelCreate.space(space).ringOrder(ringOrder).ringGpuVa(ringGpuVa);
            return (int) finish(call, CommandOpcode.CHANNEL_CREATE, 0);
        } finally {
            link.exit();
        }
    }

    /// Destroys a channel, even if it is busy.
    void destroyChannel(int channel) {
        link.enter();
        try {
            Call call = begin(handled);
            handled.handle(channel);
            finish(call, CommandOpcode.CHANNEL_DESTROY, 0);
        } finally {
            link.exit();
        }
    }

    /// Declares a word of the data area as a fence. A backend whose version does not know the
    /// command is on this host, where the declaration has no effect.
    void declareFence(long offset) {
        link.enter();
        try {
            Call call = begin(fenceDeclare);
            fenceDeclare.offset(offset).count(1);
            finishUnlessUnknown(call, CommandOpcode.FENCE_DECLARE);
        } finally {
            link.exit();
        }
    }

    /// Submits a channel's ring up to an entry. Waits for an answer only without batching.
    ///
    /// @param put index of the first entry that the GPU must not read
    void submit(int channel, int put) {
        link.enter();
        try {
            if (!link.isBatched()) {
                submitAndWait(channel, put);
                return;
            }
            submit.wrap(link.memory(), link.claim())
                    .correlation(CommandLink.correlationOfSubmission(channel))
                    .channel(channel)
                    .put(put);
            link.publish(CommandOpcode.SUBMIT, CommandEntry.QUIET);
        } finally {
            link.exit();
        }
    }

    private void submitAndWait(int channel, int put) {
        Call call = begin(submit);
        submit.channel(channel).put(put);
        link.publish(CommandOpcode.SUBMIT, 0);
        link.await(call);
        boolean accepted = call.isOk();
        int statusCode = call.statusCode();
        link.giveBack(call);
        if (!accepted) {
            link.refused(channel, statusCode);
        }
    }

    private Call begin(CommandEntry window) {
        Call call = link.call();
        window.wrap(link.memory(), link.claim()).correlation(link.correlation(call));
        return call;
    }

    private void finishUnlessUnknown(Call call, CommandOpcode opcode) {
        link.publish(opcode, 0);
        link.await(call);
        try {
            if (!call.isOk() && call.statusCode() != CommandStatus.BAD_OPCODE.code()) {
                throw new TransportException("%s: %s".formatted(opcode, call.reason()));
            }
        } finally {
            link.giveBack(call);
        }
    }

    /// @param bytes length of the request, for the error message
    private long finish(Call call, CommandOpcode opcode, long bytes) {
        link.publish(opcode, 0);
        link.await(call);
        try {
            if (!call.isOk()) {
                throw new TransportException(
                        "%s, bytes=%d: %s".formatted(opcode, bytes, call.reason()));
            }
            return call.result();
        } finally {
            link.giveBack(call);
        }
    }
}
