package io.gpuvm.ptx.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Reads the table of instructions, whose file describes its format.
final class TableReader {
    private static final String LIST = "LIST ";

    private final Map<String, List<String>> lists = new HashMap<>();

    private TableReader() {}

    /// Returns the forms of a table, in order.
    static List<InstructionForm> forms(String resource) {
        TableReader reader = new TableReader();
        List<InstructionForm> forms = new ArrayList<>();
        for (String line : lines(resource)) {
            if (line.startsWith(LIST)) {
                String[] parts = line.substring(LIST.length()).split(" = ");
                reader.lists.put(parts[0], List.of(parts[1].split(" ")));
            } else {
                forms.add(reader.form(line));
            }
        }
        return forms;
    }

    /// Returns the lines of a resource, without comments.
    static List<String> lines(String resource) {
        try (BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(
                                TableReader.class.getResourceAsStream(resource),
                                StandardCharsets.UTF_8))) {
            return reader.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private InstructionForm form(String line) {
        String[] columns = line.split("\\|", -1);
        String head = columns[0].strip();
        int blank = head.indexOf(' ');
        String opcode = blank < 0 ? head : head.substring(0, blank);
        List<WordSlot> slots = blank < 0 ? List.of() : slots(head.substring(blank + 1));
        List<OperandRule> operands = new ArrayList<>();
        for (String operand : columns[1].strip().split(" ")) {
            if (!operand.isEmpty()) {
                operands.add(OperandRule.of(operand));
            }
        }
        String[] needs = columns.length > 2 ? columns[2].strip().split(" ") : new String[0];
        return new InstructionForm(
                PtxOpcode.valueOf(opcode.toUpperCase(Locale.ROOT)),
                slots,
                List.copyOf(operands),
                needs.length > 0 ? Integer.parseInt(needs[0].replace(".", "")) : 0,
                needs.length > 1 ? Integer.parseInt(needs[1]) : 0);
    }

    private List<WordSlot> slots(String text) {
        List<WordSlot> slots = new ArrayList<>();
        for (String part : text.split(" (?=\\.)")) {
            boolean optional = part.endsWith("?");
            String words = part.substring(1, part.length() - (optional ? 1 : 0));
            slots.add(WordSlot.of(words(words), optional));
        }
        return List.copyOf(slots);
    }

    private List<String> words(String text) {
        if (text.startsWith("{")) {
            return List.of(text.substring(1, text.length() - 1).split(" "));
        }
        return lists.getOrDefault(text, List.of(text));
    }
}
