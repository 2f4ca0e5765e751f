package io.gpuvm.cuda.api.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reader of parameters, operands and results in `functions.txt`.
final class ValueReader {
    /// Limit of a string without `max=`, in bytes.
    static final int DEFAULT_STRING_BYTES = 4096;

    private static final Pattern DECLARATION = Pattern.compile("(.*?[ *])(\\w+)");
    private static final Set<ValueKind> OUTPUT_STRUCTURES =
            Set.of(ValueKind.HOST, ValueKind.STRUCT, ValueKind.TEXT);

    private final ApiTypes types;

    ValueReader(ApiTypes types) {
        this.types = types;
    }

    /// Reads a line `C-TYPE NAME : DIRECTION KIND [WORD]...`.
    ApiParameter parameter(TableLine line) {
        Matcher declaration = DECLARATION.matcher(line.left());
        if (!declaration.matches()) {
            throw line.error("'%s', expected C-TYPE NAME".formatted(line.left()));
        }
        List<String> words = List.of(line.right().split("\\s+"));
        if (words.size() < 2) {
            throw line.error("'%s', expected DIRECTION KIND".formatted(line.right()));
        }
        ParameterDirection direction =
                find(line, "direction", ParameterDirection.class, words.get(0));
        ValueKind kind = find(line, "kind", ValueKind.class, words.get(1));
        Words rest = new Words(line, words.subList(2, words.size()));
        if (rest.isCurrent || rest.isFixed) {
            throw line.error("'%s': a word is for operands only".formatted(line.right()));
        }
        int maxBytes = kind == ValueKind.STRING ? DEFAULT_STRING_BYTES : 0;
        ApiParameter parameter =
                new ApiParameter(
                        declaration.group(1).strip(),
                        declaration.group(2),
                        direction,
                        kind,
                        rest.isOptional,
                        rest.isClient,
                        rest.isNew,
                        rest.checks,
                        rest.maxBytes == 0 ? maxBytes : rest.maxBytes);
        requireFit(line, parameter);
        return parameter;
    }

    /// Reads a line `operand NAME : KIND [WORD]...` or `result NAME : KIND`.
    ApiOperand operand(TableLine line) {
        List<String> left = List.of(line.left().split("\\s+"));
        if (left.size() != 2) {
            throw line.error("'%s', expected one name".formatted(line.left()));
        }
        List<String> words = List.of(line.right().split("\\s+"));
        ValueKind kind = find(line, "kind", ValueKind.class, words.getFirst());
        Words rest = new Words(line, words.subList(1, words.size()));
        OperandType type = operandType(line, kind);
        if (type == OperandType.BYTES && rest.maxBytes == 0) {
            throw line.error("'%s', expected max= or length=".formatted(line.right()));
        }
        return new ApiOperand(
                left.get(1),
                kind,
                type,
                rest.isNew,
                rest.isCurrent,
                rest.checks,
                rest.maxBytes,
                rest.isFixed);
    }

    /// Returns the operand or result as which a parameter travels.
    ApiOperand travelling(TableLine line, ApiParameter parameter) {
        return new ApiOperand(
                parameter.name(),
                parameter.kind(),
                wireType(line, parameter),
                parameter.isNew(),
                false,
                parameter.checks(),
                parameter.maxBytes(),
                false);
    }

    private OperandType wireType(TableLine line, ApiParameter parameter) {
        if (parameter.kind() == ValueKind.STRING) {
            return OperandType.BYTES;
        }
        if (parameter.kind().isHandle()) {
            return OperandType.U64;
        }
        OperandType type = types.wireType(parameter.baseType());
        if (type == null) {
            throw line.error("type=%s does not travel".formatted(parameter.type()));
        }
        return type;
    }

    private static OperandType operandType(TableLine line, ValueKind kind) {
        return switch (kind) {
            case U32 -> OperandType.U32;
            case I32 -> OperandType.I32;
            case BYTES -> OperandType.BYTES;
            case U64, AREA, CONTEXT, STREAM, EVENT, MODULE, TEXREF -> OperandType.U64;
            default -> throw line.error("kind=%s is for parameters only".formatted(kind.word()));
        };
    }

    /// Checks that the C type fits direction and kind.
    private void requireFit(TableLine line, ApiParameter parameter) {
        String base = parameter.baseType();
        ValueKind kind = parameter.kind();
        if (!types.isKnown(base)) {
            throw line.error("type=%s is unknown".formatted(base));
        }
        if (kind.isOperandOnly()) {
            throw line.error("kind=%s is for operands only".formatted(kind.word()));
        }
        boolean isOutput = parameter.direction() != ParameterDirection.IN;
        boolean mustPoint = isOutput || kind.isPointer();
        if (kind != ValueKind.CALLBACK && parameter.isPointer() != mustPoint) {
            throw line.error(
                    "type=%s, expected %s"
                            .formatted(parameter.type(), mustPoint ? "a pointer" : "no pointer"));
        }
        if (kind.isHandle() && types.handles().get(base) != kind) {
            throw line.error("type=%s, expected a handle of kind %s".formatted(base, kind.word()));
        }
        if (kind == ValueKind.STRING && isOutput) {
            throw line.error("kind=string, expected direction in");
        }
        if (parameter.isOptional() && !parameter.isPointer() && kind != ValueKind.CALLBACK) {
            throw line.error("type=%s, expected a pointer if optional".formatted(base));
        }
        if (parameter.isNew() && !(isOutput && kind.isTravellingHandle())) {
            throw line.error("kind=%s cannot be new".formatted(kind.word()));
        }
        if (!parameter.checks().isEmpty() && (isOutput || OUTPUT_STRUCTURES.contains(kind))) {
            throw line.error("a check of '%s' has no value".formatted(parameter.name()));
        }
    }

    static <E extends Enum<E>> E find(TableLine line, String name, Class<E> type, String word) {
        E constant = TableWords.find(type, word);
        if (constant == null) {
            throw line.error(
                    "%s=%s, expected one of %s".formatted(name, word, TableWords.all(type)));
        }
        return constant;
    }

    /// Words after the kind.
    private static final class Words {
        private static final String MAX = "max=";
        private static final String LENGTH = "length=";

        final List<ValueCheck> checks = new ArrayList<>();
        boolean isOptional;
        boolean isClient;
        boolean isNew;
        boolean isCurrent;
        boolean isFixed;
        int maxBytes;

        Words(TableLine line, List<String> words) {
            words.forEach(word -> accept(line, word));
        }

        private void accept(TableLine line, String word) {
            switch (word) {
                case "optional" -> isOptional = true;
                case "client" -> isClient = true;
                case "new" -> isNew = true;
                case "current" -> isCurrent = true;
                default -> acceptLimit(line, word);
            }
        }

        private void acceptLimit(TableLine line, String word) {
            if (word.startsWith(MAX) || word.startsWith(LENGTH)) {
                isFixed = word.startsWith(LENGTH);
                String limit = word.substring(word.indexOf('=') + 1);
                maxBytes = line.number("bytes", limit, 1, WireLayout.MAX_ARGUMENT_BYTES);
                return;
            }
            try {
                ValueCheck check = ValueCheck.parse(word);
                if (check == null) {
                    throw line.error("word=%s is unknown".formatted(word));
                }
                checks.add(check);
            } catch (IllegalArgumentException e) {
                throw line.error(e.getMessage());
            }
        }
    }
}
