package io.gpuvm.cuda.api.table;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Reader of `runtime.txt`, `runtime-unsupported.txt` and `runtime-errors.txt`.
final class RuntimeReader {
    private static final int MIN_VERSION = 2000;
    private static final int MAX_VERSION = 99_990;
    private static final int MAX_ERROR = 0xffff;
    private static final String UNTIL = "until=";
    private static final String REQUIRED = "required";
    private static final String NONE = "-";

    private final Set<String> symbols = new HashSet<>();
    private final List<RuntimeFunction> functions = new ArrayList<>();
    private String group;

    private RuntimeReader() {}

    /// Reads a table.
    ///
    /// @throws TableFormatException if a line has another form, or if a name is given twice
    static RuntimeTable read(TableSources sources) {
        RuntimeReader reader = new RuntimeReader();
        TableLine.split("runtime.txt", sources.runtime()).forEach(reader::acceptFunction);
        List<RuntimeName> unsupported =
                TableLine.split("runtime-unsupported.txt", sources.runtimeUnsupported()).stream()
                        .map(reader::unsupported)
                        .toList();
        return new RuntimeTable(
                List.copyOf(reader.functions), unsupported, errors(sources.runtimeErrors()));
    }

    private void acceptFunction(TableLine line) {
        if (line.isIndented()) {
            addParameter(line);
            return;
        }
        switch (line.keyword()) {
            case "group" -> group = line.text().substring("group".length()).strip();
            case "function" -> addFunction(line);
            default ->
                    throw line.error(
                            "keyword=%s, expected one of group, function"
                                    .formatted(line.keyword()));
        }
    }

    private void addFunction(TableLine line) {
        List<String> words = line.words();
        if (words.size() < 4 || group == null) {
            throw line.error(
                    "'%s', expected function NAME CLASS SINCE in a group".formatted(line.text()));
        }
        RuntimeClass runtimeClass =
                ValueReader.find(line, "class", RuntimeClass.class, words.get(2));
        RuntimeName name = name(line, words.get(1), words.subList(3, words.size()));
        functions.add(new RuntimeFunction(group, name, runtimeClass, List.of()));
    }

    private void addParameter(TableLine line) {
        if (functions.isEmpty() || !functions.getLast().hasStub()) {
            throw line.error("'%s' outside a function with a stub".formatted(line.text()));
        }
        boolean isRequired = line.hasColon();
        String declaration = isRequired ? line.left() : line.text();
        if (isRequired && !line.right().equals(REQUIRED)) {
            throw line.error("word=%s, expected %s".formatted(line.right(), REQUIRED));
        }
        if (!RuntimeParameter.isDeclaration(declaration)) {
            throw line.error("'%s', expected C-TYPE NAME".formatted(declaration));
        }
        RuntimeFunction function = functions.removeLast();
        List<RuntimeParameter> parameters = new ArrayList<>(function.parameters());
        parameters.add(new RuntimeParameter(declaration, isRequired));
        functions.add(
                new RuntimeFunction(
                        function.group(),
                        function.name(),
                        function.runtimeClass(),
                        List.copyOf(parameters)));
    }

    private RuntimeName unsupported(TableLine line) {
        List<String> words = line.words();
        if (words.size() < 3 || !line.keyword().equals("unsupported") || line.isIndented()) {
            throw line.error("'%s', expected unsupported NAME SINCE".formatted(line.text()));
        }
        return name(line, words.get(1), words.subList(2, words.size()));
    }

    /// Reads a name, and the words `SINCE [until=VERSION] [ptsz|ptds]` after it.
    private RuntimeName name(TableLine line, String symbol, List<String> words) {
        int until = Integer.MAX_VALUE;
        ApiVariant.Twin twin = ApiVariant.Twin.NONE;
        for (String word : words.subList(1, words.size())) {
            if (word.startsWith(UNTIL)) {
                until = version(line, word.substring(UNTIL.length()));
            } else if (word.equals("ptsz")) {
                twin = ApiVariant.Twin.PTSZ;
            } else if (word.equals("ptds")) {
                twin = ApiVariant.Twin.PTDS;
            } else {
                throw line.error("word=%s is unknown".formatted(word));
            }
        }
        if (!symbols.add(symbol)) {
            throw line.error("name=%s is given twice".formatted(symbol));
        }
        return new RuntimeName(symbol, version(line, words.getFirst()), until, twin);
    }

    private static int version(TableLine line, String word) {
        return line.number("version", word, MIN_VERSION, MAX_VERSION);
    }

    private static List<RuntimeError> errors(String text) {
        List<RuntimeError> errors = new ArrayList<>();
        Set<Integer> values = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (TableLine line : TableLine.split("runtime-errors.txt", text)) {
            RuntimeError error = error(line);
            if (!values.add(error.value()) || !names.add(error.name())) {
                throw line.error("error=%s is given twice".formatted(line.left()));
            }
            errors.add(error);
        }
        return List.copyOf(errors);
    }

    private static RuntimeError error(TableLine line) {
        List<String> left = List.of(line.left().split("\\s+"));
        if (left.size() != 4 || !left.getFirst().equals("error")) {
            throw line.error("'%s', expected error VALUE OLD NAME".formatted(line.left()));
        }
        String old = left.get(2);
        return new RuntimeError(
                line.number("value", left.get(1), 0, MAX_ERROR),
                old.equals(NONE) ? -1 : line.number("old value", old, 0, MAX_ERROR),
                left.get(3),
                line.right());
    }
}
