package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.isa.Disassembler;
import io.gpuvm.softgpu.sm.CodeLocation;
import io.gpuvm.softgpu.sm.Position;

/// Failed launch of a compute kernel.
///
/// @param channel number of the channel
/// @param instanceAddress address of the channel's instance block
/// @param what reason for the failure: MMU fault, error of an instruction, or timeout
/// @param code location of the kernel
/// @param position instruction, block and thread; null if no block was unfinished
public record KernelError(
        int channel, long instanceAddress, String what, CodeLocation code, Position position) {
    /// Returns the instruction as text, or in hexadecimal if it is unknown.
    public String instruction() {
        String text = Disassembler.text(position.word(), (int) position.codeOffset());
        return text == null ? ".word 0x%016x".formatted(position.word()) : text;
    }

    /// Returns the reason and the position, without the channel.
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
