package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.LinearTexture;
import io.gpuvm.gf100.classes.TexelSource;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.softgpu.mmu.VirtualMemory;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;

/// Fetches texels by index from textures in linear memory.
///
/// Texels outside the texture read as zeros, as do all texels of a slot whose header describes no
/// texture in linear memory. Memory faults are the same as in loads. Addresses are global: the
/// windows of shared and local memory do not apply.
final class TextureUnit {
    private static final int LANES = Rows.LANES;

    private final TextureCache textures;
    private final WarpMemory memory;

    TextureUnit(TextureCache textures, WarpMemory memory) {
        this.textures = textures;
        this.memory = memory;
    }

    /// Copies the requested components of each lane's texel to consecutive rows.
    void fetch(Warp warp, Instruction i, int mask) {
        LinearTexture texture = textures.at(i.mode2);
        if (texture != null) {
            load(warp, i, mask, texture);
        }
        int row = i.result;
        for (int component = 0; component < LinearTexture.COMPONENTS; component++) {
            if ((i.mode >> component & 1) != 0) {
                if (texture == null) {
                    fill(warp.registers, row, mask, 0);
                } else {
                    put(warp.registers, row, mask, texture, texture.source(component));
                }
                row += Rows.STRIDE;
            }
        }
    }

    /// Loads texels in their stored form into the rows of masked results.
    private void load(Warp warp, Instruction i, int mask, LinearTexture texture) {
        MemorySize size = size(texture.layout().bytes());
        int[] r = warp.registers;
        int inside = 0;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int texel = r[i.a + lane];
            if (Integer.compareUnsigned(texel, texture.texels()) < 0) {
                inside |= 1 << lane;
                memory.addresses[lane] =
                        VirtualMemory.wrap(texture.gpuVa() + (long) texel * size.bytes());
            }
        }
        if (inside != mask) {
            for (int word = 0; word < size.bytes(); word += Integer.BYTES) {
                fill(r, Rows.MASKED + word / Integer.BYTES * Rows.STRIDE, mask & ~inside, 0);
            }
        }
        memory.load(warp, Rows.MASKED, inside, size);
    }

    private static MemorySize size(int bytes) {
        return switch (bytes) {
            case Byte.BYTES -> MemorySize.U8;
            case Short.BYTES -> MemorySize.U16;
            case Integer.BYTES -> MemorySize.B32;
            case Long.BYTES -> MemorySize.B64;
            default -> MemorySize.B128;
        };
    }

    private static void put(int[] r, int row, int mask, LinearTexture texture, TexelSource source) {
        int channel = source.channel();
        if (channel < 0 || channel >= texture.layout().channels()) {
            fill(r, row, mask, source.constant());
            return;
        }
        int bit = channel * texture.layout().bits();
        int from = Rows.MASKED + bit / Integer.SIZE * Rows.STRIDE;
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            // The shift count is the position of the bit in its word.
            int stored = r[from + lane] >>> bit;
            r[row + lane] = texture.isPlain() ? stored : texture.decode(channel, stored);
        }
    }

    private static void fill(int[] r, int row, int mask, int value) {
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            r[row + Integer.numberOfTrailingZeros(rest)] = value;
        }
    }
}
