package io.gpuvm.ptx.syntax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests of the parser on sources without errors.
class PtxParserTest {
    private static ModuleTree parse(String source) {
        ErrorList errors = new ErrorList(10);
        ModuleTree tree = PtxParser.parse(source, errors, SyntaxLimits.DEFAULT);
        assertEquals(List.of(), errors.list());
        return tree;
    }

    private static List<StatementTree> body(String text) {
        FunctionTree function =
                (FunctionTree) parse(".entry k() {\n" + text + "\n}").directives().getFirst();
        return function.body().statements();
    }

    private static InstructionTree instruction(String text) {
        return (InstructionTree) body(text).getFirst();
    }

    @Test
    void givenDirectivesOfModule_whenParsed_thenTreeHasTheirValues() {
        List<DirectiveTree> tree =
                parse(
                                """
                                .version 6.4
                                .target sm_20, debug
                                .address_size 64
                                .file 1 "a\\"b.cu", 12, 0x10
                                .pragma "nounroll", "x";
                                .alias f, g;
                                """)
                        .directives();

        assertEquals(new DirectiveTree.Version(new SourcePosition(1, 1), 6, 4), tree.get(0));
        assertEquals(
                new DirectiveTree.Target(new SourcePosition(2, 1), List.of("sm_20", "debug")),
                tree.get(1));
        assertEquals(new DirectiveTree.AddressSize(new SourcePosition(3, 1), 64), tree.get(2));
        assertEquals(
                new DirectiveTree.SourceFile(new SourcePosition(4, 1), 1, "a\"b.cu"), tree.get(3));
        assertEquals(
                new DirectiveTree.Pragma(new SourcePosition(5, 1), List.of("nounroll", "x")),
                tree.get(4));
        assertEquals(new DirectiveTree.Alias(new SourcePosition(6, 1), "f", "g"), tree.get(5));
    }

    @Test
    void givenDebuggingInformation_whenParsed_thenItIsSkipped() {
        assertEquals(
                List.of(),
                parse(
                                """
                                # 1 "a.cu"
                                #line 7
                                @@DWARF .section .debug_info, "", @progbits
                                @@DWARF .byte 0x12
                                .section .debug_abbrev { .b8 1
                                  L: .b32 L+4 { } }
                                /* comment
                                   .version */ // comment
                                """)
                        .directives());
    }

    @Test
    void givenDeclarations_whenParsed_thenTreeHasWordsShapesAndValues() {
        VariableTree tree =
                (VariableTree)
                        parse(".visible .global .align 8 .v2 .f32 a, b[2][3] = {{1}, {2, x+4}};")
                                .directives()
                                .getFirst();

        assertEquals(".visible", tree.linkage());
        assertEquals(List.of(".global", ".v2", ".f32"), tree.words());
        assertInstanceOf(ExpressionTree.IntegerLiteral.class, tree.alignment());
        assertEquals("a", tree.declarators().get(0).name());
        assertNull(tree.declarators().get(0).initializer());
        DeclaratorTree array = tree.declarators().get(1);
        assertEquals(2, array.dimensions().size());
        InitializerTree.Braces values = (InitializerTree.Braces) array.initializer();
        assertEquals(2, values.parts().size());
        InitializerTree.Braces row = (InitializerTree.Braces) values.parts().get(1);
        assertInstanceOf(
                ExpressionTree.Binary.class, ((InitializerTree.Value) row.parts().get(1)).value());
    }

    @Test
    void givenKernel_whenParsed_thenTreeHasParametersAndAttributes() {
        FunctionTree tree =
                (FunctionTree)
                        parse(
                                        """
                                        .visible .entry k(
                                          .param .u64 .ptr .global .align 16 p,
                                          .param .align 8 .b8 s[40]
                                        ) .maxntid 32, 4, 2 .minnctapersm 2 .pragma "a";
                                        { ret; }
                                        """)
                                .directives()
                                .getFirst();

        assertTrue(tree.kernel());
        assertEquals("k", tree.name());
        assertEquals(2, tree.signature().parameters().size());
        assertNull(tree.signature().parameters().get(0).alignment());
        assertEquals(
                List.of(".maxntid", ".minnctapersm", ".pragma"),
                tree.attributes().stream().map(FunctionTree.Attribute::name).toList());
        assertEquals(3, tree.attributes().getFirst().values().size());
    }

    @Test
    void givenFunctionsWithoutSemicolon_whenParsed_thenBothAreDeclarations() {
        List<DirectiveTree> tree =
                parse(
                                """
                                .visible .func (.param .s32 r) f (.param .f32 a)

                                .extern .func g
                                .file 1 "x"
                                """)
                        .directives();

        assertNull(((FunctionTree) tree.get(0)).body());
        assertEquals(1, ((FunctionTree) tree.get(0)).signature().results().size());
        assertNull(((FunctionTree) tree.get(1)).body());
        assertInstanceOf(DirectiveTree.SourceFile.class, tree.get(2));
    }

    @Test
    void givenInstruction_whenParsed_thenTreeHasGuardOperationAndOperands() {
        InstructionTree tree = instruction("@!%p1 add.rn.f32 %f1, %f2, 0f3F800000;");

        assertEquals("%p1", tree.guard().name());
        assertTrue(tree.guardNegated());
        assertEquals("add.rn.f32", tree.operation());
        assertEquals(new SourcePosition(2, 7), tree.position());
        assertEquals(
                List.of(
                        new ExpressionTree.Name(new SourcePosition(2, 18), "%f1"),
                        new ExpressionTree.Name(new SourcePosition(2, 23), "%f2"),
                        new ExpressionTree.RealLiteral(
                                new SourcePosition(2, 28), 1, 0x3F800000, true)),
                tree.operands());
    }

    @Test
    void givenBlanksBetweenWordsOfOperation_whenParsed_thenWordsAreJoined() {
        assertEquals("mul.lo.u32", instruction("mul .lo.u32 a, b, c;").operation());
    }

    @Test
    void givenOperandsOfEachKind_whenParsed_thenTreeHasTheirKinds() {
        List<OperandTree> operands =
                instruction("x.y {a, _}, [p+-4], p|_, [t, {u, v}], a[3], !q, %tid.x, _, -7;")
                        .operands();

        OperandTree.Vector vector = (OperandTree.Vector) operands.get(0);
        assertInstanceOf(OperandTree.Discard.class, vector.parts().get(1));
        OperandTree.Address address = (OperandTree.Address) operands.get(1);
        assertInstanceOf(ExpressionTree.Binary.class, address.parts().getFirst());
        OperandTree.Pair pair = (OperandTree.Pair) operands.get(2);
        assertInstanceOf(OperandTree.Discard.class, pair.second());
        assertEquals(2, ((OperandTree.Address) operands.get(3)).parts().size());
        assertInstanceOf(OperandTree.Subscript.class, operands.get(4));
        assertInstanceOf(ExpressionTree.Unary.class, operands.get(5));
        assertEquals("%tid.x", ((ExpressionTree.Name) operands.get(6)).name());
        assertInstanceOf(OperandTree.Discard.class, operands.get(7));
        assertInstanceOf(ExpressionTree.Unary.class, operands.get(8));
    }

    @Test
    void givenCall_whenParsed_thenParenthesesAreGroups() {
        List<OperandTree> operands = instruction("call.uni (r), f, (a, 4), proto;").operands();

        assertEquals(1, ((OperandTree.Group) operands.get(0)).parts().size());
        assertEquals(2, ((OperandTree.Group) operands.get(2)).parts().size());
        assertEquals(1, instruction("call f;").operands().size());
    }

    @Test
    void givenNumbers_whenParsed_thenValuesAreExact() {
        List<OperandTree> operands =
                instruction(
                                "x 0x1F, 0b101, 017, 4294967295U, 18446744073709551615, 1.5e-3,"
                                        + " 0d3FF0000000000000, 0F7F800000, 08.5;")
                        .operands();

        assertEquals(0x1F, ((ExpressionTree.IntegerLiteral) operands.get(0)).value());
        assertEquals(5, ((ExpressionTree.IntegerLiteral) operands.get(1)).value());
        assertEquals(15, ((ExpressionTree.IntegerLiteral) operands.get(2)).value());
        assertTrue(((ExpressionTree.IntegerLiteral) operands.get(3)).unsigned());
        assertEquals(-1, ((ExpressionTree.IntegerLiteral) operands.get(4)).value());
        assertTrue(((ExpressionTree.IntegerLiteral) operands.get(4)).unsigned());
        assertEquals(1.5e-3, ((ExpressionTree.RealLiteral) operands.get(5)).value());
        assertEquals(1, ((ExpressionTree.RealLiteral) operands.get(6)).value());
        assertEquals(
                Float.POSITIVE_INFINITY, ((ExpressionTree.RealLiteral) operands.get(7)).value());
        assertEquals(8.5, ((ExpressionTree.RealLiteral) operands.get(8)).value());
    }

    @Test
    void givenStatementsOfEachKind_whenParsed_thenTreeHasTheirKinds() {
        List<StatementTree> body =
                body(
                        """
                        .reg .b32 %r<5>, a;
                        .loc 1 12 3
                        .loc 1 12 3, function_name $L1+4, inlined_at 1 7 2
                        L1: L2: ret;
                        { .reg .pred p; L1: }
                        .pragma "nounroll";
                        P: .callprototype (.param .b32 _) _ (.reg .f32 _, .param .b8 _[4]) .noreturn;
                        T: .branchtargets L1, L2;
                        C: .calltargets f;
                        ;
                        """);

        assertInstanceOf(VariableTree.class, body.get(0));
        assertEquals(12, ((StatementTree.Line) body.get(1)).line());
        assertEquals("L2", ((StatementTree.Label) body.get(4)).name());
        assertEquals(2, ((StatementTree.Block) body.get(6)).statements().size());
        StatementTree.Prototype prototype = (StatementTree.Prototype) body.get(8);
        assertEquals(2, prototype.signature().parameters().size());
        assertEquals(2, ((StatementTree.Targets) body.get(9)).targets().size());
        assertTrue(((StatementTree.Targets) body.get(10)).calls());
        assertEquals(11, body.size());
    }

    @Test
    void givenNameTwice_whenParsed_thenTreeSharesString() {
        InstructionTree tree = instruction("mov.u32 %a, %a;");

        assertSame(
                ((ExpressionTree.Name) tree.operands().get(0)).name(),
                ((ExpressionTree.Name) tree.operands().get(1)).name());
    }

    @Test
    void givenWindowsLines_whenParsed_thenPositionsCountLines() {
        List<DirectiveTree> tree = parse(".version 2.3\r\n.target sm_20\r\n").directives();

        assertEquals(new SourcePosition(2, 1), tree.get(1).position());
    }
}
