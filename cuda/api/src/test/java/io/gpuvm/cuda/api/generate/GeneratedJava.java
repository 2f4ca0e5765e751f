package io.gpuvm.cuda.api.generate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cuda.api.table.ApiTable;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// Compiled and loaded Java classes of a table.
final class GeneratedJava implements AutoCloseable {
    private final URLClassLoader loader;

    /// Generates and compiles the classes, with warnings as errors.
    GeneratedJava(ApiTable table, Path folder) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (GeneratedFile file : GeneratedFile.all()) {
            if (file.folder().equals("java")) {
                Path source = folder.resolve(file.fileName());
                Files.writeString(source, file.generator().generate(table));
                sources.add(source);
            }
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean isCompiled =
                    compiler.getTask(
                                    messages,
                                    files,
                                    null,
                                    List.of(
                                            "-Xlint:all",
                                            "-Werror",
                                            "-Xdoclint:all,-missing",
                                            "-d",
                                            folder.toString()),
                                    null,
                                    files.getJavaFileObjectsFromPaths(sources))
                            .call();
            assertTrue(isCompiled, messages.toString());
        }
        loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
    }

    /// Returns a class by its simple name, such as `CudaCall$MemAlloc`.
    Class<?> type(String name) throws ClassNotFoundException {
        return loader.loadClass(JavaSignatures.PACKAGE + "." + name);
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
