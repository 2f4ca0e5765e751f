package io.gpuvm.cuda.api.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of errors in the files of the table.
class TableFormatTest {
    private static final String TYPES =
            """
            integer CUdeviceptr : unsigned long long
            handle CUcontext : context
            handle CUstream : stream
            handle CUfunction : function
            struct CUuuid
              char bytes[16]
            """;

    private static final String FUNCTION =
            """
            group Memory
            function 0x0401 cuMemAlloc reply
              symbol cuMemAlloc_v2 3020 tier=1
              operand context : context current
              CUdeviceptr *address : out address
              size_t bytes : in size nonzero
            """;

    @Test
    void givenValidTable_whenRead_thenFunctionIsPresent() {
        ApiFunction function = read(FUNCTION).function("cuMemAlloc");

        assertEquals(0x401, function.opcode());
        assertEquals(2, function.operands().size());
        assertEquals(1, function.results().size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "0x0401 | 0 | functions.txt:2: opcode=0, expected 1 to 65535",
                "0x0401 | 0x10000 | functions.txt:2: opcode=0x10000, expected 1 to 65535",
                "0x0401 | four | functions.txt:2: opcode=four, expected a number",
                "reply | later | functions.txt:2: class=later, expected one of local, no-reply,",
                "3020 | 1990 | functions.txt:3: since=1990, expected 2000 to 99990",
                "tier=1 | tier=3 | functions.txt:3: word=tier=3 is unknown here",
                "tier=1 | ptsz | functions.txt:3: 'symbol cuMemAlloc_v2 3020 ptsz', expected a tier",
                "tier=1 | refused | functions.txt:2: cuMemAlloc: every symbol is refused",
                "group Memory | # | functions.txt:2: 'function 0x0401 cuMemAlloc reply' before",
                "in size | in bulk | functions.txt:6: kind=bulk, expected one of scalar, size,",
                "in size | inwards size | functions.txt:6: direction=inwards, expected one of in,",
                "in size | in area | functions.txt:6: kind=area is for operands only",
                "size_t bytes | ssize_t bytes | functions.txt:6: type=ssize_t is unknown",
                "size_t bytes | size_t *bytes | functions.txt:6: type=size_t *, expected no pointer",
                "*address | address | functions.txt:5: type=CUdeviceptr, expected a pointer",
                "nonzero | nonzero=1 | functions.txt:6: nonzero=1, expected no limit",
                "nonzero | range=5..4 | functions.txt:6: range=5..4, expected an ascending range",
                "nonzero | range=4 | functions.txt:6: range=4, expected a number or A..B",
                "nonzero | multiple=0 | functions.txt:6: multiple=0, expected a limit of at least 1",
                "nonzero | multiple | functions.txt:6: multiple, expected a limit",
                "nonzero | odd | functions.txt:6: word=odd is unknown",
                "nonzero | optional | functions.txt:6: type=size_t, expected a pointer if optional",
                "nonzero | new | functions.txt:6: kind=size cannot be new",
                "size_t bytes | size_t static | functions.txt:2: cuMemAlloc: name=static is reserved",
                "size_t bytes | size_t address | functions.txt:2: cuMemAlloc: parameter=address is",
                "context current | context | functions.txt:2: cuMemAlloc: operand=context of",
                "context current | bytes | functions.txt:4: 'bytes', expected max= or length=",
                "context current | bytes max=9999 | functions.txt:4: bytes=9999, expected 1 to 8192",
                "context current | host | functions.txt:4: kind=host is for parameters only",
                "cuMemAlloc reply | memAlloc reply | functions.txt:2: memAlloc: name=memAlloc, expected",
                "reply | no-reply | functions.txt:2: cuMemAlloc: class=no-reply, expected reply or wait",
                "reply | local | functions.txt:4: 'operand context : context current': cuMemAlloc has",
                "reply | reply fast | functions.txt:2: word=fast is unknown",
                "reply | reply engine=video | functions.txt:2: engine=video, expected one of none,",
                "function | procedure | functions.txt:2: keyword=procedure, expected one of group,",
            })
    void givenWrongWord_whenRead_thenErrorNamesFileLineAndValue(
            String right, String wrong, String error) {
        String text = FUNCTION.replace(right, wrong);
        assertTrue(!text.equals(FUNCTION), "the word is in the text");

        assertError(error, text);
    }

    @Test
    void givenTwoFunctions_whenOpcodesAreEqual_thenErrorNamesBoth() {
        assertError(
                "functions.txt:7: cuMemFree: opcode=0x0401, already the opcode of cuMemAlloc",
                FUNCTION
                        + """
                        function 0x0401 cuMemFree no-reply
                          symbol cuMemFree_v2 3020 tier=1
                          CUdeviceptr address : in address
                        """);
    }

    @Test
    void givenVariants_whenVersionsDescend_thenErrorNamesVersion() {
        assertError(
                "functions.txt:2: cuMemAlloc: symbol=cuMemAlloc since=2000, expected more than 3020",
                FUNCTION.replace("tier=1\n", "tier=1\n  symbol cuMemAlloc 2000 refused\n"));
    }

    @Test
    void givenSixResults_whenRead_thenErrorNamesLimit() {
        String results = "  result a : u64\n  result b : u64\n  result c : u64\n  result d : u64\n";

        assertError(
                "functions.txt:2: cuMemAlloc: results=6, limit=5",
                FUNCTION + results + "  result e : u64\n");
    }

    @Test
    void givenTooManyBytes_whenRead_thenErrorNamesLimit() {
        assertError(
                "functions.txt:2: cuMemAlloc: arguments=8200 bytes, limit=8192",
                FUNCTION + "  operand a : bytes max=8185\n");
    }

    @Test
    void givenUnknownCall_whenFunctionSendsCall_thenErrorNamesCall() {
        assertError(
                "functions.txt:7: cuFree: sends=cuMemFree, expected a record with a call",
                FUNCTION
                        + """
                        function 0x0402 cuFree no-reply
                          symbol cuFree 3020 tier=1
                          sends cuMemFree
                        """);
    }

    @Test
    void givenUnsupportedName_whenFunctionHasSameName_thenErrorNamesSymbol() {
        assertError(
                "unsupported.txt: symbol=cuMemAlloc_v2 is given twice",
                FUNCTION,
                "unsupported cuMemAlloc_v2 3020\n",
                "");
    }

    @Test
    void givenUnsupportedName_whenVersionIsThatOfFunction_thenErrorNamesVersion() {
        assertError(
                "cuMemAlloc: since=3020, as of cuMemAlloc_v2",
                FUNCTION,
                "unsupported cuMemAlloc 3020\n",
                "");
    }

    @Test
    void givenStatuses_whenValueIsGivenTwice_thenErrorNamesLine() {
        assertError(
                "results.txt:2: value=1 is given twice",
                FUNCTION,
                "",
                "result 1 CUDA_A : Text.\nresult 1 CUDA_B : Text.\n");
    }

    private static void assertError(String start, String functions) {
        assertError(start, functions, "", "");
    }

    private static void assertError(
            String start, String functions, String unsupported, String results) {
        TableFormatException error =
                assertThrows(
                        TableFormatException.class, () -> read(functions, unsupported, results));

        assertTrue(error.getMessage().startsWith(start), error.getMessage());
    }

    private static ApiTable read(String functions) {
        return read(functions, "", "");
    }

    private static ApiTable read(String functions, String unsupported, String results) {
        return ApiTable.read(
                new TableSources(TYPES, functions, unsupported, results, "", "", "", ""));
    }
}
