package io.gpuvm.gf100.isa;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// All forms of all instructions: the only description of the machine code, used for decoding,
/// disassembly and assembly.
///
/// The table excludes texture instructions (except the fetch of a texel from linear memory),
/// surface instructions, and instructions that only graphics programs use; these are illegal
/// instructions. If two forms match a word, the more specific form applies; building the table
/// fails if neither is more specific.
///
/// Sources: envytools `envydis/gf100.c`; Mesa `nv50_ir_emit_nvc0.cpp`; asfermi's rules for the
/// output of NVIDIA's tools.
public final class InstructionTable {
    /// Number of bytes of an instruction.
    public static final int INSTRUCTION_BYTES = 8;

    private static final int TYPE_BITS = 4;
    private static final int CODE_BITS = 6;
    private static final int CODE_SHIFT = Long.SIZE - CODE_BITS;

    private static final List<Form> FORMS = Collections.unmodifiableList(allForms());
    private static final Form[][] BUCKETS = buckets(FORMS);
    private static final Map<Opcode, List<Form>> BY_OPCODE = byOpcode(FORMS);

    private InstructionTable() {}

    /// Returns the form of a word, or null if the word is not an instruction.
    public static Form find(long word) {
        for (Form form : BUCKETS[bucket(word)]) {
            if (form.accepts(word)) {
                return form;
            }
        }
        return null;
    }

    /// Returns all forms, in the order of the table.
    public static List<Form> forms() {
        return FORMS;
    }

    /// Returns the forms of an operation, in the order of the table. The assembler uses the first
    /// form that can represent the whole instruction.
    public static List<Form> forms(Opcode opcode) {
        return BY_OPCODE.getOrDefault(opcode, List.of());
    }

    /// @throws IllegalStateException if two forms match a word and neither is more specific
    static void checkOverlaps(List<Form> forms) {
        for (int i = 0; i < forms.size(); i++) {
            for (int j = 0; j < i; j++) {
                Form one = forms.get(i);
                Form other = forms.get(j);
                boolean overlap = (one.mask() & other.mask() & (one.value() ^ other.value())) == 0;
                if (overlap && Long.bitCount(one.mask()) == Long.bitCount(other.mask())) {
                    throw new IllegalStateException("forms overlap: " + one + " and " + other);
                }
            }
        }
    }

    private static List<Form> allForms() {
        List<Form> forms = new ArrayList<>();
        forms.addAll(FloatForms.list());
        forms.addAll(DoubleForms.list());
        forms.addAll(IntegerForms.list());
        forms.addAll(LogicForms.list());
        forms.addAll(VideoForms.list());
        forms.addAll(ConversionForms.list());
        forms.addAll(MoveForms.list());
        forms.addAll(PredicateForms.list());
        forms.addAll(MemoryForms.list());
        forms.addAll(PairedForms.list());
        forms.addAll(AtomicForms.list());
        forms.addAll(TextureForms.list());
        forms.addAll(ControlForms.list());
        checkOverlaps(forms);
        return forms;
    }

    private static int bucket(long word) {
        return (int) (word >>> CODE_SHIFT) << TYPE_BITS | (int) word & (1 << TYPE_BITS) - 1;
    }

    private static Form[][] buckets(List<Form> forms) {
        List<Form> specificFirst = new ArrayList<>(forms);
        specificFirst.sort(
                Comparator.comparingInt((Form form) -> Long.bitCount(form.mask())).reversed());
        Form[][] buckets = new Form[1 << CODE_BITS + TYPE_BITS][];
        for (int i = 0; i < buckets.length; i++) {
            long high = (long) (i >> TYPE_BITS) << CODE_SHIFT;
            long word = high | i & (1 << TYPE_BITS) - 1;
            long known = bucketMask();
            buckets[i] =
                    specificFirst.stream()
                            .filter(form -> ((form.value() ^ word) & form.mask() & known) == 0)
                            .toArray(Form[]::new);
        }
        return buckets;
    }

    private static long bucketMask() {
        return -1L << CODE_SHIFT | (1 << TYPE_BITS) - 1;
    }

    private static Map<Opcode, List<Form>> byOpcode(List<Form> forms) {
        Map<Opcode, List<Form>> map = new EnumMap<>(Opcode.class);
        for (Form form : forms) {
            map.computeIfAbsent(form.opcode(), _ -> new ArrayList<>()).add(form);
        }
        map.replaceAll((_, list) -> List.copyOf(list));
        return Collections.unmodifiableMap(map);
    }
}
