package io.gpuvm.gf100.asm;

import io.gpuvm.gf100.isa.Disassembler;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.Operand;
import java.util.BitSet;
import java.util.Locale;

/// Lists code as lines with addresses and with labels at branch targets.
final class CodeListing {
    private static final String LINE = "        /*%04x*/  %-52s /* 0x%016x */%n";

    private final long[] words;
    private final BitSet targets = new BitSet();

    CodeListing(long[] words) {
        this.words = words;
        for (int i = 0; i < words.length; i++) {
            Form form = InstructionTable.find(words[i]);
            if (form != null && label(form, words[i], address(i)) != null) {
                targets.set(target(form, words[i], address(i)));
            }
        }
    }

    void append(StringBuilder text) {
        for (int i = 0; i < words.length; i++) {
            if (targets.get(address(i))) {
                text.append(name(address(i))).append(":\n");
            }
            text.append(line(words[i], address(i)));
        }
        int end = address(words.length);
        if (targets.get(end)) {
            text.append(name(end)).append(":\n");
        }
    }

    private String line(long word, int address) {
        Form form = InstructionTable.find(word);
        if (form == null || !form.isCanonical(word)) {
            String bits = String.format(Locale.ROOT, ".word 0x%016x;", word);
            String meaning = form == null ? "" : " // " + Disassembler.text(form, word, address);
            return String.format(Locale.ROOT, "        /*%04x*/  %s%s%n", address, bits, meaning);
        }
        String text = Disassembler.text(form, word, address);
        String label = label(form, word, address);
        if (label != null) {
            text = text.substring(0, text.lastIndexOf(' ') + 1) + label;
        }
        return String.format(Locale.ROOT, LINE, address, text + ";", word);
    }

    /// Returns the name of the instruction's branch target, or null if the instruction does not
    /// branch or its target is outside of this code.
    private String label(Form form, long word, int address) {
        boolean branches =
                form.relative()
                        && !form.operands().isEmpty()
                        && form.operands().getLast() instanceof Operand.Target;
        if (!branches) {
            return null;
        }
        int target = target(form, word, address);
        boolean inside =
                target >= 0
                        && target <= address(words.length)
                        && target % InstructionTable.INSTRUCTION_BYTES == 0;
        return inside ? name(target) : null;
    }

    private static int target(Form form, long word, int address) {
        return address + InstructionTable.INSTRUCTION_BYTES + form.get(Field.TARGET, word);
    }

    private static String name(int address) {
        return String.format(Locale.ROOT, ".L_%04x", address);
    }

    private static int address(int index) {
        return index * InstructionTable.INSTRUCTION_BYTES;
    }
}
