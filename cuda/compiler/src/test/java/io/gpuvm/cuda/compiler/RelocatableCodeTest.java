package io.gpuvm.cuda.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelocatableCodeTest {
    private static final int HEADER_BYTES = 60;

    private static byte[] archive(String... members) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes("!<arch>\n".getBytes(StandardCharsets.US_ASCII));
        for (String member : members) {
            String header =
                    "%-16s%-12s%-6s%-6s%-8s%-10d`\n"
                            .formatted("m.o/", "0", "0", "0", "644", member.length());
            assertEquals(HEADER_BYTES, header.length());
            file.writeBytes((header + member).getBytes(StandardCharsets.US_ASCII));
            if (member.length() % 2 == 1) {
                file.write('\n');
            }
        }
        return file.toByteArray();
    }

    private static List<String> members(byte[] file) {
        return Archive.members("a.a", file).stream()
                .map(member -> new String(member, StandardCharsets.US_ASCII))
                .toList();
    }

    @Test
    void givenArchive_whenRead_thenMembersAreComplete() {
        byte[] file = archive("odd", "even", "");

        assertTrue(Archive.isArchive(file));
        assertEquals(List.of("odd", "even", ""), members(file));
    }

    @Test
    void givenTruncatedArchive_whenRead_thenErrorNamesMember() {
        byte[] file = archive("odd", "even");
        byte[] truncated = Arrays.copyOf(file, file.length - 2);

        assertEquals(
                "a.a: member at offset=72 has bytes=4, limit=2",
                assertThrows(CcException.class, () -> members(truncated)).getMessage());
    }

    @Test
    void givenFilesWithoutCodeForGpu_whenAdded_thenThereIsNoCode() {
        RelocatableCode code = new RelocatableCode();
        code.add("a.a", archive("no object"));
        code.add("text", "text".getBytes(StandardCharsets.US_ASCII));

        assertTrue(code.isEmpty());
    }

    @Test
    void givenProgramOfThisHost_whenRead_thenDynamicSectionIsFound() {
        Path java = Path.of(System.getProperty("java.home"), "bin/java");
        HostElf elf = HostElf.read(java).orElseThrow();

        assertTrue(
                elf.dynamicText(HostElf.RPATH).isPresent()
                        || elf.dynamicText(HostElf.RUNPATH).isPresent());
        assertTrue(elf.section(".text").length > 0);
        assertEquals(0, elf.section(".absent").length);
    }

    @Test
    void givenDamagedElf_whenRead_thenResultIsEmptyOrReadable() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin/java");
        byte[] file = Files.readAllBytes(java);
        for (int length = 0; length < file.length; length += 97) {
            HostElf.of(Arrays.copyOf(file, length)).ifPresent(HostElf::undefinedNames);
        }
        for (int at = 0; at < 64; at++) {
            byte[] changed = file.clone();
            changed[at] ^= (byte) 0xff;
            HostElf.of(changed).ifPresent(elf -> elf.dynamicText(HostElf.RPATH));
        }
    }

    @Test
    void givenStaticVariableWithTwoNames_whenCorrected_thenUniqueNameRemains() {
        String ptx =
                """
                .extern .global .align 4 .u32 _ZL3own;
                .visible .global .align 4 .u32 _ZL3own__static__b04fd23c;
                .visible .global .align 4 .u32 _ZL3owner;
                ld.global.u32 %r1, [_ZL3own];
                """;

        assertEquals(
                """

                .visible .global .align 4 .u32 _ZL3own__static__b04fd23c;
                .visible .global .align 4 .u32 _ZL3owner;
                ld.global.u32 %r1, [_ZL3own__static__b04fd23c];
                """,
                ClangPtx.withStaticVariables(ptx));
    }
}
