package io.gpuvm.cuda.api.table;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Reader of `results.txt` and `attributes.txt`.
final class ValuesReader {
    private static final int MAX_VALUE = 0xffff;
    private static final Pattern NAME = Pattern.compile("CU(DA)?_[A-Z0-9_]+");

    private ValuesReader() {}

    /// Reads lines `result VALUE NAME : TEXT`.
    ///
    /// @throws TableFormatException if a line has another form, or if a value or a name is given
    ///   twice
    static List<ApiStatus> readStatuses(String text) {
        List<ApiStatus> statuses = new ArrayList<>();
        Seen seen = new Seen();
        for (TableLine line : TableLine.split("results.txt", text)) {
            List<String> left = List.of(line.left().split("\\s+"));
            if (left.size() != 3 || !left.getFirst().equals("result")) {
                throw line.error("'%s', expected result VALUE NAME".formatted(line.left()));
            }
            int value = line.number("value", left.get(1), 0, MAX_VALUE);
            seen.add(line, value, List.of(left.get(2)));
            statuses.add(new ApiStatus(value, left.get(2), line.right()));
        }
        return List.copyOf(statuses);
    }

    /// Reads lines `attribute VALUE NAME [SYNONYM]...`.
    ///
    /// @throws TableFormatException as for [#readStatuses]
    static List<ApiAttribute> readAttributes(String text) {
        List<ApiAttribute> attributes = new ArrayList<>();
        Seen seen = new Seen();
        for (TableLine line : TableLine.split("attributes.txt", text)) {
            List<String> words = line.words();
            if (words.size() < 3 || !words.getFirst().equals("attribute")) {
                throw line.error("'%s', expected attribute VALUE NAME".formatted(line.text()));
            }
            int value = line.number("value", words.get(1), 1, MAX_VALUE);
            List<String> names = words.subList(2, words.size());
            seen.add(line, value, names);
            attributes.add(new ApiAttribute(value, List.copyOf(names)));
        }
        return List.copyOf(attributes);
    }

    /// Values and names of preceding lines.
    private static final class Seen {
        private final Set<Integer> values = new HashSet<>();
        private final Set<String> names = new HashSet<>();

        void add(TableLine line, int value, List<String> lineNames) {
            if (!values.add(value)) {
                throw line.error("value=%d is given twice".formatted(value));
            }
            for (String name : lineNames) {
                if (!NAME.matcher(name).matches()) {
                    throw line.error("name=%s, expected CU_... or CUDA_...".formatted(name));
                }
                if (!names.add(name)) {
                    throw line.error("name=%s is given twice".formatted(name));
                }
            }
        }
    }
}
