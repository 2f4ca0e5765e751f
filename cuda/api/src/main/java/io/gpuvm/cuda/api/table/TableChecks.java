package io.gpuvm.cuda.api.table;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Checks across the lines of the table: numbers and names are unique, versions ascend, calls fit
/// into the rings, and generated stubs have a source for each operand.
final class TableChecks {
    private static final Pattern FUNCTION = Pattern.compile("cu[A-Z]\\w*");
    private static final Pattern OPERATION = Pattern.compile("[A-Z]\\w*");
    private static final Pattern VALUE = Pattern.compile("[a-z][A-Za-z0-9]*");

    /// Names that generated sources use themselves, or that Java or C reserve.
    private static final Set<String> RESERVED =
            Set.of(
                    "arguments",
                    "auto",
                    "case",
                    "char",
                    "class",
                    "const",
                    "default",
                    "defaultStream",
                    "double",
                    "entry",
                    "extern",
                    "final",
                    "float",
                    "handler",
                    "int",
                    "long",
                    "message",
                    "native",
                    "new",
                    "opcode",
                    "outcome",
                    "package",
                    "register",
                    "reply",
                    "return",
                    "sequence",
                    "short",
                    "signed",
                    "static",
                    "switch",
                    "this",
                    "unsigned",
                    "void",
                    "volatile",
                    "wait");

    private final ApiTable table;
    private final Map<String, TableLine> lines;
    private final Map<String, ApiFunction> byName;

    TableChecks(ApiTable table, Map<String, TableLine> lines) {
        this.table = table;
        this.lines = lines;
        byName = table.byName();
    }

    void run() {
        checkSymbols();
        Map<Integer, String> opcodes = new HashMap<>();
        for (ApiFunction function : table.functions()) {
            String other = opcodes.put(function.opcode(), function.name());
            require(
                    function,
                    other == null,
                    "opcode=0x%04x, already the opcode of %s".formatted(function.opcode(), other));
            checkName(function);
            checkVariants(function);
            checkValues(function);
            checkWire(function);
            checkSends(function);
            if (!function.isByHand()) {
                checkGenerated(function);
            }
        }
    }

    private void checkSymbols() {
        Set<String> seen = new HashSet<>();
        for (ApiFunction function : table.functions()) {
            for (ApiVariant variant : function.variants()) {
                for (String symbol : variant.symbols()) {
                    require(function, seen.add(symbol), "symbol=" + symbol + " is given twice");
                }
            }
        }
        for (ApiVariant variant : table.unsupported()) {
            for (String symbol : variant.symbols()) {
                if (!seen.add(symbol)) {
                    throw new TableFormatException(
                            "unsupported.txt", "symbol=" + symbol + " is given twice");
                }
            }
        }
        Map<String, String> versions = new HashMap<>();
        table.variants()
                .filter(variant -> variant.since() != 0)
                .forEach(variant -> {
                    String key = variant.queryName() + " " + variant.since();
                    String other = versions.put(key, variant.symbol());
                    if (other != null) {
                        throw new TableFormatException(
                                variant.symbol(),
                                "since=%d, as of %s".formatted(variant.since(), other));
                    }
                });
    }

    private void checkName(ApiFunction function) {
        Pattern form = function.isOperation() ? OPERATION : FUNCTION;
        boolean isValid = form.matcher(function.name()).matches();
        require(function, isValid, "name=%s, expected %s".formatted(function.name(), form));
    }

    private void checkVariants(ApiFunction function) {
        int before = 0;
        for (ApiVariant variant : function.variants()) {
            require(
                    function,
                    variant.since() > before,
                    "symbol=%s since=%d, expected more than %d"
                            .formatted(variant.symbol(), variant.since(), before));
            before = variant.since();
        }
        boolean hasLive = function.variants().stream().anyMatch(v -> v.support().isLive());
        require(function, function.isOperation() || hasLive, "every symbol is refused");
        boolean hasStream = function.streamParameter() != null;
        for (ApiVariant variant : function.variants()) {
            require(
                    function,
                    !hasStream || variant.twin() != ApiVariant.Twin.PTDS,
                    "symbol=%s has a stream, expected ptsz".formatted(variant.symbol()));
        }
    }

    private void checkValues(ApiFunction function) {
        Set<String> parameters = new HashSet<>();
        for (ApiParameter parameter : function.parameters()) {
            checkValueName(function, parameter.name());
            require(
                    function,
                    parameters.add(parameter.name()),
                    "parameter=%s is given twice".formatted(parameter.name()));
        }
        Set<String> onWire = new HashSet<>();
        for (List<ApiOperand> values : List.of(function.operands(), function.results())) {
            for (ApiOperand value : values) {
                checkValueName(function, value.name());
                require(
                        function,
                        onWire.add(value.name()),
                        "operand=%s is given twice".formatted(value.name()));
            }
        }
    }

    private void checkValueName(ApiFunction function, String name) {
        require(
                function,
                VALUE.matcher(name).matches() && !RESERVED.contains(name),
                "name=%s is reserved or not of the form %s".formatted(name, VALUE));
    }

    private void checkWire(ApiFunction function) {
        WireLayout layout = function.layout();
        require(
                function,
                layout.maxArgumentBytes() <= WireLayout.MAX_ARGUMENT_BYTES,
                "arguments=%d bytes, limit=%d"
                        .formatted(layout.maxArgumentBytes(), WireLayout.MAX_ARGUMENT_BYTES));
        require(
                function,
                function.results().size() <= WireLayout.MAX_RESULTS,
                "results=%d, limit=%d"
                        .formatted(function.results().size(), WireLayout.MAX_RESULTS));
        require(
                function,
                function.results().isEmpty() || function.callClass().hasReply(),
                "class=%s, expected reply or wait for a call with results"
                        .formatted(function.callClass().word()));
        boolean areWords = function.results().stream().allMatch(ApiOperand::isWord);
        require(function, areWords, "a result has bytes, expected words");
    }

    private void checkSends(ApiFunction function) {
        for (ApiSend send : function.sends()) {
            ApiFunction target = byName.get(send.function());
            require(
                    function,
                    target != null && target.hasCall(),
                    "sends=%s, expected a record with a call".formatted(send.function()));
            for (String name : send.constants().keySet()) {
                require(
                        function,
                        target.operands().stream().anyMatch(o -> o.name().equals(name)),
                        "%s=, expected an operand of %s".formatted(name, target.name()));
            }
        }
        require(
                function,
                function.sends().isEmpty() || function.callClass() != CallClass.LOCAL,
                "class=local, expected no call");
    }

    /// Checks that a stub has a source for each operand and a place for each result.
    private void checkGenerated(ApiFunction function) {
        require(
                function,
                function.sends().size() <= 1,
                "sends=%d calls, limit=1 without hand".formatted(function.sends().size()));
        ApiSend send = function.sends().isEmpty() ? null : function.sends().getFirst();
        ApiFunction target = send == null ? function : byName.get(send.function());
        require(
                function,
                target.callClass() == function.callClass(),
                "class=%s, expected %s as of %s"
                        .formatted(
                                function.callClass().word(),
                                target.callClass().word(),
                                target.name()));
        for (ApiOperand operand : target.operands()) {
            boolean hasSource =
                    (send != null && send.constants().containsKey(operand.name()))
                            || operand.isCurrent()
                            || isDefaultStream(function, operand)
                            || function.parameters().stream()
                                    .anyMatch(parameter -> isSource(parameter, operand));
            require(
                    function,
                    hasSource && !operand.isNew(),
                    "operand=%s of %s has no source".formatted(operand.name(), target.name()));
        }
        for (ApiOperand result : target.results()) {
            require(
                    function,
                    function.parameters().stream()
                            .anyMatch(parameter -> isTarget(parameter, result)),
                    "result=%s of %s has no place".formatted(result.name(), target.name()));
        }
    }

    private static boolean isDefaultStream(ApiFunction function, ApiOperand operand) {
        return function.takesDefaultStream() && operand.kind() == ValueKind.STREAM;
    }

    private static boolean isSource(ApiParameter parameter, ApiOperand operand) {
        return parameter.name().equals(operand.name())
                && parameter.kind() == operand.kind()
                && parameter.isOperand();
    }

    private static boolean isTarget(ApiParameter parameter, ApiOperand result) {
        return parameter.name().equals(result.name())
                && parameter.kind() == result.kind()
                && parameter.isResult();
    }

    private void require(ApiFunction function, boolean condition, String message) {
        if (!condition) {
            throw lines.get(function.name()).error(function.name() + ": " + message);
        }
    }
}
