package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cli.ExecArgument.Buffer;
import io.gpuvm.cli.ExecArgument.Contents;
import io.gpuvm.cli.ExecArgument.LongWord;
import io.gpuvm.cli.ExecArgument.Single;
import io.gpuvm.cli.ExecArgument.Structure;
import io.gpuvm.cli.ExecArgument.Wide;
import io.gpuvm.cli.ExecArgument.Word;
import io.gpuvm.daemon.ConfigException;
import io.gpuvm.pv.runtime.TexelFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ExecArgumentTest {
    static Stream<Arguments> values() {
        return Stream.of(
                Arguments.of("i32:5", new Word(5)),
                Arguments.of("i32:-2147483648", new Word(Integer.MIN_VALUE)),
                Arguments.of("u32:4294967295", new Word(-1)),
                Arguments.of("u32:0xffffffff", new Word(-1)),
                Arguments.of("i64:-9223372036854775808", new LongWord(Long.MIN_VALUE)),
                Arguments.of("u64:18446744073709551615", new LongWord(-1)),
                Arguments.of("u64:0x100000000", new LongWord(1L << 32)),
                Arguments.of("f32:1.5", new Single(1.5f)),
                Arguments.of("f32:-Infinity", new Single(Float.NEGATIVE_INFINITY)),
                Arguments.of("f64:1e300", new Wide(1e300)),
                Arguments.of("f64:NaN", new Wide(Double.NaN)));
    }

    static Stream<Arguments> buffers() {
        Path file = Path.of("a.bin");
        return Stream.of(
                Arguments.of("in:a.bin", new Buffer(new Contents.OfFile(file), null)),
                Arguments.of("inout:a.bin", new Buffer(new Contents.OfFile(file), file)),
                Arguments.of("out:a.bin:4K", new Buffer(new Contents.Filled(4096, 0), file)),
                Arguments.of("out:b:c:16", new Buffer(new Contents.Filled(16, 0), Path.of("b:c"))),
                Arguments.of("zero:1M", new Buffer(new Contents.Filled(1 << 20, 0), null)),
                Arguments.of("fill:8:255", new Buffer(new Contents.Filled(8, 255), null)),
                Arguments.of("fill:8:0xaa", new Buffer(new Contents.Filled(8, 0xaa), null)));
    }

    @ParameterizedTest
    @MethodSource({"values", "buffers"})
    void givenValidArgument_whenParsed_thenValueIsSet(String text, ExecArgument expected) {
        assertEquals(expected, ExecArgument.parse(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "i32:2147483648 | value=2147483648, expected -2147483648 to 2147483647",
                "i32:0xffffffff | value=0xffffffff, expected -2147483648 to 2147483647",
                "u32:-1 | value=-1, expected 0 to 4294967295",
                "i64:9223372036854775808 | value=9223372036854775808, expected -9223372036854775808",
                "u64:18446744073709551616 | expected 0 to 18446744073709551615",
                "i32: | value=, expected -2147483648",
                "i32:1.5 | value=1.5, expected -2147483648",
                "u32:0x | value=0x, expected 0",
                "f32:1e39 | value=1e39, limit=3.4028",
                "f64:1e309 | value=1e309, limit=1.79769",
                "f32:one | value=one, expected a number",
                "in: | file='', expected a name",
                "out:file | expected out:FILE:SIZE",
                "out::4 | file='', expected a name",
                "out:file:4Q | size=4Q, expected a number of bytes with an optional suffix K, M or G",
                "zero:0 | size=0, expected at least 1",
                "zero:-4 | size=-4, expected at least 1",
                "zero:9223372036854775807G | size=9223372036854775807G, expected ",
                "fill:8 | expected fill:SIZE:BYTE",
                "fill:8:256 | value=256, expected 0 to 255",
                "i16:3 | expected i32:N, u32:N",
                "{ | expected {ARG;ARG...}",
                "{} | expected i32:N, u32:N",
                "{i32:1 | expected {ARG;ARG...}",
                "{i32:1;} | expected i32:N, u32:N",
                "{i32:1;i32:x} | value=x, expected -2147483648",
                "{i32:1}} | expected {ARG;ARG...}",
                "{{i32:1} | expected {ARG;ARG...}",
                "5 | expected i32:N, u32:N",
            })
    void givenInvalidArgument_whenParsed_thenErrorNamesValueAndLimit(String text, String expected) {
        String message =
                assertThrows(ConfigException.class, () -> ExecArgument.parse(text)).getMessage();

        assertTrue(message.startsWith("--arg " + text + ": "), message);
        assertTrue(message.contains(expected), message);
    }

    @Test
    void givenStructure_whenParsed_thenMembersAreSet() {
        assertEquals(
                new Structure(
                        List.of(
                                ExecArgument.parse("in:a.bin"),
                                new Structure(List.of(new Word(5), new Wide(0.5))),
                                new Word(7))),
                ExecArgument.parse("{in:a.bin;{i32:5;f64:0.5};u32:7}"));
    }

    @Test
    void givenTextures_whenParsed_thenNameFormatAndMemoryAreSet() {
        ExecArgument.Buffer file = (ExecArgument.Buffer) ExecArgument.parse("in:a:b=c");
        assertEquals(
                new ExecTexture("xVec", TexelFormat.U32, 2, file),
                ExecTexture.parse("xVec=u32x2:in:a:b=c"));
        ExecArgument.Buffer zeros = (ExecArgument.Buffer) ExecArgument.parse("zero:4");
        assertEquals(
                new ExecTexture("t", TexelFormat.UNORM16, 1, zeros),
                ExecTexture.parse("t=unorm16:zero:4"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "t | expected NAME=FORMAT:ARG",
                "=f32:zero:4 | expected NAME=FORMAT:ARG",
                "t=f32 | expected NAME=FORMAT:ARG",
                "t=f33:zero:4 | format=f33, expected one of u8, u16, u32, s8,",
                "t=F32:zero:4 | format=F32, expected one of",
                "t=f32x3:zero:4 | channels=3, expected one of 1, 2, 4",
                "t=f32x:zero:4 | channels=, expected one of 1, 2, 4",
                "t=f32:u32:4 | argument=u32:4, expected memory",
                "t=f32:zero:0 | size=0, expected at least 1",
            })
    void givenInvalidTexture_whenParsed_thenErrorNamesValueAndLimit(String text, String expected) {
        String message =
                assertThrows(ConfigException.class, () -> ExecTexture.parse(text)).getMessage();

        assertTrue(message.startsWith("--texture " + text + ": "), message);
        assertTrue(message.contains(expected), message);
    }

    @Test
    void givenDimensions_whenParsed_thenMissingDimensionsAreOne() {
        assertEquals(new LaunchSize(7, 1, 1), LaunchSize.parse("--grid", "7"));
        assertEquals(new LaunchSize(7, 8, 1), LaunchSize.parse("--grid", "7,8"));
        assertEquals(new LaunchSize(7, 8, 9), LaunchSize.parse("--grid", "7,8,9"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0", "-1", "1,", "1,2,3,4", "x", "2147483648", "''"})
    void givenInvalidDimensions_whenParsed_thenErrorNamesOptionAndValue(String text) {
        String message =
                assertThrows(ConfigException.class, () -> LaunchSize.parse("--block", text))
                        .getMessage();

        assertEquals("--block " + text + ": expected X[,Y[,Z]], each 1 to 2147483647", message);
    }
}
