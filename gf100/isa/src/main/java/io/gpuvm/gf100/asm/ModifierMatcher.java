package io.gpuvm.gf100.asm;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.Modifier;
import java.util.List;
import java.util.stream.Collectors;

/// Matches the modifiers after a mnemonic or an operand; each modifier starts with a dot.
final class ModifierMatcher {
    private static final int NOT_FOUND = -1;

    /// Default logic operation of a comparison.
    private static final String USUAL_LOGIC = "AND";

    private final Mismatch mismatch;

    ModifierMatcher(Mismatch mismatch) {
        this.mismatch = mismatch;
    }

    /// @param token token with the modifiers
    /// @param from index of the first modifier in the token's text
    /// @return encoding with the modifiers, or null if the modifiers do not match
    Encoding match(List<Modifier> modifiers, Token token, int from, Encoding encoding) {
        String text = token.text();
        Encoding result = encoding;
        int at = from;
        for (Modifier modifier : modifiers) {
            if (!has(encoding.form(), modifier)) {
                continue;
            }
            int index = longest(modifier, text, at);
            if (index != NOT_FOUND) {
                if (!modifier.allows(encoding.form(), index)) {
                    return mismatch.at(token.from(at), () -> "other modifiers");
                }
                at += 1 + modifier.names().get(index).length();
            } else {
                index = usual(modifier);
                if (index == NOT_FOUND || !modifier.allows(encoding.form(), index)) {
                    return mismatch.at(token.from(at), () -> names(modifier));
                }
            }
            result = result.with(modifier.set(encoding.form(), index, result.word()));
        }
        if (at == text.length()) {
            return result;
        }
        for (Modifier modifier : modifiers) {
            mismatch.at(token.from(at), () -> names(modifier));
        }
        return mismatch.at(token.from(at), () -> "no more modifiers");
    }

    private static boolean has(Form form, Modifier modifier) {
        for (Field field : modifier.fields()) {
            if (!form.has(field)) {
                return false;
            }
        }
        return true;
    }

    private static int longest(Modifier modifier, String text, int at) {
        int best = NOT_FOUND;
        int bestLength = 0;
        for (int i = 0; i < modifier.names().size(); i++) {
            String name = modifier.names().get(i);
            if (name != null && name.length() > bestLength && standsAt(name, text, at)) {
                best = i;
                bestLength = name.length();
            }
        }
        return best;
    }

    private static boolean standsAt(String name, String text, int at) {
        int end = at + 1 + name.length();
        return at < text.length()
                && text.charAt(at) == '.'
                && text.startsWith(name, at + 1)
                && (end == text.length() || text.charAt(end) == '.');
    }

    private static int usual(Modifier modifier) {
        int index = modifier.defaultIndex();
        boolean logic = modifier.key().equals("logic") || modifier.key().equals("inner");
        return index < 0 && logic ? modifier.names().indexOf(USUAL_LOGIC) : index;
    }

    private static String names(Modifier modifier) {
        return modifier.names().stream()
                .filter(name -> name != null && !name.isEmpty())
                .map(name -> "." + name)
                .collect(Collectors.joining(" "));
    }
}
