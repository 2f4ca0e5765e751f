package io.gpuvm.cuda.api;

import io.gpuvm.cuda.api.generate.GeneratedFile;
import io.gpuvm.cuda.api.table.ApiTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Command that generates files from the table: `GenerateMain KIND OUT`.
///
/// `KIND` is the kind of one file, and `OUT` that file; or `KIND` is a group of files (`c`, `java`,
/// `runtime`, `text`), and `OUT` their folder. A file that has the generated text already is not
/// written, so that builds see no change.
public final class GenerateMain {
    private static final int WRONG_ARGUMENTS = 2;

    private GenerateMain() {}

    /// Runs the command. Exit status 2 means wrong arguments.
    ///
    /// @param arguments kind and path
    /// @throws IOException if a file cannot be written
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2 || !generate(arguments[0], Path.of(arguments[1]))) {
            System.err.println("usage: GenerateMain KIND OUT, KIND is one of " + kinds());
            System.exit(WRONG_ARGUMENTS);
        }
    }

    /// Generates a file, or the files of a group.
    ///
    /// @return false if the kind is unknown
    /// @throws IOException if a file cannot be written
    static boolean generate(String kind, Path out) throws IOException {
        ApiTable table = ApiTable.load();
        List<GeneratedFile> group =
                GeneratedFile.all().stream().filter(file -> file.folder().equals(kind)).toList();
        for (GeneratedFile file : group) {
            write(out.resolve(file.fileName()), file.generator().generate(table));
        }
        List<GeneratedFile> single =
                GeneratedFile.all().stream().filter(file -> file.kind().equals(kind)).toList();
        for (GeneratedFile file : single) {
            write(out, file.generator().generate(table));
        }
        return !group.isEmpty() || !single.isEmpty();
    }

    private static String kinds() {
        return GeneratedFile.all().stream()
                .flatMap(file -> Stream.of(file.folder(), file.kind()))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static void write(Path file, String text) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            Files.writeString(file, text);
        }
    }
}
