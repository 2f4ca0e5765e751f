package io.gpuvm.tests.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// A simple name means one public class of the product, whichever module a reader is in. Nested
/// classes are read with the name of the class around them, and are left out.
final class PublicNamesTest {
    @Test
    void givenPublicClassesOfTheProduct_whenGroupedByName_thenNoTwoShareOne() {
        Set<String> packages = PackageHomes.of(ModuleGraph.ofTheProduct()).modules().keySet();
        Map<String, List<String>> classes =
                new ClassFileImporter()
                                .withImportOption(new ImportOption.DoNotIncludeTests())
                                .importPackages("io.gpuvm")
                                .stream()
                                .filter(JavaClass::isTopLevelClass)
                                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                                .filter(type -> packages.contains(type.getPackageName()))
                                .collect(
                                        Collectors.groupingBy(
                                                JavaClass::getSimpleName,
                                                TreeMap::new,
                                                Collectors.mapping(
                                                        JavaClass::getName, Collectors.toList())));
        assertTrue(classes.containsKey("GpuDevice"), "the product's classes are on the class path");

        assertEquals(
                List.of(), classes.values().stream().filter(names -> names.size() > 1).toList());
    }
}
