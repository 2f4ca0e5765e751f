package io.gpuvm.ptx.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of the checker's diagnostics.
class CheckErrorTest {
    private static final String DECLARATIONS =
            ".reg .b16 h; .reg .u32 a, b; .reg .f32 f; .reg .f64 g; .reg .b64 d; .reg .pred p;"
                    + " .shared .u32 s; .const .u32 c; .local .u32 l; .param .b32 x;\n";

    static Stream<Arguments> wrongInstructions() {
        return Stream.of(
                Arguments.of("foo.u32 a, b;", "6:1: 'foo': not an instruction"),
                Arguments.of("add.q32 a, b;", "6:1: 'add.q32': '.q32' is not expected here"),
                Arguments.of(
                        "add a, b, b;",
                        "6:1: 'add': expected one of u16, u32, u64, s16, s32, s64 after it"),
                Arguments.of("add.u32 a, b;", "6:1: 'add.u32': operands=2, expected 3"),
                Arguments.of(
                        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 a;",
                        "6:1: wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 needs sm_70;"
                                + " this GPU is sm_20"),
                Arguments.of("add.f16 h, h, h;", "6:1: add.f16 needs sm_53; this GPU is sm_20"),
                Arguments.of(
                        "atom.global.add.noftz.f16 g, [d], g;",
                        "6:1: atom.global.add.noftz.f16 needs sm_60; this GPU is sm_20"),
                Arguments.of(
                        "ld.shared::cluster.u32 a, [a];",
                        "6:1: ld.shared::cluster.u32 needs sm_90; this GPU is sm_20"),
                Arguments.of("add.u32 a, y, b;", "6:12: 'y' is not declared"),
                Arguments.of("add.u32 a, f, b;", "6:12: 'f' has the type .f32, expected .u32"),
                Arguments.of("add.u32 h, a, b;", "6:9: 'h' has the type .b16, expected .u32"),
                Arguments.of("add.u32 5, a, b;", "6:9: expected a register of type .u32"),
                Arguments.of("add.u32 s, a, b;", "6:9: 's': expected a register of type .u32"),
                Arguments.of("add.u32 a, b, s;", "6:15: expected a value of type .u32"),
                Arguments.of(
                        "add.u32 a, b, 1.5;",
                        "6:15: floating-point number: expected a constant of type .u32"),
                Arguments.of(
                        "add.f32 f, f, 1;",
                        "6:15: 1: expected a floating-point number of type .f32, such as 1.0 or"
                                + " 0f3F800000"),
                Arguments.of(
                        "add.u32 a, b, 1/0;", "6:15: division by zero in a constant expression"),
                Arguments.of(
                        "ld.u32 h, [d];", "6:8: 'h' has the type .b16, expected .u32 or wider"),
                Arguments.of(
                        "ld.global.u32 a, [s];",
                        "6:18: 's' is in the space .shared, expected .global"),
                Arguments.of(
                        "ld.global.u32 a, [h];",
                        "6:19: 'h' has the type .b16: an address has 32 or 64 bits"),
                Arguments.of("ld.global.u32 a, d;", "6:18: expected an address"),
                Arguments.of(
                        "ld.global.v4.f64 {g, g, g, g}, [d];",
                        "6:1: ld.global.v4.f64: bytes=32, limit=16"),
                Arguments.of(
                        "ld.global.v2.u32 {a, b, a}, [d];", "6:18: vector: operands=3, expected 2"),
                Arguments.of("ld.global.v2.u32 a, [d];", "6:18: expected a vector of 2 operands"),
                Arguments.of(
                        "st.const.u32 [c], a;",
                        "6:1: 'st.const.u32': '.const' is not expected here"),
                Arguments.of("st.u32 [c], a;", "6:1: 'c' is read-only in this function"),
                Arguments.of("st.param.u32 [n], a;", "6:1: 'n' is read-only in this function"),
                Arguments.of("@a bra L;", "6:2: 'a' has the type .u32, expected .pred"),
                Arguments.of("bra L;", "6:5: label 'L' is not declared"),
                Arguments.of("bra 5;", "6:5: expected a label"),
                Arguments.of("L: L: ret;", "6:4: 'L' is declared in this block already"),
                Arguments.of(".reg .u32 a;", "6:11: 'a' is declared in line 5"),
                Arguments.of(".reg .u32 %r<2>, %r<3>;", "6:18: '%r<...>' is declared in line 6"),
                Arguments.of(".reg .u32 %r<2>; mov.u32 %r2, 1;", "6:26: '%r2' is not declared"),
                Arguments.of(".reg .u32 %r<2>; mov.u32 %r01, 1;", "6:26: '%r01' is not declared"),
                Arguments.of(
                        ".reg .v2 .u32 v; not.b32 v, 1;",
                        "6:26: 'v' is a vector: expected a component such as v.x"),
                Arguments.of(".reg .v2 .u32 v; mov.u32 v.z, 1;", "6:26: 'v.z' is not declared"),
                Arguments.of(
                        ".shared .u32 z[20000];", "6:14: 'z': bytes=80000, limit=49152 of .shared"),
                Arguments.of(
                        ".shared .u32 z[0];", "6:14: length of 'z': expected a positive number"),
                Arguments.of(
                        ".shared .u32 z = 5;", "6:18: .shared variables have no initial values"),
                Arguments.of(".local .align 3 .u32 z;", "6:15: alignment=3, expected a power of 2"),
                Arguments.of(
                        ".local z;", "6:1: declaration: expected a type such as .u32 after .local"),
                Arguments.of(
                        "setp.lt.b32 p, a, b;", "6:1: setp.lt.b32: expected .eq or .ne for .b32"),
                Arguments.of(
                        "setp.lo.s32 p, a, b;",
                        "6:1: setp.lo.s32: expected an unsigned type for this comparison"),
                Arguments.of("bar.sync 16;", "6:1: barrier=16, limit=15"),
                Arguments.of(
                        "bar.sync 0, 33;", "6:1: threads=33, expected a positive multiple of 32"),
                Arguments.of(
                        "call f;",
                        "6:6: 'f' has the type .f32: the address of a function has"
                                + " 32 or 64 bits"),
                Arguments.of(
                        "call d;", "6:6: indirect call: expected a prototype after the arguments"),
                Arguments.of("call k;", "6:6: 'k' is a kernel"),
                Arguments.of("call s;", "6:6: 's' is not a function"),
                Arguments.of(
                        "call (a), s, (b), x, d;", "6:22: call: expected ';' before this operand"),
                Arguments.of(
                        "mov.b64 {a, b, a}, d;",
                        "6:9: vector: operands=3 of .b64, expected 2 or 4 parts of at least 8"
                                + " bits"),
                Arguments.of("mov.b64 {h, h}, d;", "6:10: 'h' has the type .b16, expected .b32"),
                Arguments.of(
                        "mov.u32 a, %globaltimer;",
                        "6:12: %globaltimer needs sm_30; this GPU is sm_20"),
                Arguments.of(
                        "mov.u64 d, %tid.x;",
                        "6:12: '%tid.x' has 32 bits, expected a value of type .u64"),
                Arguments.of("mov.u32 a, %tid;", "6:12: '%tid' is not declared"),
                Arguments.of(
                        "vadd.u32.u32.u32 a.b0, b, b;",
                        "6:1: 'vadd.u32.u32.u32': operands=3, expected 4"),
                Arguments.of(
                        "tex.1d.v4.f32.f32 {f, f, f, f}, [s, {f}];",
                        "6:34: 's' is not a texture or surface"),
                Arguments.of("pmevent 16;", "6:9: event=16, expected 0 to 15"),
                Arguments.of(
                        ".reg .b128 q;",
                        "6:1: .b128: not a type of registers and variables on this GPU"));
    }

    @ParameterizedTest
    @MethodSource("wrongInstructions")
    void givenWrongStatement_whenChecked_thenErrorNamesPlace(String body, String error) {
        assertEquals(
                List.of(error), Sources.diagnostics(Sources.kernelSource(DECLARATIONS + body)));
    }

    static Stream<Arguments> wrongModules() {
        return Stream.of(
                Arguments.of("", "1:1: module: expected .version and .target at its start"),
                Arguments.of(
                        ".entry k() {}",
                        "1:1: expected .version and .target before this directive"),
                Arguments.of(
                        ".version 1.3\n.target sm_10", "1:1: .version=1.3, expected 1.4 to 9.9"),
                Arguments.of(
                        ".version 2.3\n.target foo",
                        "2:1: target 'foo': expected sm_20 or" + " such"),
                Arguments.of(
                        ".version 2.3\n.target sm_20\n.address_size 16",
                        "3:1: .address_size=16, expected one of 32, 64"));
    }

    @ParameterizedTest
    @MethodSource("wrongModules")
    void givenWrongModule_whenChecked_thenErrorNamesPlace(String source, String error) {
        assertEquals(error, Sources.diagnostics(source).getFirst());
    }

    static Stream<Arguments> wrongDeclarations() {
        return Stream.of(
                Arguments.of(".reg .u32 r;", "4:1: .reg: expected a function around it"),
                Arguments.of(".param .u32 r;", "4:1: .param: expected a function around it"),
                Arguments.of(".global .u32 a = {1, 2};", "4:22: initial value: bytes=8, limit=4"),
                Arguments.of(
                        ".global .u32 a[2] = 1;",
                        "4:21: expected '{' before the values of an array"),
                Arguments.of(".global .u32 a = b;", "4:18: 'b' is not declared"),
                Arguments.of(".global .u16 a = a2; .global .u32 a2;", "4:18: 'a2' is not declared"),
                Arguments.of(
                        ".global .u32 a2; .global .u16 a = a2;",
                        "4:35: .u16 does not contain the address of a symbol"),
                Arguments.of(
                        ".global .u32 a; .global .u32 a;",
                        "4:30: 'a' is declared with another meaning"),
                Arguments.of(
                        ".global .u32 a[1000000000][1000000000];",
                        "4:14: variable: elements=1000000000 of 4000000000 bytes,"
                                + " limit=1099511627776 bytes"),
                Arguments.of(
                        ".global .attribute(.managed) .u32 a;",
                        "4:1: .attribute(.managed) needs sm_30; this GPU is sm_20"),
                Arguments.of(
                        ".extern .global .u32 a = 5;",
                        "4:26: .extern variables have no initial values"),
                Arguments.of(".entry k(.reg .u32 a) {}", "4:10: .reg: expected .param"),
                Arguments.of(
                        ".entry k(.param .b8 a[5000]) {}",
                        "4:10: parameters: bytes=5000, limit=4096"),
                Arguments.of(
                        ".entry k(.param .b8 a[4000], .param .b8 b[97]) {}",
                        "4:30: parameters: bytes=4097, limit=4096"),
                Arguments.of(
                        ".entry k(.param .u32 a, .param .u32 a) {}",
                        "4:1: 'a' is declared in line 4"),
                Arguments.of(".entry k() {} .entry k() {}", "4:15: 'k' is defined in line 4"),
                Arguments.of(
                        ".func k; .entry k() {}",
                        "4:10: 'k' is declared with other parameters in line 4"),
                Arguments.of(".global .u32 k; .entry k() {}", "4:14: 'k' is declared in line 4"),
                Arguments.of(".entry k() .maxntid 0 {}", "4:21: .maxntid=0, expected 1 to 1024"),
                Arguments.of(
                        ".entry k() .maxntid 1024, 2 {}",
                        "4:12: .maxntid: threads=2048, limit=1024"),
                Arguments.of(
                        ".entry k() .reqnctapercluster 2 {}",
                        "4:12: .reqnctapercluster needs sm_90; this GPU is sm_20"),
                Arguments.of(".entry k() .bar {}", "4:12: '.bar': not a directive of a function"),
                Arguments.of(".alias a, b;", "4:1: 'b' is not a function"));
    }

    @ParameterizedTest
    @MethodSource("wrongDeclarations")
    void givenWrongDeclaration_whenChecked_thenErrorNamesPlace(String source, String error) {
        List<String> errors = Sources.diagnostics(Sources.FERMI + source);
        assertTrue(errors.contains(error), errors::toString);
    }

    @Test
    void givenSeveralErrors_whenChecked_thenAllAreReported() {
        assertEquals(
                List.of(
                        "5:9: 'x' is not declared",
                        "6:1: 'foo': not an instruction",
                        "8:9: 'a' is not declared"),
                Sources.diagnostics(
                        Sources.kernelSource("not.b32 x, x;\nfoo.u32 a;\nret;\nmov.u32 a, 5;")));
    }

    @Test
    void givenFewCharactersForManyBytes_whenChecked_thenMemoryIsBounded() {
        List<String> errors =
                Sources.diagnostics(
                        Sources.FERMI
                                + ".global .u8 a[4][1000000000] = {{}, {}, {1}};\n"
                                + ".global .u8 b[100][40000000] = {{}, {1}};\n"
                                + ".global .u8 c[100][40000000] = {{}, {1}};\n");
        assertEquals(
                List.of(
                        "4:42: initial values of the module: bytes=2000000001, limit=67108864",
                        "6:38: initial values of the module: bytes=80000002, limit=67108864"),
                errors);
    }
}
