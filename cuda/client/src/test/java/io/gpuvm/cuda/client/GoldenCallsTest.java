package io.gpuvm.cuda.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Test that the library writes the entries of the file that the tests of `cuda/protocol` write,
/// with one call of each opcode.
class GoldenCallsTest {
    private static final Path ROOT = Path.of(System.getProperty("gpuvm.root"));
    private static final Path FILE =
            ROOT.resolve("cuda/protocol/src/test/resources/golden-calls.txt");
    private static final Path SENDERS =
            ROOT.resolve("cuda/client/target/generated/gpuvm_cuda_senders.h");
    private static final int LEAST_CALLS = 40;

    @TempDir private Path folder;

    /// Call of the file: the C expression that fills a message, and the lines that the program must
    /// print.
    private record Call(String name, String fill, List<String> expected) {}

    @Test
    void givenValuesOfFile_whenLibrarySendsCalls_thenEntriesAndArgumentsEqualFile()
            throws Exception {
        List<Call> calls = read(Files.readString(SENDERS));
        assertTrue(calls.size() >= LEAST_CALLS, () -> "calls=" + calls.size());
        Path source = folder.resolve("golden.c");
        Files.writeString(source, program(calls));
        TestProgram program =
                TestProgram.compile(
                        folder,
                        Sanitizer.NONE,
                        List.of("-I" + TestProgram.TESTS),
                        List.of("checks.c", "fake_backend.c", "fake_meaning.c", source.toString()));

        assertEquals(
                String.join("\n", calls.stream().flatMap(call -> call.expected.stream()).toList()),
                String.join("\n", program.lines()));
    }

    private static List<Call> read(String senders) throws IOException {
        List<Call> calls = new ArrayList<>();
        for (String record : Files.readString(FILE).split("\n\n")) {
            if (record.startsWith("call ")) {
                calls.add(call(record.lines().map(String::strip).toList(), senders));
            }
        }
        return calls;
    }

    private static Call call(List<String> lines, String senders) {
        String function = lines.getFirst().split(" ")[1];
        String name = function.startsWith("cu") ? function.substring(2) : function;
        String parameters = parameters(senders, name);
        List<String> arguments = new ArrayList<>(List.of("&message"));
        List<String> expected = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "word" -> arguments.add(word(words, parameters));
                case "bytes" -> bytes(words, parameters, arguments);
                case "entry", "arguments" -> expected.add(line);
                default -> throw new IllegalArgumentException(line);
            }
        }
        String fill = "gpuvm_fill_%s(%s)".formatted(name, String.join(", ", arguments));
        return new Call(name, fill, expected);
    }

    /// Returns the expression of a word, in the type of its parameter.
    private static String word(String[] words, String parameters) {
        Matcher matcher = Pattern.compile("(\\w+) " + words[1] + "\\b").matcher(parameters);
        assertTrue(matcher.find(), words[1]);
        String type = matcher.group(1);
        String value = "0x%sull".formatted(words[2]);
        return type.equals("float")
                ? "gpuvm_word_float(%s)".formatted(value)
                : "(%s)%s".formatted(type, value);
    }

    private static void bytes(String[] words, String parameters, List<String> arguments) {
        String hex = words[2].equals("-") ? "" : words[2];
        arguments.add('"' + hex.replaceAll("..", "\\\\x$0") + '"');
        if (parameters.contains("size_t " + words[1] + "Bytes")) {
            arguments.add(String.valueOf(hex.length() / 2));
        }
    }

    private static String parameters(String senders, String name) {
        Matcher matcher =
                Pattern.compile("gpuvm_fill_" + name + "\\s*\\(([^)]*)\\)").matcher(senders);
        assertTrue(matcher.find(), name);
        return matcher.group(1);
    }

    /// Returns a program whose backend takes no calls. Connect is its first call, so the numbers of
    /// its calls are greater by 1 than those of the file.
    private static String program(List<Call> calls) {
        StringBuilder text =
                new StringBuilder(
                        """
                        #include <inttypes.h>

                        #include "checks.h"
                        #include "core.h"
                        #include "fake_backend.h"
                        #include "gpuvm_cuda_senders.h"

                        static struct gpuvm_wait waits[ENTRIES];

                        static void print(const char *name, const void *bytes, uint64_t length)
                        {
                            const uint8_t *byte = bytes;
                            printf("%s ", name);
                            for (uint64_t i = 0; i < length; i++)
                                printf("%02x", byte[i]);
                            puts(length == 0 ? "-" : "");
                        }

                        static void publish(struct gpuvm_message *message)
                        {
                            uint64_t position = message->sequence - 1;
                            const uint8_t *arguments = (const uint8_t *)message->arguments;
                            uint64_t bytes = message->operands[1];
                            CHECK_SUCCESS(gpuvm_publish(message, &waits[position]));
                            uint64_t entry[8];
                            memcpy(entry, &gpuvm_core.submissions[position], sizeof entry);
                            entry[0]--;
                            entry[1]--;
                            if (arguments != NULL) {
                                CHECK(gpuvm_core.data + entry[2] == arguments);
                                entry[2] = position * GPUVM_MAX_ARGUMENT_BYTES;
                            }
                            print("entry", entry, sizeof entry);
                            if (arguments != NULL) {
                                char name[64];
                                snprintf(name, sizeof name, "arguments %" PRIx64, entry[2]);
                                print(name, arguments, bytes);
                            }
                        }

                        int main(void)
                        {
                            struct gpuvm_message message;
                            fake_start((struct fake_options){
                                .submission_entries = ENTRIES, .completion_entries = ENTRIES});
                            CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
                            atomic_store(&fake->is_held, true);
                        """
                                .replace("ENTRIES", "256"));
        for (Call call : calls) {
            text.append("    CHECK_SUCCESS(%s);\n    publish(&message);\n".formatted(call.fill));
        }
        return text.append("    return 0;\n}\n").toString();
    }
}
