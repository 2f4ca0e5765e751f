package io.gpuvm.ptx.syntax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of the parser's diagnostics.
class SyntaxErrorTest {
    private static List<String> errors(String source, SyntaxLimits limits) {
        ErrorList errors = new ErrorList(limits.errors());
        PtxParser.parse(source, errors, limits);
        return errors.list().stream()
                .map(error -> error.line() + ":" + error.column() + ": " + error.message())
                .toList();
    }

    private static List<String> errors(String source) {
        return errors(source, SyntaxLimits.DEFAULT);
    }

    private static List<String> errorsOfBody(String body) {
        return errors(".entry k() {\n" + body + "\n}\n");
    }

    static Stream<Arguments> wrongStatements() {
        return Stream.of(
                Arguments.of("add.u32 a, b c;", "2:14: 'c': expected ';'"),
                Arguments.of("add.u32 a, ;", "2:12: ';': expected an operand"),
                Arguments.of("add.u32 a, [b;", "2:14: ';': expected ']'"),
                Arguments.of("add.u32 {a, b;", "2:14: ';': expected '}'"),
                Arguments.of("@p { ret; }", "2:4: '{': expected an instruction"),
                Arguments.of("5;", "2:1: '5': expected an instruction, a label or a directive"),
                Arguments.of(".foo a;", "2:1: '.foo': not a directive of a function's body"),
                Arguments.of("a.b: ret;", "2:1: 'a.b': expected a label without '.'"),
                Arguments.of(".reg .b32 5;", "2:11: '5': expected a name"),
                Arguments.of(".reg .b32 %r<5;", "2:15: ';': expected '>'"),
                Arguments.of("mov.u32 a, 12x4;", "2:12: '12x4': expected a number"),
                Arguments.of("mov.u32 a, 0xG;", "2:12: '0xG': expected a number"),
                Arguments.of(
                        "mov.u32 a, 99999999999999999999;",
                        "2:12: '99999999999999999999': expected a number of at most 64 bits"),
                Arguments.of(
                        "mov.f32 a, 0f3F80;",
                        "2:12: '0f3F80': expected 8 hexadecimal digits after '0f'"),
                Arguments.of("mov.f32 a, 1.5e;", "2:12: '1.5e': expected a number"),
                Arguments.of(".pragma 5;", "2:9: '5': expected a string"),
                Arguments.of(".pragma \"a;", "2:9: string: expected a closing '\"'"),
                Arguments.of(".loc 1 2", "3:1: '}': expected the number of a column"),
                Arguments.of("mov.u32 a, \u00e9;", "2:12: '\\u00e9': not part of the language"),
                Arguments.of("mov.u32 a, (.s64 5);", "2:18: '5': expected ')'"));
    }

    @ParameterizedTest
    @MethodSource("wrongStatements")
    void givenWrongStatement_whenParsed_thenFirstErrorNamesPlace(String body, String error) {
        assertEquals(error, errorsOfBody(body).getFirst());
    }

    static Stream<Arguments> wrongDirectives() {
        return Stream.of(
                Arguments.of(".version 2", "1:10: '2': expected a version such as 2.3"),
                Arguments.of(".version x", "1:10: 'x': expected a version such as 2.3"),
                Arguments.of(".target 5", "1:9: '5': expected a target"),
                Arguments.of(".file x", "1:7: 'x': expected the number of a file"),
                Arguments.of("hello", "1:1: 'hello': expected a directive"),
                Arguments.of(".reggae", "1:1: '.reggae': not a directive of a module"),
                Arguments.of(
                        ".visible .version 2.3",
                        "1:10: '.version': expected '.entry', '.func' or a state space"),
                Arguments.of(".entry ()", "1:8: '(': expected the name of a function"),
                Arguments.of(".entry k(u32 a)", "1:10: 'u32': expected '.param' or '.reg'"),
                Arguments.of(".entry k() {", "1:13: end of the source: expected '}'"),
                Arguments.of(".section .x {", "1:14: end of the source: expected '}'"),
                Arguments.of("/* x", "1:1: '/*': expected a closing '*/'"),
                Arguments.of(
                        "#define X", "1:1: '#': directives of a preprocessor are not supported"),
                Arguments.of(".global .u32 a = {1, 2;", "1:23: ';': expected '}'"));
    }

    @ParameterizedTest
    @MethodSource("wrongDirectives")
    void givenWrongDirective_whenParsed_thenFirstErrorNamesPlace(String source, String error) {
        assertEquals(error, errors(source).getFirst());
    }

    @Test
    void givenSeveralErrors_whenParsed_thenEachHasOneMessage() {
        assertEquals(
                List.of(
                        "2:11: 'b': expected ';'",
                        "4:1: 'ret': expected ';'",
                        "6:12: ']': expected an operand",
                        "9:8: '=': expected the name of a function"),
                errors(
                        """
                        .entry k() {
                        add.u32 a b c;
                        add.u32 a, b
                        ret;
                        { mov.u32 a, b; }
                        mov.u32 a, ];
                        ret;
                        }
                        .entry = k() { ret; ret }
                        .entry j() { ret; }
                        """));
    }

    @Test
    void givenDeepNesting_whenParsed_thenErrorNamesLimit() {
        assertTrue(
                errorsOfBody("{".repeat(10_000)).getFirst().contains("block: depth=65, limit=64"));
        assertTrue(
                errorsOfBody("mov.u32 a, " + "(".repeat(10_000) + "1;")
                        .getFirst()
                        .contains("expression: depth=65, limit=64"));
        assertTrue(
                errorsOfBody("mov.u32 a, " + "-".repeat(10_000) + "1;")
                        .getFirst()
                        .contains("expression: depth=65, limit=64"));
        assertTrue(
                errorsOfBody("mov.u32 a, 1" + "+1".repeat(10_000) + ";")
                        .getFirst()
                        .contains("expression: terms=257, limit=256"));
        assertTrue(
                errors(".global .u32 a = " + "{".repeat(10_000))
                        .getFirst()
                        .contains("initial value: depth=65, limit=64"));
    }

    @Test
    void givenLongSource_whenParsed_thenErrorNamesLimit() {
        assertEquals(
                List.of("1:1: source: characters=11, limit=10"),
                errors("// 12345678", new SyntaxLimits(10, 64, 100)));
    }

    @Test
    void givenManyErrors_whenParsed_thenListIsBounded() {
        assertEquals(100, errorsOfBody("add.u32 a b;\n".repeat(10_000)).size());
        assertEquals(100, errors("\u00e9 ".repeat(10_000)).size());
        assertEquals(100, errorsOfBody("mov a, \"x\n".repeat(10_000)).size());
    }

    @Test
    void givenControlCharacters_whenParsed_thenMessageEscapesThem() {
        assertEquals("2:1: '\\u0000': not part of the language", errorsOfBody("\0\0\0").getFirst());
    }

    @Test
    void givenLongWord_whenRefused_thenMessageIsShort() {
        for (String error : errorsOfBody("x" + ".y".repeat(100_000) + " a b;")) {
            assertTrue(error.length() < 200, error);
        }
    }
}
