package io.gpuvm.cuda.compiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Parses the command line of the compiler driver. Confined to one thread.
final class CcParser {
    private static final int SHORT_NAME = 2;
    private static final String LEVELS = "[0-3sgz]|fast";
    private static final String DEFAULT_LEVEL = "1";
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final Pattern LEVEL = Pattern.compile(LEVELS);

    /// Maximum number of files with options, which may name further files.
    private static final int MAX_FILES = 16;

    private final Map<CcOption, List<String>> values = new EnumMap<>(CcOption.class);
    private final List<String> inputs = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();
    private final Deque<String> words;
    private int files;

    private CcParser(List<String> words) {
        this.words = new ArrayDeque<>(words);
    }

    /// Parses the words after the command's name.
    ///
    /// @throws CcException if an option is unknown, or lacks its value
    static CcArguments parse(List<String> words) {
        CcParser parser = new CcParser(words);
        while (!parser.words.isEmpty()) {
            parser.take(parser.words.pop());
        }
        return parser.result();
    }

    private CcArguments result() {
        if (!unknown.isEmpty() && !values.containsKey(CcOption.FORWARD)) {
            throw CcException.usage(
                    ("unknown option '%s'; options of the host's compiler follow -Xcompiler, those"
                                    + " of its linker -Xlinker")
                            .formatted(unknown.getFirst()));
        }
        return new CcArguments(values, inputs, unknown);
    }

    private void take(String word) {
        if (!word.startsWith("-") || word.length() < SHORT_NAME) {
            inputs.add(word);
            return;
        }
        CcOption exact = CcOption.named(word);
        if (exact != null) {
            add(exact, exact.form() == CcOption.Form.FLAG ? "" : next(exact, word));
            return;
        }
        int equals = word.indexOf('=');
        CcOption assigned = equals < 0 ? null : CcOption.named(word.substring(0, equals));
        if (assigned != null && assigned.form() != CcOption.Form.FLAG) {
            add(assigned, word.substring(equals + 1));
            return;
        }
        String rest = word.substring(SHORT_NAME);
        CcOption joined = CcOption.named(word.substring(0, SHORT_NAME));
        if (joined != null && joined.form() == CcOption.Form.JOINED && isValue(joined, rest)) {
            add(joined, rest);
            return;
        }
        unknown.add(word);
    }

    /// Returns whether the rest of a word may be the value of a joined option, and the word is not
    /// an option of the host's compiler, such as `-march`.
    private static boolean isValue(CcOption option, String rest) {
        return switch (option) {
            case OPTIMIZE -> LEVEL.matcher(rest).matches();
            case MACHINE, THREADS -> NUMBER.matcher(rest).matches();
            default -> true;
        };
    }

    private String next(CcOption option, String word) {
        if (option == CcOption.OPTIMIZE
                && (words.isEmpty() || !LEVEL.matcher(words.peek()).matches())) {
            return DEFAULT_LEVEL;
        }
        if (words.isEmpty()) {
            throw CcException.usage("%s: expected %s".formatted(word, option.label()));
        }
        return words.pop();
    }

    private void add(CcOption option, String value) {
        if (option == CcOption.OPTIONS_FILE) {
            insertFile(Path.of(value));
        } else {
            values.computeIfAbsent(option, _ -> new ArrayList<>()).add(value);
        }
    }

    private void insertFile(Path file) {
        if (++files > MAX_FILES) {
            throw CcException.usage("files of options=%d, limit=%d".formatted(files, MAX_FILES));
        }
        try {
            List<String> more =
                    Stream.of(Files.readString(file).split("\\s+"))
                            .filter(word -> !word.isEmpty())
                            .toList();
            more.reversed().forEach(words::push);
        } catch (IOException e) {
            throw CcException.usage(file + ": cannot be read: " + e.getMessage());
        }
    }
}
