package io.gpuvm.cuda.api.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reader of `functions.txt`.
final class FunctionsReader {
    private static final String FILE = "functions.txt";
    private static final int MAX_OPCODE = 0xffff;
    private static final String ENGINE = "engine=";

    private final ValueReader values;
    private final List<ApiFunction> functions = new ArrayList<>();
    private final Map<String, TableLine> lines = new HashMap<>();
    private String group;
    private Draft draft;

    private FunctionsReader(ApiTypes types) {
        values = new ValueReader(types);
    }

    /// Functions of a text, and their first lines for error messages.
    ///
    /// @param functions records in the order of the text
    /// @param lines first line of each record, by name
    record Result(List<ApiFunction> functions, Map<String, TableLine> lines) {}

    /// Reads a text.
    ///
    /// @throws TableFormatException if a line has another form
    static Result read(String text, ApiTypes types) {
        FunctionsReader reader = new FunctionsReader(types);
        TableLine.split(FILE, text).forEach(reader::accept);
        reader.finish();
        return new Result(List.copyOf(reader.functions), Map.copyOf(reader.lines));
    }

    private void accept(TableLine line) {
        if (line.isIndented()) {
            if (draft == null) {
                throw line.error("'%s' outside a record".formatted(line.text()));
            }
            draft.accept(line);
            return;
        }
        finish();
        switch (line.keyword()) {
            case "group" -> group = line.text().substring("group".length()).strip();
            case "function" -> draft = new Draft(line, false);
            case "operation" -> draft = new Draft(line, true);
            default ->
                    throw line.error(
                            "keyword=%s, expected one of group, function, operation"
                                    .formatted(line.keyword()));
        }
    }

    private void finish() {
        if (draft != null) {
            ApiFunction function = draft.function();
            functions.add(function);
            if (lines.put(function.name(), draft.first) != null) {
                throw draft.first.error("name=%s is given twice".formatted(function.name()));
            }
        }
        draft = null;
    }

    /// Record whose lines are being read.
    private final class Draft {
        final TableLine first;
        private final boolean isOperation;
        private final int opcode;
        private final String name;
        private final CallClass callClass;
        private final List<ApiVariant> variants = new ArrayList<>();
        private final List<ApiSend> sends = new ArrayList<>();
        private final List<ApiParameter> parameters = new ArrayList<>();
        private final List<ApiOperand> operands = new ArrayList<>();
        private final List<ApiOperand> results = new ArrayList<>();
        private CallEngine engine = CallEngine.NONE;
        private boolean isByHand;
        private boolean isAnytime;

        Draft(TableLine line, boolean isOperation) {
            first = line;
            this.isOperation = isOperation;
            List<String> words = line.words();
            if (words.size() < 4) {
                throw line.error("'%s', expected OPCODE NAME CLASS".formatted(line.text()));
            }
            if (group == null) {
                throw line.error("'%s' before the first group".formatted(line.text()));
            }
            opcode = line.number("opcode", words.get(1), 1, MAX_OPCODE);
            name = words.get(2);
            callClass = ValueReader.find(line, "class", CallClass.class, words.get(3));
            words.subList(4, words.size()).forEach(this::acceptWord);
            isByHand |= callClass == CallClass.LOCAL || isOperation;
        }

        private void acceptWord(String word) {
            if (word.equals("hand")) {
                isByHand = true;
            } else if (word.equals("anytime")) {
                isAnytime = true;
            } else if (word.startsWith(ENGINE)) {
                String value = word.substring(ENGINE.length());
                engine = ValueReader.find(first, "engine", CallEngine.class, value);
            } else {
                throw first.error("word=%s is unknown".formatted(word));
            }
        }

        void accept(TableLine line) {
            boolean hasCall = sends.isEmpty() || sends.stream().anyMatch(this::isOwn);
            switch (line.keyword()) {
                case "symbol" -> variants.add(VariantReader.read(line, null));
                case "sends" -> sends.add(send(line));
                case "operand" -> {
                    requireCall(line, hasCall);
                    operands.add(values.operand(line));
                }
                case "result" -> {
                    requireCall(line, hasCall);
                    results.add(values.operand(line));
                }
                default -> {
                    ApiParameter parameter = values.parameter(line);
                    parameters.add(parameter);
                    if (hasCall && callClass != CallClass.LOCAL) {
                        addTravelling(line, parameter);
                    }
                }
            }
        }

        private void addTravelling(TableLine line, ApiParameter parameter) {
            if (parameter.isOperand()) {
                operands.add(values.travelling(line, parameter));
            } else if (parameter.isResult()) {
                results.add(values.travelling(line, parameter));
            }
        }

        private void requireCall(TableLine line, boolean hasCall) {
            if (!hasCall || callClass == CallClass.LOCAL) {
                throw line.error("'%s': %s has no call of its own".formatted(line.text(), name));
            }
        }

        private boolean isOwn(ApiSend send) {
            return send.function().equals(name);
        }

        private ApiSend send(TableLine line) {
            if (!parameters.isEmpty() || !operands.isEmpty()) {
                throw line.error("'%s', expected before the parameters".formatted(line.text()));
            }
            List<String> words = line.words();
            if (words.size() < 2) {
                throw line.error("'%s', expected sends NAME".formatted(line.text()));
            }
            Map<String, Long> constants = new HashMap<>();
            for (String word : words.subList(2, words.size())) {
                int equals = word.indexOf('=');
                if (equals < 1) {
                    throw line.error("'%s', expected OPERAND=VALUE".formatted(word));
                }
                String value = word.substring(equals + 1);
                constants.put(
                        word.substring(0, equals),
                        (long) line.number("value", value, 0, Integer.MAX_VALUE));
            }
            return new ApiSend(words.get(1), Map.copyOf(constants));
        }

        ApiFunction function() {
            if (variants.isEmpty() != isOperation) {
                throw first.error(
                        "name=%s, expected %s"
                                .formatted(name, isOperation ? "no symbol" : "a symbol"));
            }
            return new ApiFunction(
                    opcode,
                    name,
                    group,
                    callClass,
                    engine,
                    isByHand,
                    isAnytime,
                    List.copyOf(variants),
                    List.copyOf(sends),
                    List.copyOf(parameters),
                    List.copyOf(operands),
                    List.copyOf(results));
        }
    }
}
