package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.isa.Disassembler;
import io.gpuvm.softgpu.sm.Position;

/// A launch that ended before its time.
///
/// @param channel number of the channel
/// @param instanceAddress where the channel's instance block is
/// @param what the reason: what the page tables said, what was wrong with the instruction, or that
///   it took too long
/// @param position the instruction, block and thread; null if no block had begun
public record KernelError(int channel, long instanceAddress, String what, Position position) {
    /// The instruction as text, or in digits if it is none.
    public String instruction() {
        String text = Disassembler.text(position.word(), (int) position.codeOffset());
        return text == null ? ".word 0x%016x".formatted(position.word()) : text;
    }

    /// What happened and where, without the channel.
    public String text() {
        return position == null
                ? what
                : "%s, code=%#x, instruction='%s', block=%s, thread=%s"
                        .formatted(
                                what,
                                position.codeOffset(),
                                instruction(),
                                position.block(),
                                position.thread());
    }

    @Override
    public String toString() {
        return "channel %d (instance %#x): %s".formatted(channel, instanceAddress, text());
    }
}
