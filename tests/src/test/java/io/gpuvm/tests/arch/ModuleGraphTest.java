package io.gpuvm.tests.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// Tests that the graph of modules equals the Maven build and the drawing in
/// `docs/architecture.md`.
class ModuleGraphTest {
    private static final Path ROOT = Path.of(System.getProperty("gpuvm.root"));
    private static final ModuleGraph GRAPH = ModuleGraph.ofTheProduct();

    @Test
    void givenListOfModules_whenReadFromTop_thenEachModuleUsesOnlyModulesAbove() {
        Set<String> above = new HashSet<>();
        for (String module : GRAPH.modules()) {
            assertTrue(
                    above.containsAll(GRAPH.uses().get(module)),
                    () -> module + " uses a module that is not above it");
            above.add(module);
        }
    }

    @Test
    void givenBuild_whenModulesAreListed_thenModulesEqualGraphInOrder() throws Exception {
        List<String> built = texts(pom(ROOT), "module");

        assertEquals(GRAPH.modules(), built.subList(0, GRAPH.modules().size()));
    }

    @Test
    void givenModule_whenDependenciesAreRead_thenDependenciesEqualArrows() throws Exception {
        for (String module : GRAPH.modules()) {
            Set<String> expected =
                    GRAPH.uses().get(module).stream()
                            .map(ModuleGraph::artifact)
                            .collect(Collectors.toCollection(TreeSet::new));

            assertEquals(expected, dependencies(pom(ROOT.resolve(module)), false), module);
        }
    }

    /// Tests dependencies with test scope. Maven omits such a module from the runtime class path of
    /// the declaring module, even if the runtime class path reaches it indirectly.
    @Test
    void givenModule_whenTestDependenciesAreRead_thenNoTestDependencyIsRuntimeDependency()
            throws Exception {
        for (String module : GRAPH.modules()) {
            Set<String> both =
                    GRAPH.reachedFrom(module).stream()
                            .map(ModuleGraph::artifact)
                            .collect(Collectors.toCollection(TreeSet::new));
            both.retainAll(dependencies(pom(ROOT.resolve(module)), true));

            assertEquals(Set.of(), both, module);
        }
    }

    @Test
    void givenDrawing_whenArrowsAreRead_thenArrowsEqualGraph() throws IOException {
        String text = Files.readString(ROOT.resolve("docs/architecture.md"));
        String drawing = text.substring(text.indexOf("```mermaid"));
        Set<String> drawn =
                Pattern.compile("^ +(\\S+ --> \\S+)$", Pattern.MULTILINE)
                        .matcher(drawing.substring(0, drawing.indexOf("```\n")))
                        .results()
                        .map(result -> result.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(GRAPH.drawing(), drawn);
    }

    @Test
    void givenReadme_whenTableIsRead_thenEveryModuleHasRow() throws IOException {
        Set<String> rows =
                Pattern.compile("^\\| `([^`]+)/` \\|", Pattern.MULTILINE)
                        .matcher(Files.readString(ROOT.resolve("README.md")))
                        .results()
                        .map((MatchResult result) -> result.group(1))
                        .collect(Collectors.toSet());

        for (String module : GRAPH.modules()) {
            assertTrue(rows.contains(module), () -> module + " has no row in README.md");
        }
    }

    private static Set<String> dependencies(Element pom, boolean forTests) {
        Set<String> names = new TreeSet<>();
        NodeList all = pom.getElementsByTagName("dependency");
        for (int i = 0; i < all.getLength(); i++) {
            Element dependency = (Element) all.item(i);
            boolean isOurs = texts(dependency, "groupId").contains("io.gpuvm");
            if (isOurs && texts(dependency, "scope").contains("test") == forTests) {
                names.addAll(texts(dependency, "artifactId"));
            }
        }
        return names;
    }

    private static Element pom(Path folder) throws Exception {
        File file = folder.resolve("pom.xml").toFile();
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file)
                .getDocumentElement();
    }

    private static List<String> texts(Element in, String tag) {
        NodeList all = in.getElementsByTagName(tag);
        return IntStream.range(0, all.getLength())
                .mapToObj(i -> all.item(i).getTextContent().strip())
                .toList();
    }
}
