package io.gpuvm.ptx.fuzz;

import java.util.List;
import java.util.SplittableRandom;

/// Seeded mutations of sources: of characters, of tokens and of lines.
final class SourceMutator {
    private static final String[] FRAGMENTS = {
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        ",",
        ";",
        ":",
        "|",
        "!",
        "@",
        "@@",
        "=",
        "+",
        "-",
        "?",
        "\"",
        "/*",
        "*/",
        "//",
        "\n",
        "#",
        "\0",
        "\u00e9",
        "_",
        "%",
        ".",
        "::",
        "0x",
        "0f",
        "0d",
        "1e",
        "99999999999999999999",
        "-9223372036854775808",
        "18446744073709551615U",
        ".reg",
        ".param",
        ".shared",
        ".extern",
        ".b32",
        ".v4",
        ".align",
        ".entry",
        ".func",
        ".version 9.9",
        ".target sm_90",
        ".loc 1 2 3",
        ".pragma",
        ".callprototype",
        ".branchtargets",
        ".section",
        "%r<4>",
        "%r<2147483647>",
        "[1000000000]",
        "[0]",
        "= {{}}",
        "bra",
        "call",
        "ld.global.u32",
        "mov.b64",
        "%tid.x",
        ".x",
        ".b0",
        "(.s64)",
        "1/0",
        "generic(",
        "0xFF(",
        "add.cc.u32",
        "setp.eq.s32",
        "tex.2d.v4.f32.f32",
        "bar.sync 0;"
    };

    private final List<String> sources;
    private final SplittableRandom random;

    SourceMutator(List<String> sources, long seed) {
        this.sources = sources;
        random = new SplittableRandom(seed);
    }

    /// Returns a mutated source.
    String next() {
        StringBuilder text = new StringBuilder(sources.get(random.nextInt(sources.size())));
        int mutations = 1 + random.nextInt(random.nextInt(10) == 0 ? 60 : 4);
        for (int i = 0; i < mutations && !text.isEmpty(); i++) {
            mutate(text);
        }
        return text.toString();
    }

    /// Returns a source without structure.
    String noise() {
        StringBuilder text =
                new StringBuilder(random.nextBoolean() ? ".version 4.3\n.target sm_20\n" : "");
        int length = random.nextInt(400);
        for (int i = 0; i < length; i++) {
            switch (random.nextInt(4)) {
                case 0 -> text.append((char) random.nextInt(random.nextInt(20) == 0 ? 65536 : 128));
                case 1 -> text.append(' ');
                default -> text.append(FRAGMENTS[random.nextInt(FRAGMENTS.length)]);
            }
        }
        return text.toString();
    }

    private void mutate(StringBuilder text) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(8)) {
            case 0 -> text.deleteCharAt(at);
            case 1 -> text.setCharAt(at, (char) (' ' + random.nextInt(95)));
            case 2 -> text.insert(at, FRAGMENTS[random.nextInt(FRAGMENTS.length)]);
            case 3 -> text.delete(at, Math.min(text.length(), at + random.nextInt(40)));
            case 4 -> copyWord(text, at);
            case 5 -> text.setLength(at);
            case 6 -> copyLine(text, at);
            default -> {
                int from = random.nextInt(text.length());
                int to = Math.min(text.length(), from + random.nextInt(60));
                text.insert(at, text.substring(from, to));
            }
        }
    }

    /// Replaces a word by another word of the source.
    private void copyWord(StringBuilder text, int at) {
        int from = random.nextInt(text.length());
        String word = text.substring(from, wordEnd(text, from));
        text.replace(at, wordEnd(text, at), word);
    }

    private static int wordEnd(StringBuilder text, int from) {
        int end = from;
        while (end < text.length()
                && end < from + 30
                && !Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private void copyLine(StringBuilder text, int at) {
        int from = text.lastIndexOf("\n", random.nextInt(text.length())) + 1;
        int end = text.indexOf("\n", from);
        String line = text.substring(from, end < 0 ? text.length() : end + 1);
        text.insert(text.lastIndexOf("\n", at) + 1, line);
    }
}
