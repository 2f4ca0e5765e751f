package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.WireLayout;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Generator of the Java records of all results, and of the methods that write them.
final class JavaReplies implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text =
                JavaSignatures.file(
                        "java.lang.foreign.MemorySegment", "java.lang.foreign.ValueLayout");
        text.line("/// Results of calls in an entry of the completion ring.");
        text.open("public sealed interface CudaReply {");
        text.line("/// Word of an entry: 64 bits, little-endian.");
        text.line("ValueLayout.OfLong WORD = CudaCall.WORD;");
        table.calls().stream()
                .filter(function -> !function.results().isEmpty())
                .forEach(function -> record(text.blank(), function));
        return text.close("}").toString();
    }

    private static void record(SourceText text, ApiFunction function) {
        List<ApiOperand> results = function.results();
        String name = function.shortName();
        text.format("/// Results of %s.", function.name());
        JavaSignatures.document(text, results);
        text.open(
                "record %s(%s) implements CudaReply {"
                        .formatted(name, JavaSignatures.components(results)));
        text.line("/// Writes results into a completion entry.");
        text.line("///");
        text.line("/// @param entry completion entry, 64 bytes");
        for (ApiOperand result : results) {
            text.format("/// @param %s %s", result.name(), JavaSignatures.meaning(result));
        }
        text.open(
                "public static void put(MemorySegment entry, %s) {"
                        .formatted(JavaSignatures.components(results)));
        for (int i = 0; i < results.size(); i++) {
            text.format("entry.set(WORD, %d, %s);", offset(i), JavaSignatures.word(results.get(i)));
        }
        text.close("}").blank();
        text.line("/// Reads results from a completion entry.");
        text.open("public static %s read(MemorySegment entry) {".formatted(name));
        String values =
                IntStream.range(0, results.size())
                        .mapToObj(i ->
                                JavaSignatures.value(
                                        results.get(i).type(),
                                        "entry.get(WORD, " + offset(i) + ")"))
                        .collect(Collectors.joining(", "));
        text.format("return new %s(%s);", name, values);
        text.close("}").close("}");
    }

    private static int offset(int result) {
        return WireLayout.RESULTS_OFFSET + result * Long.BYTES;
    }
}
