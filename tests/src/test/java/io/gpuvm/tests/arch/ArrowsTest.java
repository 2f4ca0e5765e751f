package io.gpuvm.tests.arch;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import java.util.Set;

/// Dependencies between classes: along the arrows of [ModuleGraph], without a cycle of packages,
/// and with what one place only may do.
@AnalyzeClasses(packages = "io.gpuvm", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArrowsTest {
    private static final String PV_FUNCTION = "io.gpuvm.pv.host.pci..";
    private static final String TRAP = "io.gpuvm.trap..";
    private static final String TESTS = "io.gpuvm.tests..";

    @ArchTest
    static final ArchRule classesFollowTheArrowsOfTheirModule =
            classes().that().resideOutsideOfPackage(TESTS).should(followTheArrows());

    @ArchTest
    static final ArchRule packagesFormNoCycle =
            slices().matching("io.gpuvm.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule onlyThePciFunctionOfParavirtualGuestsIsTrapped =
            noClasses()
                    .that()
                    .resideInAPackage("io.gpuvm.pv..")
                    .and()
                    .resideOutsideOfPackage(PV_FUNCTION)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(TRAP);

    @ArchTest
    static final ArchRule chronicleAppearsInOnePackage = appearsOnlyIn("net.openhft..", "record");

    @ArchTest static final ArchRule jnrFfiAppearsInOnePackage = appearsOnlyIn("jnr..", "linux");

    @ArchTest static final ArchRule jnaAppearsInOnePackage = appearsOnlyIn("com.sun.jna..", "vfio");

    /// But for the workers of compute kernels, which exist only for as long as their GPU, and work
    /// only while its engine thread does; and for the thread that compiles kernels, which exists
    /// for no longer, and touches neither the GPU nor what it works on.
    @ArchTest
    static final ArchRule onlyTheBackendStartsThreads =
            noClasses()
                    .that()
                    .resideInAnyPackage(
                            "io.gpuvm.gf100..",
                            "io.gpuvm.linux..",
                            "io.gpuvm.shadow..",
                            "io.gpuvm.softgpu..",
                            TRAP,
                            "io.gpuvm.pv.host..",
                            "io.gpuvm.vfio..",
                            "io.gpuvm.record..")
                    .and()
                    .doNotHaveFullyQualifiedName("io.gpuvm.softgpu.grid.Worker")
                    .and()
                    .doNotHaveFullyQualifiedName("io.gpuvm.softgpu.sm.BackgroundCompiler")
                    .and()
                    .doNotHaveFullyQualifiedName("io.gpuvm.vfio.CardWatch")
                    .should(ArchConditions.callMethod(Thread.class, "start"))
                    .orShould(ArchConditions.callMethod(Thread.class, "ofPlatform"))
                    .orShould(ArchConditions.callMethod(Thread.class, "ofVirtual"));

    @ArchTest
    static final ArchRule noDumpingGrounds =
            noClasses()
                    .should()
                    .resideInAnyPackage(
                            "..util..", "..utils..", "..common..", "..helper..", "..manager..")
                    .orShould()
                    .haveNameMatching(".*(Util|Utils|Helper|Manager)");

    @ArchTest
    static final ArchRule noUnsafe =
            noClasses()
                    .should()
                    .dependOnClassesThat(resideInAnyPackage("sun.misc..", "jdk.internal.."));

    private static ArchRule appearsOnlyIn(String library, String onePackage) {
        return noClasses()
                .that()
                .resideOutsideOfPackage("io.gpuvm." + onePackage + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library);
    }

    /// Judges each dependency by the modules of both ends, the JDK's classes aside.
    private static ArchCondition<JavaClass> followTheArrows() {
        ModuleGraph graph = ModuleGraph.ofTheProduct();
        PackageHomes homes = PackageHomes.of(graph);
        DescribedPredicate<JavaClass> jdk =
                resideInAPackage("java..").or(resideInAPackage("javax.."));
        return new ArchCondition<>("follow the arrows of their module") {
            @Override
            public void check(JavaClass from, ConditionEvents events) {
                String module = homes.moduleOf(from.getPackageName());
                for (var dependency : from.getDirectDependenciesFromSelf()) {
                    JavaClass to = dependency.getTargetClass().getBaseComponentType();
                    if (!to.isPrimitive() && !jdk.test(to) && !isAllowed(module, to)) {
                        events.add(
                                SimpleConditionEvent.violated(
                                        dependency, module + ": " + dependency.getDescription()));
                    }
                }
            }

            private boolean isAllowed(String module, JavaClass to) {
                String name = to.getPackageName();
                if (name.startsWith("io.gpuvm")) {
                    String home = homes.moduleOf(name);
                    return home.equals(module) || graph.uses().get(module).contains(home);
                }
                return graph.libraries().getOrDefault(module, Set.of()).stream()
                        .anyMatch(prefix -> name.equals(prefix) || name.startsWith(prefix + "."));
            }
        };
    }
}
