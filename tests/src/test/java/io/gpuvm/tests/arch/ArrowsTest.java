package io.gpuvm.tests.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;

/// Who may depend on whom. Maven rejects cycles between modules; these rules reject the rest.
@AnalyzeClasses(packages = "io.gpuvm", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArrowsTest {
    private static final String GF100 = "io.gpuvm.gf100..";
    private static final String LINUX = "io.gpuvm.linux..";
    private static final String SHADOW = "io.gpuvm.shadow..";
    private static final String SOFT_GPU = "io.gpuvm.softgpu..";
    private static final String TRAP = "io.gpuvm.trap..";
    private static final String PV = "io.gpuvm.pv..";
    private static final String PV_HOST = "io.gpuvm.pv.host..";
    private static final String PV_FUNCTION = "io.gpuvm.pv.host.pci..";
    private static final String WORKLOADS = "io.gpuvm.workloads..";
    private static final String VFIO = "io.gpuvm.vfio..";
    private static final String DOCTOR = "io.gpuvm.doctor..";
    private static final String BINDING = "io.gpuvm.binding..";
    private static final String RECORD = "io.gpuvm.record..";
    private static final String BACKEND = "io.gpuvm.backend..";
    private static final String CLI = "io.gpuvm.cli..";
    private static final String TESTS = "io.gpuvm.tests..";

    @ArchTest
    static final ArchRule theChipOnPaperDependsOnTheJdkOnly = onlyDependsOn(GF100, GF100, "java..");

    @ArchTest
    static final ArchRule systemCallsDependOnTheJdkAndJnrOnly =
            onlyDependsOn(LINUX, LINUX, "java..", "jnr..");

    @ArchTest
    static final ArchRule shadowsKnowTheChipAndTheKernelOnly =
            onlyDependsOn(SHADOW, SHADOW, GF100, LINUX, "java..", "org.slf4j..");

    @ArchTest
    static final ArchRule theSoftwareGpuKnowsTheChipAndTheKernelOnly =
            onlyDependsOn(
                    SOFT_GPU, SOFT_GPU, GF100, LINUX, "java..", "org.agrona..", "org.slf4j..");

    @ArchTest
    static final ArchRule whatAGuestLinksIsSmall =
            ArchRuleDefinition.classes()
                    .that()
                    .resideInAPackage(PV)
                    .and()
                    .resideOutsideOfPackage(PV_HOST)
                    .should()
                    .onlyDependOnClassesThat(
                            JavaClass.Predicates.resideInAnyPackage(
                                            PV, GF100, LINUX, "java..", "org.slf4j..")
                                    .and(JavaClass.Predicates.resideOutsideOfPackage(PV_HOST)));

    @ArchTest
    static final ArchRule theHostOfParavirtualGuestsKnowsPortsOnly =
            onlyDependsOn(
                    PV_HOST,
                    PV_HOST,
                    "io.gpuvm.pv.protocol..",
                    "io.gpuvm.pv.ring..",
                    "io.gpuvm.pv.transport..",
                    TRAP,
                    SHADOW,
                    GF100,
                    LINUX,
                    "java..",
                    "org.slf4j..");

    @ArchTest
    static final ArchRule onlyThePciFunctionOfParavirtualGuestsIsTrapped =
            noClasses()
                    .that()
                    .resideInAPackage(PV)
                    .and()
                    .resideOutsideOfPackage(PV_FUNCTION)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(TRAP);

    @ArchTest
    static final ArchRule workloadsAreUsersOfTheRuntime =
            onlyDependsOn(WORKLOADS, WORKLOADS, PV, GF100, "java..", "com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule schedulingKnowsNoGpu =
            onlyDependsOn("io.gpuvm.sched..", "io.gpuvm.sched..", "java..");

    @ArchTest
    static final ArchRule trappingKnowsNoParticularGpu =
            onlyDependsOn(
                    TRAP,
                    TRAP,
                    SHADOW,
                    GF100,
                    LINUX,
                    "java..",
                    "org.agrona..",
                    "org.slf4j..",
                    "com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule onlyTheBackendNamesAParticularGpu =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(SOFT_GPU, BACKEND, TESTS)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(SOFT_GPU);

    @ArchTest
    static final ArchRule onlyTheBackendAndWhatPreparesCardsNameVfio =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(VFIO, BACKEND, DOCTOR, BINDING, CLI, TESTS)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(VFIO);

    @ArchTest
    static final ArchRule vfioKnowsTheChipAndTheKernelOnly =
            onlyDependsOn(VFIO, VFIO, GF100, LINUX, "java..", "com.sun.jna..");

    @ArchTest
    static final ArchRule theDoctorKnowsTheChipAndSysfsOnly =
            onlyDependsOn(DOCTOR, DOCTOR, VFIO, GF100, "java..");

    @ArchTest
    static final ArchRule whoBindsCardsAsksTheDoctor =
            onlyDependsOn(BINDING, BINDING, DOCTOR, VFIO, "java..");

    @ArchTest
    static final ArchRule theRecorderKnowsWhatItOverhears =
            onlyDependsOn(
                    RECORD,
                    RECORD,
                    TRAP,
                    SHADOW,
                    GF100,
                    LINUX,
                    "java..",
                    "net.openhft..",
                    "org.agrona..",
                    "org.slf4j..",
                    "com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule aReplayIsAClient =
            onlyDependsOn(
                    "io.gpuvm.replay..",
                    "io.gpuvm.replay..",
                    RECORD,
                    "io.gpuvm.trap.client..",
                    GF100,
                    LINUX,
                    "java..",
                    "com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule schedulingAgainKnowsRecordingsAndTheScheduler =
            onlyDependsOn(
                    "io.gpuvm.simulate..",
                    "io.gpuvm.simulate..",
                    RECORD,
                    "io.gpuvm.sched..",
                    "java..");

    @ArchTest
    static final ArchRule chronicleAppearsInOnePackage =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(RECORD)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("net.openhft..");

    @ArchTest
    static final ArchRule onlyTestsDependOnTheCommandLine =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(CLI, TESTS)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(CLI);

    @ArchTest
    static final ArchRule nothingBelowDependsOnTheBackend =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(BACKEND, CLI, TESTS)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(BACKEND);

    @ArchTest
    static final ArchRule jnrFfiAppearsInOnePackage =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(LINUX)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("jnr..");

    @ArchTest
    static final ArchRule jnaAppearsInOnePackage =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(VFIO)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("com.sun.jna..");

    /// But for the workers of compute kernels, which exist only for as long as their GPU, and work
    /// only while its engine thread does; and for the thread that compiles kernels, which exists
    /// for no longer, and touches neither the GPU nor what it works on.
    @ArchTest
    static final ArchRule onlyTheBackendStartsThreads =
            noClasses()
                    .that()
                    .resideInAnyPackage(GF100, LINUX, SHADOW, SOFT_GPU, TRAP, PV_HOST, VFIO, RECORD)
                    .and()
                    .doNotHaveFullyQualifiedName("io.gpuvm.softgpu.grid.Worker")
                    .and()
                    .doNotHaveFullyQualifiedName("io.gpuvm.softgpu.sm.BackgroundCompiler")
                    .and()
                    .doNotHaveFullyQualifiedName("io.gpuvm.vfio.CardWatch")
                    .should(ArchConditions.callMethod(Thread.class, "start"))
                    .orShould(ArchConditions.callMethod(Thread.class, "ofPlatform"))
                    .orShould(ArchConditions.callMethod(Thread.class, "ofVirtual"));

    @ArchTest static final ArchRule packagesOfTheChipFormNoCycle = noCycles("io.gpuvm.gf100.(*)..");

    @ArchTest
    static final ArchRule packagesOfTheSoftwareGpuFormNoCycle = noCycles("io.gpuvm.softgpu.(*)..");

    @ArchTest static final ArchRule packagesOfTrappingFormNoCycle = noCycles("io.gpuvm.trap.(*)..");

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
                    .dependOnClassesThat(
                            JavaClass.Predicates.resideInAnyPackage(
                                    "sun.misc..", "jdk.internal.."));

    private static ArchRule onlyDependsOn(String from, String... allowed) {
        return ArchRuleDefinition.classes()
                .that()
                .resideInAPackage(from)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed);
    }

    private static ArchRule noCycles(String packages) {
        return slices().matching(packages).should().beFreeOfCycles();
    }
}
