package io.gpuvm.ptx.build;

import io.gpuvm.gf100.cubin.TextureSlot;
import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxSymbol;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.check.PtxVariable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Slots of the textures that a program's functions read. A texture has the same slot in all
/// functions, since several kernels may call a function.
final class TextureLayout {
    private final Program program;
    private final Map<PtxVariable, Integer> slots = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    TextureLayout(Program program) {
        this.program = program;
        for (PtxFunction function : program.functions()) {
            for (PtxSymbol symbol : Uses.symbols(function)) {
                if (symbol instanceof PtxVariable variable && isTexture(variable)) {
                    add(program.definition(variable));
                }
            }
        }
    }

    private static boolean isTexture(PtxVariable variable) {
        return variable.type() == PtxType.TEXREF && variable.role() == PtxVariable.Role.STATIC;
    }

    private void add(PtxVariable texture) {
        if (slots.putIfAbsent(texture, names.size()) == null) {
            names.add(program.name(texture));
        }
    }

    int slot(PtxVariable texture) {
        return slots.get(program.definition(texture));
    }

    int count() {
        return names.size();
    }

    /// Returns the textures of slots.
    List<TextureSlot> textures(BitSet used) {
        return used.stream().mapToObj(slot -> new TextureSlot(names.get(slot), slot)).toList();
    }

    /// Returns the reason why instructions cannot contain all slots, or null.
    String problem() {
        int limit = TextureSlot.MAX_SLOT + 1;
        return names.size() > limit
                ? "textures: number=%d, limit=%d".formatted(names.size(), limit)
                : null;
    }
}
