package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.Quotation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Table of the instructions of PTX. Finds the form of an operation by its text. Any thread.
final class InstructionRules {
    private static final InstructionRules ALL = new InstructionRules();

    /// Maximum number of operations that are remembered. Modifiers in another order and hints make
    /// more texts than programs use.
    private static final int MAX_KNOWN = 1 << 13;

    /// Maximum length of an operation in characters.
    private static final int MAX_LENGTH = 256;

    /// Opcode or modifier in the table of refusals that matches all.
    private static final String ANY = "*";

    /// Operation that Fermi does not express.
    ///
    /// @param word modifier, or `*` for any
    private record Refusal(String word, int target) {}

    private final Map<String, List<InstructionForm>> forms = new HashMap<>();
    private final Map<String, List<Refusal>> refusals = new HashMap<>();

    /// Operations that occurred before, in any module: a program has few.
    private final Map<String, List<ResolvedOperation>> known = new ConcurrentHashMap<>();

    private InstructionRules() {
        for (InstructionForm form : TableReader.forms("instructions.txt")) {
            forms.computeIfAbsent(form.opcode().word(), key -> new ArrayList<>()).add(form);
        }
        for (String line : TableReader.lines("refused.txt")) {
            String[] parts = line.split(" ");
            refusals.computeIfAbsent(parts[0], key -> new ArrayList<>())
                    .add(new Refusal(parts[1], Integer.parseInt(parts[2])));
        }
    }

    /// Returns the table.
    static InstructionRules all() {
        return ALL;
    }

    /// Returns all forms.
    List<InstructionForm> forms() {
        return forms.values().stream().flatMap(List::stream).toList();
    }

    /// Result of a search.
    ///
    /// @param rule form, or null if there is none
    /// @param problem reason for the lack of a form, or null
    record Found(ResolvedOperation rule, String problem) {}

    /// Finds the form of an operation.
    Found find(String text, int version, int target, int gpu) {
        if (text.length() > MAX_LENGTH) {
            return new Found(
                    null,
                    "%s: characters=%d, limit=%d"
                            .formatted(Quotation.of(text), text.length(), MAX_LENGTH));
        }
        String problem = null;
        for (ResolvedOperation rule : rules(text)) {
            problem = unmet(rule.form(), text, version, target);
            if (problem == null) {
                return new Found(rule, null);
            }
        }
        return new Found(null, problem != null ? problem : refusal(text, gpu));
    }

    /// Returns the forms that an operation matches, regardless of versions and targets.
    private List<ResolvedOperation> rules(String text) {
        List<ResolvedOperation> rules = known.get(text);
        if (rules == null) {
            rules = match(text);
            if (!rules.isEmpty() && known.size() < MAX_KNOWN) {
                known.put(text, rules);
            }
        }
        return rules;
    }

    private List<ResolvedOperation> match(String text) {
        List<String> words = words(text);
        List<ResolvedOperation> rules = new ArrayList<>();
        for (InstructionForm form : forms.getOrDefault(words.getFirst(), List.of())) {
            InstructionForm.Match match = form.match(text, words.subList(1, words.size()));
            if (match.operation() != null) {
                rules.add(ResolvedOperation.of(match.operation(), form));
            }
        }
        return List.copyOf(rules);
    }

    private static List<String> words(String text) {
        return List.of(canonical(text).split("\\.", -1));
    }

    private String refusal(String text, int gpu) {
        List<String> words = words(text);
        String opcode = words.getFirst();
        List<String> modifiers = words.subList(1, words.size());
        for (String key : List.of(opcode, ANY)) {
            for (Refusal refusal : refusals.getOrDefault(key, List.of())) {
                if (refusal.word().equals(ANY) || modifiers.contains(refusal.word())) {
                    return "%s needs sm_%d; this GPU is sm_%d"
                            .formatted(text, refusal.target(), gpu);
                }
            }
        }
        InstructionForm.Match best = null;
        for (InstructionForm form : forms.getOrDefault(opcode, List.of())) {
            InstructionForm.Match match = form.match(text, modifiers);
            if (best == null || match.matched() > best.matched()) {
                best = match;
            }
        }
        return best == null
                ? Quotation.of(opcode) + ": not an instruction"
                : Quotation.of(text) + ": " + best.problem();
    }

    private static String unmet(InstructionForm form, String text, int version, int target) {
        final int ten = 10;
        if (form.version() > version) {
            return "%s needs .version %d.%d; this module has .version %d.%d"
                    .formatted(
                            text,
                            form.version() / ten,
                            form.version() % ten,
                            version / ten,
                            version % ten);
        }
        if (form.target() > target) {
            return "%s needs .target sm_%d; this module has .target sm_%d"
                    .formatted(text, form.target(), target);
        }
        return null;
    }

    /// Returns the text with the words that are in the table for their synonyms.
    private static String canonical(String text) {
        return text.indexOf(':') < 0
                ? text
                : text.replace(".shared::cta", ".shared")
                        .replace(".param::entry", ".param")
                        .replace(".param::func", ".param");
    }
}
