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

/// Tests that the simple names of the product's public classes are unique across modules. Nested
/// classes are named with their enclosing class and are exempt.
final class PublicNamesTest {
    @Test
    void givenPublicClassesOfProduct_whenGroupedByName_thenNamesAreUnique() {
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
