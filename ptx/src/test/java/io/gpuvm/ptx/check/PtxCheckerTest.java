package io.gpuvm.ptx.check;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests of the checker on sources without errors.
class PtxCheckerTest {
    private static PtxInstruction instruction(String declarations, String text) {
        return Sources.kernel(declarations + "\n" + text).code().getFirst();
    }

    private static PtxVariable variable(String declaration) {
        return Sources.module(Sources.FERMI + declaration).variables().getLast();
    }

    private static byte[] bytes(PtxVariable variable) {
        return variable.initial().toArray(ValueLayout.JAVA_BYTE);
    }

    private static long immediate(PtxOperand operand) {
        return ((PtxOperand.Immediate) operand).bits();
    }

    @Test
    void givenModule_whenChecked_thenHeaderIsResolved() {
        PtxModule module =
                Sources.module(
                        ".version 3.2\n.target sm_35, debug\n.address_size 32\n.file 2 \"a.cu\"\n");

        assertEquals(32, module.version());
        assertEquals(35, module.target());
        assertEquals(32, module.addressBits());
        assertEquals("a.cu", module.files().get(2));
        assertEquals(
                64, Sources.module(".version 1.4\n.target sm_13\n").addressBits(), "of options");
        assertEquals(32, Sources.module(".version 2.3\n.target sm_20\n").addressBits());
    }

    @Test
    void givenOperation_whenChecked_thenModifiersAndTypesAreResolved() {
        PtxOperation operation =
                instruction(".reg .f32 a; .reg .pred p, q;", "setp.gtu.and.ftz.f32 p|q, a, a, !p;")
                        .operation();

        assertEquals(PtxOpcode.SETP, operation.opcode());
        assertEquals(PtxModifier.GTU, operation.comparison());
        assertEquals(PtxModifier.AND, operation.in(PtxModifier.COMBINATIONS));
        assertTrue(operation.has(PtxModifier.FTZ));
        assertEquals(PtxType.F32, operation.type());
    }

    @Test
    void givenUnsignedComparison_whenChecked_thenItIsAnOrdinaryComparison() {
        PtxInstruction instruction =
                instruction(".reg .u32 a; .reg .pred p;", "setp.ls.u32 p, a, 5;");

        assertEquals(PtxModifier.LE, instruction.operation().comparison());
    }

    @Test
    void givenSynonymsOfSpaces_whenChecked_thenSpaceIsResolved() {
        PtxInstruction instruction =
                instruction(".reg .b32 a; .reg .b64 d;", "ld.param::entry.u32 a, [n]; ");

        assertEquals(PtxSpace.PARAM, instruction.operation().space());
        assertEquals("ld.param::entry.u32", instruction.operation().text());
    }

    @Test
    void givenSameOperationTwice_whenChecked_thenObjectIsShared() {
        PtxFunction function =
                Sources.kernel(".reg .b32 %r<3>;\nadd.u32 %r0, %r1, 1;\nadd.u32 %r2, %r0, %r1;");

        assertSame(function.code().get(0).operation(), function.code().get(1).operation());
    }

    @Test
    void givenRegisters_whenChecked_thenOnlyUsedRegistersHaveNumbers() {
        PtxFunction function =
                Sources.kernel(
                        """
                        .reg .b32 %r<2000000000>;
                        .reg .v2 .f32 %v;
                        mov.u32 %r1999999999, 1;
                        { .reg .b16 %r1; mov.u16 %r1, 2; }
                        mov.u32 %r1, %r1999999999;
                        mov.f32 %v.y, %v.x;
                        """);

        assertEquals(
                List.of("%v.x", "%v.y", "%r1999999999", "%r1", "%r1"),
                function.registers().stream().map(PtxRegister::name).toList());
        assertEquals(PtxType.B16, function.registers().get(3).type());
        assertEquals(PtxType.B32, function.registers().get(4).type());
        for (int i = 0; i < function.registers().size(); i++) {
            assertEquals(i, function.registers().get(i).index());
        }
    }

    @Test
    void givenPrefixWithDigits_whenRegisterIsUsed_thenRangeIsFound() {
        PtxFunction function =
                Sources.kernel(".reg .b32 %r1<5>;\n.reg .b64 %r<5>;\nmov.u32 %r14, 0;");

        assertEquals(PtxType.B32, function.registers().getFirst().type());
    }

    @Test
    void givenConstants_whenChecked_thenBitsHaveTypeOfOperand() {
        PtxFunction function =
                Sources.kernel(
                        """
                        .reg .b16 h; .reg .b32 a; .reg .b64 d; .reg .pred p;
                        mov.u16 h, -1;
                        mov.s32 a, -2;
                        mov.u32 a, (1 << 4 | 0xF) == 31 ? WARP_SZ * 2 : 0;
                        mov.f32 a, 1.5;
                        mov.b32 a, 0f7FC00001;
                        mov.f64 d, 0.1;
                        mov.u64 d, ~0U >> 60;
                        mov.s64 d, (.s64) 0xFFFFFFFFFFFFFFFF >> 60;
                        mov.f64 d, -0d3FF0000000000000;
                        mov.pred p, 7;
                        shl.b64 d, d, 3;
                        mov.f32 a, 1.0 / 4.0;
                        mov.u32 a, !(3 > 4) && 7 % 4 <= 3;
                        """);
        long[] bits = {
            0xFFFF,
            0xFFFFFFFEL,
            64,
            Float.floatToRawIntBits(1.5f),
            0x7FC00001,
            Double.doubleToRawLongBits(0.1),
            15,
            -1,
            Double.doubleToRawLongBits(-1),
            1,
            3,
            Float.floatToRawIntBits(0.25f),
            1
        };

        for (int i = 0; i < bits.length; i++) {
            assertEquals(
                    bits[i], immediate(function.code().get(i).sources().getLast()), "line " + i);
        }
        assertEquals(
                PtxType.U32,
                ((PtxOperand.Immediate) function.code().get(10).sources().getLast()).type());
    }

    @Test
    void givenVectors_whenChecked_thenOperandsAreFlat() {
        PtxFunction function =
                Sources.kernel(
                        """
                        .reg .b32 %r<4>; .reg .b64 d; .reg .v4 .f32 v; .reg .b16 %h<4>;
                        ld.global.v4.f32 {%r0, %r1, _, %r3}, [d];
                        ld.global.v4.f32 v, [d+16];
                        st.global.v2.u32 [d-8], {%r0, 5};
                        mov.b64 {%r0, _}, d;
                        mov.b64 d, {%h0, %h1, %h2, %h3};
                        mov.b32 %r0, {%h0, 7};
                        """);

        assertEquals(4, function.code().get(0).results().size());
        assertInstanceOf(PtxOperand.Discard.class, function.code().get(0).results().get(2));
        assertEquals(4, function.code().get(1).results().size());
        assertEquals(3, function.code().get(2).sources().size());
        assertEquals(
                -8, ((PtxOperand.Memory) function.code().get(2).sources().getFirst()).offset());
        assertEquals(2, function.code().get(3).results().size());
        assertEquals(4, function.code().get(4).sources().size());
        assertEquals(7, immediate(function.code().get(5).sources().getLast()));
    }

    @Test
    void givenAddresses_whenChecked_thenSymbolsAreResolved() {
        PtxModule module =
                Sources.module(
                        Sources.FERMI
                                + """
                                .global .align 4 .u32 a[8];
                                .func f;
                                .entry k(.param .u64 p) {
                                  .reg .b64 d; .reg .b32 r;
                                  .local .b8 l[4];
                                  mov.u64 d, a+8;
                                  mov.u64 d, a[3];
                                  mov.u64 d, f;
                                  ld.global.u32 r, [a+4];
                                  ld.global.u32 r, a[2];
                                  ld.u32 r, [4096];
                                  ld.local.u8 r, [l];
                                  mov.b64 d, p;
                                  cvta.global.u64 d, a;
                                }
                                """);
        List<PtxInstruction> code = module.functions().getFirst().code();
        PtxVariable a = module.variables().getFirst();

        assertEquals(new PtxOperand.Address(a, 8), code.get(0).sources().getFirst());
        assertEquals(new PtxOperand.Address(a, 12), code.get(1).sources().getFirst());
        assertEquals(
                new PtxOperand.Address(module.headers().getFirst(), 0),
                code.get(2).sources().getFirst());
        assertEquals(new PtxOperand.Memory(null, a, 4), code.get(3).sources().getFirst());
        assertEquals(new PtxOperand.Memory(null, a, 8), code.get(4).sources().getFirst());
        assertEquals(new PtxOperand.Memory(null, null, 4096), code.get(5).sources().getFirst());
        PtxOperand.Memory local = (PtxOperand.Memory) code.get(6).sources().getFirst();
        assertEquals(PtxVariable.Role.LOCAL, local.variable().role());
        PtxOperand.Address parameter = (PtxOperand.Address) code.get(7).sources().getFirst();
        assertEquals(PtxVariable.Role.KERNEL_PARAMETER, ((PtxVariable) parameter.symbol()).role());
        assertEquals(new PtxOperand.Address(a, 0), code.get(8).sources().getFirst());
    }

    @Test
    void givenLabelsInBlocks_whenChecked_thenBranchesHaveIndices() {
        PtxFunction function =
                Sources.kernel(
                        """
                        .reg .pred p;
                        bra.uni L;
                        { @p bra L; exit; L: ret; }
                        L: exit;
                        { @!p bra END; bra L; }
                        exit;
                        END:
                        """);

        assertEquals(new PtxOperand.Label("L", 4), function.code().get(0).sources().getFirst());
        assertEquals(new PtxOperand.Label("L", 3), function.code().get(1).sources().getFirst());
        assertEquals(new PtxOperand.Label("END", 8), function.code().get(5).sources().getFirst());
        assertTrue(function.code().get(5).guard().negated());
        assertEquals(8, function.code().size());
    }

    @Test
    void givenIndirectBranch_whenChecked_thenTargetsAreResolved() {
        PtxModule module =
                Sources.module(
                        Sources.NEWEST
                                + """
                                .entry k() {
                                  .reg .u32 r;
                                  T: .branchtargets A, B, A;
                                  brx.idx r, T;
                                  A: exit;
                                  B: ret;
                                }
                                """);
        PtxOperand.Labels labels =
                (PtxOperand.Labels)
                        module.functions().getFirst().code().getFirst().sources().getLast();

        assertEquals(
                List.of(1, 2, 1), labels.targets().stream().map(PtxOperand.Label::index).toList());
    }

    @Test
    void givenCalls_whenChecked_thenArgumentsAreResolved() {
        PtxModule module =
                Sources.module(
                        Sources.FERMI
                                + """
                                .extern .func (.param .b32 r) print (.param .b64 a, .param .b8 b[]);
                                .func (.reg .f32 y) g (.reg .f32 x) { mov.f32 y, x; ret; }
                                .func (.param .b32 y) h (.param .align 8 .b8 x[16], .param .b32 z)
                                .noreturn
                                {
                                  .reg .b32 r; .reg .b64 f;
                                  .param .b32 o; .param .align 8 .b8 i[16];
                                  call.uni (o), h, (i, 3);
                                  call (r), g, (0f3F800000);
                                  P: .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[16],
                                     .param .b32 _);
                                  call (_), f, (i, r), P;
                                  C: .calltargets g;
                                  call (r), f, (r), C;
                                  ld.param.u32 r, [o];
                                  st.param.b32 [y+0], r;
                                  ret;
                                }
                                """);
        PtxFunction function = module.functions().getLast();

        assertTrue(function.header().noReturn());
        PtxOperand.Call direct = (PtxOperand.Call) function.code().get(0).sources().getFirst();
        assertEquals("h", ((PtxOperand.Address) direct.target()).symbol().name());
        assertInstanceOf(PtxOperand.Memory.class, direct.results().getFirst());
        assertEquals(3, immediate(direct.arguments().get(1)));
        PtxOperand.Call registers = (PtxOperand.Call) function.code().get(1).sources().getFirst();
        assertInstanceOf(PtxOperand.Register.class, registers.results().getFirst());
        PtxOperand.Call pointer = (PtxOperand.Call) function.code().get(2).sources().getFirst();
        assertInstanceOf(PtxOperand.Register.class, pointer.target());
        assertEquals(16, pointer.signature().parameters().get(1).offset());
        PtxOperand.Call listed = (PtxOperand.Call) function.code().get(3).sources().getFirst();
        assertEquals("g", listed.candidates().getFirst().name());
        assertEquals(0, module.headers().getFirst().signature().parameters().get(1).bytes());
        assertEquals(20, function.header().signature().parameterBytes());
    }

    @Test
    void givenVideoInstructions_whenChecked_thenPartsAreResolved() {
        PtxFunction function =
                Sources.kernel(
                        """
                        .reg .b32 a, b, c, d;
                        vadd.s32.u32.s32.sat d, a.b3, b.h1;
                        vadd.s32.u32.s32.add d, a, 5, c;
                        vsub.u32.u32.u32 d.h0, a.b0, b, c;
                        vmad.s32.s32.s32.shr7 d, -a.h0, b.h1, c;
                        vmad.s32.u32.u32.po d, a, b, c;
                        vset.u32.s32.lt.max d, a, b, c;
                        vset.u32.s32.ne d.b1, a, b, c;
                        vshl.u32.u32.u32.wrap d, a, b;
                        """);
        PtxOperand.Part part = (PtxOperand.Part) function.code().get(0).sources().getFirst();

        assertEquals(PtxVideoPart.B3, part.part());
        assertEquals(3, function.code().get(1).sources().size());
        assertEquals(
                PtxVideoPart.H0,
                ((PtxOperand.Part) function.code().get(2).results().getFirst()).part());
        assertEquals(3, function.code().get(2).sources().size());
        assertTrue(((PtxOperand.Part) function.code().get(3).sources().getFirst()).negated());
        assertEquals(
                PtxVideoPart.B1,
                ((PtxOperand.Part) function.code().get(6).results().getFirst()).part());
    }

    @Test
    void givenSpecialRegisters_whenChecked_thenComponentsAreResolved() {
        PtxFunction function =
                Sources.kernel(
                        """
                        .reg .b32 r; .reg .b64 d; .reg .b16 h;
                        mov.u32 r, %tid.x;
                        mov.u64 d, %clock64;
                        cvt.u32.u16 r, %ctaid.y;
                        add.u32 r, %laneid, %lanemask_lt;
                        mov.u32 r, %envreg31;
                        mov.u32 r, %ntid.w;
                        """);

        assertEquals(
                new PtxOperand.Special(PtxSpecialRegister.TID_X),
                function.code().get(0).sources().getFirst());
        assertEquals(
                new PtxOperand.Special(PtxSpecialRegister.CLOCK64),
                function.code().get(1).sources().getFirst());
        assertEquals(
                new PtxOperand.Special(PtxSpecialRegister.ZERO),
                function.code().get(5).sources().getFirst());
    }

    @Test
    void givenLines_whenChecked_thenInstructionsHaveThem() {
        PtxFunction function = Sources.kernel("exit;\n.loc 1 7 2\nexit;\nexit;\n.loc 1 0 2\nexit;");

        assertNull(function.code().get(0).line());
        assertEquals(new PtxSourceLine(1, 7, 2), function.code().get(2).line());
        assertNull(function.code().get(3).line());
        assertEquals(7, function.code().get(1).position().line());
    }

    @Test
    void givenKernelDirectives_whenChecked_thenBoundsAreResolved() {
        PtxFunction function =
                Sources.module(
                                Sources.FERMI
                                        + ".entry k() .maxntid 64, 2 .reqntid 32 .minnctapersm 3"
                                        + " .maxnreg 255 .pragma \"a\"; { .pragma \"b\"; }")
                        .functions()
                        .getFirst();

        assertEquals(List.of(64, 2), function.bounds().maxThreads());
        assertEquals(32, function.bounds().threads());
        assertEquals(3, function.bounds().minBlocks());
        assertEquals(63, function.bounds().maxRegisters());
        assertEquals(List.of("b", "a"), function.pragmas());
    }

    @Test
    void givenInitialValues_whenChecked_thenBytesAreInPlace() {
        assertArrayEquals(
                new byte[] {1, 0, -1, -1, 0, 0, 3, 0},
                bytes(variable(".global .u16 a[4] = {1, -1, 0, 3};")));
        assertEquals(8, variable(".global .u16 a[] = {1, -1, 0, 3};").bytes());
        assertArrayEquals(
                new byte[] {1, 0, 0, 2, 3},
                bytes(variable(".global .u8 a[2][3] = {{1}, {2, 3}};")));
        assertArrayEquals(
                new byte[] {1, 2, 3, 4}, bytes(variable(".global .u8 a[2][3] = {1, 2, 3, 4};")));
        assertArrayEquals(
                new byte[] {0, 0, -128, 63, 0, 0, 0, 64},
                bytes(variable(".const .v2 .f32 a = {1.0, 0f40000000};")));
        assertEquals(16, variable(".global .v4 .f32 a;").alignment());
        assertEquals(0, variable(".global .u64 a = 0;").initial().byteSize());
    }

    @Test
    void givenAddressesInInitialValues_whenChecked_thenReferencesDescribeThem() {
        List<PtxReference> references =
                variable(
                                """
                                .func f;
                                .const .u32 c[4];
                                .global .u64 a[5] = {c+4, generic(c)+8, f, 7, 0};
                                .global .align 8 .b8 b[4] = {1, 0xFF(a), 0xFF00(generic(a+3)), 2};
                                """)
                        .references();
        assertEquals(new PtxReference(1, 1, "a", 0, false, 0), references.get(0));
        assertEquals(new PtxReference(2, 1, "a", 3, true, 8), references.get(1));
        List<PtxReference> words =
                variable(".func f;\n.const .u32 c[4];\n.global .u64 a[3] = {c+4, generic(c)+8, f};")
                        .references();
        assertEquals(new PtxReference(0, 8, "c", 4, false, 0), words.get(0));
        assertEquals(new PtxReference(8, 8, "c", 8, true, 0), words.get(1));
        assertEquals(new PtxReference(16, 8, "f", 0, false, 0), words.get(2));
    }

    @Test
    void givenVariablesOfFunctions_whenChecked_thenNamesAreUnique() {
        PtxModule module =
                Sources.module(
                        Sources.FERMI
                                + """
                                .extern .shared .align 16 .b8 dynamic[];
                                .shared .u32 s;
                                .entry k() {
                                  .shared .u32 s;
                                  .extern .shared .align 4 .b8 other[];
                                  { .shared .u32 s; .global .u32 g = 5; }
                                  .local .u64 l;
                                }
                                """);

        assertEquals(
                List.of("dynamic", "s", "$k$s", "other", "$k$s$1", "$k$g"),
                module.variables().stream().map(PtxVariable::name).toList());
        assertTrue(module.variables().getFirst().isDynamicShared());
        assertEquals("k", module.variables().getLast().function());
        assertEquals(1, module.functions().getFirst().variables().size());
        assertEquals(7, module.variableCount());
    }

    @Test
    void givenDeclarationAndDefinition_whenChecked_thenDefinitionCounts() {
        PtxModule module =
                Sources.module(
                        Sources.FERMI
                                + """
                                .extern .global .u32 v;
                                .extern .func f (.param .b32 a);
                                .entry k() { .reg .b64 d; mov.u64 d, v; call f, (1); }
                                .visible .global .u32 v = 7;
                                .visible .func f (.param .b32 b) { ret; }
                                .weak .func w { ret; }
                                """);

        assertEquals(1, module.variables().size());
        assertEquals(PtxLinkage.VISIBLE, module.variables().getFirst().linkage());
        PtxFunctionHeader header =
                module.headers().stream()
                        .filter(found -> found.name().equals("f"))
                        .findFirst()
                        .orElseThrow();
        assertTrue(header.defined());
        assertEquals(PtxLinkage.VISIBLE, header.linkage());
        assertEquals("b", header.signature().parameters().getFirst().variable().name());
    }

    @Test
    void givenOldModuleWithRegistersOutsideOfFunctions_whenChecked_thenKernelsHaveTheirOwn() {
        PtxModule module =
                Sources.module(
                        """
                        .version 1.4
                        .target sm_10, map_f64_to_f32
                        .reg .u32 r;
                        .local .u32 used, unused;
                        .entry k(.param .u32 n) { ld.param.u32 r, [n]; st.local.u32 [used], r; }
                        .entry j() { mov.u32 r, 1; }
                        """);

        assertEquals(1, module.functions().getFirst().variables().size());
        assertEquals(0, module.functions().getLast().variables().size());
        assertEquals(1, module.functions().getLast().registers().size());
    }

    @Test
    void givenTextures_whenChecked_thenCoordinatesAreFlat() {
        PtxFunction function =
                Sources.module(
                                Sources.FERMI
                                        + """
                                        .global .texref t;
                                        .tex .u64 old;
                                        .global .samplerref s = { filter_mode = nearest };
                                        .entry k(.param .texref q) {
                                          .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 h;
                                          tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [old, %r0];
                                          tex.2d.v4.u32.f32 {%r0, %r1, %r2, %r3},
                                              [t, s, {%f0, %f1}];
                                          tex.a2d.v4.f32.f32 {%f0, %f1, %f2, %f3},
                                              [q, {%r0, %f1, %f2, %f3}];
                                          tex.level.3d.v4.f32.f32 {%f0, %f1, %f2, %f3},
                                              [h, {%f0, %f1, %f2, %f3}], %f0;
                                          txq.width.b32 %r0, [t];
                                        }
                                        """)
                        .functions()
                        .getFirst();

        assertEquals(2, function.code().get(0).sources().size());
        assertEquals(4, function.code().get(1).sources().size());
        assertEquals(4, function.code().get(2).sources().size());
        assertEquals(5, function.code().get(3).sources().size());
        assertEquals(4, function.code().get(3).results().size());
        assertInstanceOf(PtxOperand.Image.class, function.code().get(4).sources().getFirst());
    }
}
