package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.Quotation;
import io.gpuvm.ptx.syntax.VariableTree;

/// Words of a declaration, resolved.
///
/// @param space word of the state space, with its dot
/// @param vector number of components of an element: 1, 2 or 4
record DeclaredType(String space, PtxType type, int vector) {
    /// Resolves words.
    ///
    /// @throws CheckException if a word is not known, or a type is missing
    static DeclaredType of(VariableTree tree) {
        String space = tree.words().isEmpty() ? "" : tree.words().getFirst();
        PtxType type = null;
        int vector = 1;
        for (int i = 1; i < tree.words().size(); i++) {
            String word = tree.words().get(i);
            PtxType found = PtxType.of(word.substring(1));
            if (word.equals(".ptr")) {
                // The space of the data to which a parameter points has no effect.
                break;
            }
            if (found != null && type == null) {
                type = found;
            } else if (word.equals(".v2")) {
                vector = 2;
            } else if (word.equals(".v4")) {
                vector = 4;
            } else {
                throw new CheckException(tree.position(), problem(word));
            }
        }
        if (space.equals(".tex")) {
            return new DeclaredType(".global", PtxType.TEXREF, 1);
        }
        if (type == null) {
            throw new CheckException(
                    tree.position(), "declaration: expected a type such as .u32 after " + space);
        }
        if (vector > 1 && (type == PtxType.PRED || type.kind() == PtxType.Kind.OPAQUE)) {
            throw new CheckException(tree.position(), "." + type.word() + " has no vectors");
        }
        return new DeclaredType(space, type, vector);
    }

    private static String problem(String word) {
        return switch (word) {
            case ".managed" -> ".attribute(.managed) needs sm_30; this GPU is sm_20";
            case ".unified" -> ".attribute(.unified) needs sm_90; this GPU is sm_20";
            case ".bf16", ".bf16x2", ".tf32", ".b128" ->
                    word + ": not a type of registers and variables on this GPU";
            default -> Quotation.of(word) + " is not expected in a declaration";
        };
    }

    int elementBytes() {
        return type.bytes() * vector;
    }

    boolean isRegister() {
        return space.equals(".reg");
    }
}
