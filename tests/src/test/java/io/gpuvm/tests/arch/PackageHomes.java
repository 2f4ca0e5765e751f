package io.gpuvm.tests.arch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Map from each package of the product to its only module.
///
/// @param modules names of modules by package
record PackageHomes(Map<String, String> modules) {
    /// Reads the source folders of a graph's modules.
    ///
    /// @throws IllegalStateException if a package is in two modules
    static PackageHomes of(ModuleGraph graph) {
        Path root = Path.of(System.getProperty("gpuvm.root"));
        Map<String, String> modules = new HashMap<>();
        for (String module : graph.modules()) {
            for (String name : packagesOf(root.resolve(module).resolve("src/main/java"))) {
                String other = modules.put(name, module);
                if (other != null) {
                    throw new IllegalStateException(
                            "package=%s, modules=%s and %s".formatted(name, other, module));
                }
            }
        }
        return new PackageHomes(modules);
    }

    /// Returns the module of a package.
    ///
    /// @throws IllegalArgumentException if no module of the graph has the package
    String moduleOf(String name) {
        String module = modules.get(name);
        if (module == null) {
            throw new IllegalArgumentException("package=" + name + " is in no module of the graph");
        }
        return module;
    }

    /// Returns the packages in a folder of sources; none if a module has no Java sources.
    private static List<String> packagesOf(Path sources) {
        if (!Files.isDirectory(sources)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
                    .distinct()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
