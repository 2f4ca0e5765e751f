package io.gpuvm.cuda.api.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reader of `types.txt`.
final class TypesReader {
    private static final String FILE = "types.txt";
    private static final String OPAQUE = "opaque";

    private final Map<String, String> integers = new LinkedHashMap<>();
    private final List<String> enums = new ArrayList<>();
    private final Map<String, ValueKind> handles = new LinkedHashMap<>();
    private final Map<String, ApiTypes.Callback> callbacks = new LinkedHashMap<>();
    private final Map<String, List<String>> structs = new LinkedHashMap<>();
    private List<String> fields;

    private TypesReader() {}

    /// Reads a text.
    ///
    /// @throws TableFormatException if a line has another form
    static ApiTypes read(String text) {
        TypesReader reader = new TypesReader();
        TableLine.split(FILE, text).forEach(reader::accept);
        return new ApiTypes(
                reader.integers, reader.enums, reader.handles, reader.callbacks, reader.structs);
    }

    private void accept(TableLine line) {
        if (line.isIndented()) {
            if (fields == null) {
                throw line.error("field '%s' outside a structure".formatted(line.text()));
            }
            fields.add(line.text());
            return;
        }
        fields = null;
        List<String> words = line.words();
        if (words.size() < 2) {
            throw line.error("'%s', expected a name".formatted(line.text()));
        }
        String name = words.get(1);
        requireNew(line, name);
        switch (line.keyword()) {
            case "integer" -> integers.put(name, line.right());
            case "enum" -> enums.add(name);
            case "handle" -> handles.put(name, handleKind(line));
            case "callback" -> callbacks.put(name, callback(line));
            case "struct" -> structs.put(name, fields = new ArrayList<>());
            default ->
                    throw line.error(
                            "keyword=%s, expected one of integer, enum, handle, callback, struct"
                                    .formatted(line.keyword()));
        }
    }

    private void requireNew(TableLine line, String name) {
        boolean isKnown =
                integers.containsKey(name)
                        || enums.contains(name)
                        || handles.containsKey(name)
                        || callbacks.containsKey(name)
                        || structs.containsKey(name);
        if (isKnown) {
            throw line.error("type=%s is given twice".formatted(name));
        }
    }

    private static ValueKind handleKind(TableLine line) {
        String word = line.right();
        if (word.equals(OPAQUE)) {
            return null;
        }
        ValueKind kind = TableWords.find(ValueKind.class, word);
        if (kind == null || !kind.isHandle()) {
            throw line.error("kind=%s, expected a kind of handle or opaque".formatted(word));
        }
        return kind;
    }

    private static ApiTypes.Callback callback(TableLine line) {
        String signature = line.right();
        int open = signature.indexOf('(');
        if (open < 1 || !signature.endsWith(")")) {
            throw line.error("'%s', expected RESULT (PARAMETERS)".formatted(signature));
        }
        return new ApiTypes.Callback(
                signature.substring(0, open).strip(), signature.substring(open));
    }
}
