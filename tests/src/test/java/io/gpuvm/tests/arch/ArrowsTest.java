package io.gpuvm.tests.arch;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import java.lang.invoke.MethodHandles;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;

/// Rules on dependencies between classes. Dependencies follow the arrows of [ModuleGraph], packages
/// have no cycles, and some libraries and calls are restricted to named classes.
@AnalyzeClasses(packages = "io.gpuvm", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArrowsTest {
    private static final String PV_FUNCTION = "io.gpuvm.pv.host.pci..";
    private static final String TRAP = "io.gpuvm.trap..";
    private static final String TESTS = "io.gpuvm.tests..";

    /// Exception to [#noUnsafe]. Compiled kernels access registers, which are in one array of
    /// integers, as floats or as integers; the JVM vectorizes such accesses only with `Unsafe`.
    /// Four dependent multiply-adds of a warp take 12 ns with `Unsafe`, 58 ns with
    /// [Float#intBitsToFloat] and 128 ns with a `MemorySegment` of the array: minima of 36
    /// alternating rounds of `RowAccessBenchmark` (`tests/jmh`).
    private static final String UNSAFE_USER = "io.gpuvm.softgpu.sm.compiler.RowAccess";

    /// Programs that start, attack or measure the product from outside.
    private static final String[] HARNESS = {
        TESTS, "io.gpuvm.guests..", "io.gpuvm.bench..", "io.gpuvm.demo..", "io.gpuvm.evaluation.."
    };

    @ArchTest
    static final ArchRule classesFollowModuleArrows =
            classes().that().resideOutsideOfPackage(TESTS).should(followTheArrows());

    @ArchTest
    static final ArchRule packagesFormNoCycle =
            slices().matching("io.gpuvm.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule onlyPciFunctionOfParavirtualGuestsIsTrapped =
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

    @ArchTest
    static final ArchRule doctorUsesOnlyChipAndSysfs =
            usesOfTheProductOnly("doctor", "vfio", "gf100");

    @ArchTest
    static final ArchRule bindingUsesOnlyDoctorAndVfio =
            usesOfTheProductOnly("binding", "doctor", "vfio");

    @ArchTest
    static final ArchRule replayUsesOnlyRecordingsAndClient =
            usesOfTheProductOnly("replay", "record", "trap.client", "gf100", "linux");

    @ArchTest
    static final ArchRule simulationUsesOnlyRecordingsAndScheduler =
            usesOfTheProductOnly("simulate", "record", "sched");

    @ArchTest static final ArchRule jnrFfiAppearsInOnePackage = appearsOnlyIn("jnr..", "linux");

    @ArchTest static final ArchRule jnaAppearsInOnePackage = appearsOnlyIn("com.sun.jna..", "vfio");

    @ArchTest
    static final ArchRule aircompressorAppearsInTwoPackages =
            appearsOnlyIn("io.airlift..", "gf100.cubin", "remote.link");

    /// Restricts the use of Agrona outside recordings and counters to types that need no JDK
    /// internals.
    @ArchTest
    static final ArchRule threadsUseAgronasContractsOnly =
            noClasses()
                    .that()
                    .resideOutsideOfPackages("io.gpuvm.record..", "io.gpuvm.counters..", TESTS)
                    .should()
                    .dependOnClassesThat(
                            resideInAPackage("org.agrona..")
                                    .and(
                                            DescribedPredicate.not(
                                                    belongToAnyOf(
                                                            Agent.class,
                                                            AgentTerminationException.class,
                                                            IdleStrategy.class,
                                                            Long2ObjectHashMap.class))));

    /// Requires that [io.gpuvm.linux.agent.AgentThread] starts all threads except the JVM's
    /// shutdown hooks, which must be unstarted threads.
    @ArchTest
    static final ArchRule onlyAgentThreadStartsThreads =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(HARNESS)
                    .and(
                            areNone(
                                    "io.gpuvm.linux.agent.AgentThread",
                                    "io.gpuvm.cli.Shutdown",
                                    "io.gpuvm.cli.ForeignCommand",
                                    "io.gpuvm.cli.GpuGuard"))
                    .should(ArchConditions.callMethod(Thread.class, "start"))
                    .orShould(ArchConditions.callMethodWhere(isOf(Thread.class, "ofPlatform")))
                    .orShould(ArchConditions.callMethodWhere(isOf(Thread.class, "ofVirtual")))
                    .orShould(
                            ArchConditions.callMethodWhere(
                                    isOf(Thread.class, "startVirtualThread")))
                    .orShould(ArchConditions.callConstructorWhere(isOf(Thread.class, "<init>")))
                    .orShould()
                    .dependOnClassesThat()
                    .areAssignableTo(Executor.class)
                    .orShould()
                    .dependOnClassesThat()
                    .areAssignableTo(Executors.class);

    /// Restricts agent threads to the daemon, to threads that exist as long as one GPU (workers,
    /// the compiler of kernels, the watch over a card), to the native transport, for the GPU's
    /// interrupts, and to the thread for TLS handshakes, which agents use, too.
    @ArchTest
    static final ArchRule onlyDaemonStartsAgents =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(HARNESS)
                    .and()
                    .resideOutsideOfPackage("io.gpuvm.daemon..")
                    .and(
                            areNone(
                                    "io.gpuvm.linux.agent.AgentThread",
                                    "io.gpuvm.softgpu.grid.Worker",
                                    "io.gpuvm.softgpu.sm.BackgroundCompiler",
                                    "io.gpuvm.vfio.CardWatch",
                                    "io.gpuvm.remote.link.TlsTasks",
                                    "io.gpuvm.pv.bare.InterruptThread"))
                    .should()
                    .dependOnClassesThat()
                    .haveFullyQualifiedName("io.gpuvm.linux.agent.AgentThread");

    /// Restricts parking to agent threads. Other threads sleep for a bounded time if no signal
    /// could wake them:
    ///
    /// - A register (`RegisterPort`), a card's power state (`PciConfig`) and a PCI function polled
    ///   by a program in a guest (`PciConnection`) send no signal, nor does nouveau (`Pauses`), nor
    ///   a lock of a file (`SessionClaim`).
    /// - Signals would be too expensive for a free slot in the recorder's ring (`RecordRing`), an
    ///   answer of the GPU's owner (`RequestCalls`), the owner's own channel (`ScrubChannel`), the
    ///   end of a time slice (`GridRunner`) and the engines (`Baton`). The signalling side would
    ///   have to check for a waiting thread in each of hundreds of thousands of operations per
    ///   second.
    /// - The workload that polls a clock is paced (`SpinLoop`).
    @ArchTest
    static final ArchRule onlyAgentsPark =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(HARNESS)
                    .and(
                            areNone(
                                    "io.gpuvm.linux.agent.ThreadWait",
                                    "io.gpuvm.gf100.driver.RegisterPort",
                                    "io.gpuvm.vfio.PciConfig",
                                    "io.gpuvm.pv.nouveau.Pauses",
                                    "io.gpuvm.pv.remote.PciConnection",
                                    "io.gpuvm.pv.remote.SessionClaim",
                                    "io.gpuvm.record.RecordRing",
                                    "io.gpuvm.port.RequestCalls",
                                    "io.gpuvm.owner.ScrubChannel",
                                    "io.gpuvm.softgpu.grid.GridRunner",
                                    "io.gpuvm.softgpu.fifo.Baton",
                                    "io.gpuvm.workloads.SpinLoop"))
                    .should()
                    .dependOnClassesThat()
                    .areAssignableTo(LockSupport.class);

    /// Methods that block a thread without [LockSupport], by class.
    private static final Map<Class<?>, Set<String>> WAITS =
            Map.ofEntries(
                    entry(Object.class, Set.of("wait")),
                    entry(Thread.class, Set.of("sleep", "join")),
                    entry(TimeUnit.class, Set.of("sleep", "timedWait", "timedJoin")),
                    entry(
                            Condition.class,
                            Set.of("await", "awaitNanos", "awaitUntil", "awaitUninterruptibly")),
                    entry(CountDownLatch.class, Set.of("await")),
                    entry(CyclicBarrier.class, Set.of("await")),
                    entry(Phaser.class, Set.of("awaitAdvance", "arriveAndAwaitAdvance")),
                    entry(Exchanger.class, Set.of("exchange")),
                    entry(
                            Semaphore.class,
                            Set.of("acquire", "acquireUninterruptibly", "tryAcquire")),
                    entry(BlockingQueue.class, Set.of("take", "put", "poll", "offer")),
                    entry(
                            BlockingDeque.class,
                            Set.of("takeFirst", "takeLast", "pollFirst", "pollLast")),
                    entry(Future.class, Set.of("get", "join")),
                    entry(Process.class, Set.of("waitFor")));

    /// Restricts blocking calls. Agents sleep as described in [#onlyAgentsPark]. Other threads
    /// block as follows:
    ///
    /// - a thread that closes an agent waits for the end of its thread, for a limited time
    ///   (`AgentThread`);
    /// - threads of a program wait for the GPU, and for their turn to use it (`InterruptWaiters`,
    ///   `CommandLink`);
    /// - `main` waits for a signal, and the hook that the signal runs waits for `main` (`Service`,
    ///   `GpuGuard`);
    /// - the control socket's thread waits for the GPU's owner, for a limited time, in which only
    ///   its clients wait (`ChangeWait`);
    /// - a command waits for a program that it has started (`CommandScript`, `ForeignCommand`,
    ///   `Programs`, `Steps`), or for a GPU behind a socket to become idle, which no signal
    ///   announces (`EndStateReader`);
    /// - without a terminal, `gpuvm top` waits for the end of its interval (`TopCommand`);
    /// - a replay waits for the time at which the recorded guest continued, or for a register to
    ///   have the recorded value (`Replay`).
    @ArchTest
    static final ArchRule onlyListedClassesBlock =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(HARNESS)
                    .and(
                            areNone(
                                    "io.gpuvm.linux.agent.AgentThread",
                                    "io.gpuvm.pv.bare.InterruptWaiters",
                                    "io.gpuvm.pv.remote.CommandLink",
                                    "io.gpuvm.cli.Shutdown",
                                    "io.gpuvm.cli.GpuGuard",
                                    "io.gpuvm.cli.CommandScript",
                                    "io.gpuvm.cli.ForeignCommand",
                                    "io.gpuvm.cli.TopCommand",
                                    "io.gpuvm.cuda.compiler.Steps",
                                    "io.gpuvm.daemon.ChangeWait",
                                    "io.gpuvm.replay.EndStateReader",
                                    "io.gpuvm.replay.Replay",
                                    "io.gpuvm.doctor.Programs"))
                    .should(ArchConditions.accessTargetWhere(isWait()));

    @ArchTest
    static final ArchRule noDumpingGrounds =
            noClasses()
                    .should()
                    .resideInAnyPackage(
                            "..util..", "..utils..", "..common..", "..helper..", "..manager..")
                    .orShould()
                    .haveNameMatching(".*(Util|Utils|Helper|Manager)");

    /// Restricts reflection, which can reach `Unsafe` without a dependency, as [#UNSAFE_USER] does,
    /// or load a class by name. `UnsafeTest` finds such names in sources. The loader of compiled
    /// kernels creates instances only of classes that it has defined.
    @ArchTest
    static final ArchRule onlyAccessOfCompiledKernelsReflects =
            noClasses()
                    .that()
                    .resideOutsideOfPackage(TESTS)
                    .and(areNone(UNSAFE_USER, "io.gpuvm.softgpu.sm.KernelLoader"))
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("java.lang.reflect..")
                    .orShould(ArchConditions.callMethod(Class.class, "forName", String.class))
                    .orShould(
                            ArchConditions.callMethod(
                                    Class.class,
                                    "forName",
                                    String.class,
                                    boolean.class,
                                    ClassLoader.class))
                    .orShould(
                            ArchConditions.callMethod(ClassLoader.class, "loadClass", String.class))
                    .orShould(
                            ArchConditions.callMethod(
                                    MethodHandles.class,
                                    "privateLookupIn",
                                    Class.class,
                                    MethodHandles.Lookup.class));

    /// Restricts Agrona's `UnsafeBuffer`, which checks bounds, to one ring and to the counters.
    @ArchTest
    static final ArchRule agronasUnsafeIsUsedForOneRingAndCounters =
            noClasses()
                    .that()
                    .doNotHaveFullyQualifiedName("io.gpuvm.record.RecordRing")
                    .and()
                    .resideOutsideOfPackage("io.gpuvm.counters..")
                    .should()
                    .dependOnClassesThat()
                    .haveNameMatching("org\\.agrona\\..*Unsafe.*");

    @ArchTest
    static final ArchRule noUnsafe =
            noClasses()
                    .should()
                    .dependOnClassesThat(resideInAnyPackage("sun.misc..", "jdk.internal.."));

    private static DescribedPredicate<JavaClass> areNone(String... names) {
        Set<String> all = Set.of(names);
        return DescribedPredicate.describe(
                "are none of " + all, type -> !all.contains(outermost(type)));
    }

    private static String outermost(JavaClass type) {
        return type.getName().replaceFirst("\\$.*", "");
    }

    /// Matches calls to a method of a class, with any parameters.
    private static DescribedPredicate<JavaCall<?>> isOf(Class<?> owner, String name) {
        return DescribedPredicate.describe(
                "of " + owner.getSimpleName() + "." + name,
                call ->
                        call.getTargetOwner().isEquivalentTo(owner)
                                && call.getTarget().getName().equals(name));
    }

    /// Matches calls to blocking methods and references to them, including inherited methods.
    private static DescribedPredicate<JavaAccess<?>> isWait() {
        return DescribedPredicate.describe(
                "of a blocking method",
                access ->
                        WAITS.entrySet().stream()
                                .filter(waits -> waits.getValue().contains(access.getName()))
                                .anyMatch(waits -> isOffered(waits.getKey(), access)));
    }

    /// Returns whether a class declares or inherits a blocking method. A method `wait` that a class
    /// declares itself is not [Object#wait()].
    private static boolean isOffered(Class<?> by, JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        return by == Object.class ? owner.isEquivalentTo(by) : owner.isAssignableTo(by);
    }

    /// Returns a rule for a package that shares a module with other packages.
    private static ArchRule usesOfTheProductOnly(String from, String... others) {
        String[] allowed =
                Stream.concat(Stream.of(from), Stream.of(others))
                        .map(name -> "io.gpuvm." + name + "..")
                        .toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage("io.gpuvm." + from + "..")
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.gpuvm..")
                                .and(DescribedPredicate.not(resideInAnyPackage(allowed))));
    }

    private static ArchRule appearsOnlyIn(String library, String... packages) {
        String[] allowed =
                Stream.of(packages).map("io.gpuvm.%s.."::formatted).toArray(String[]::new);
        return noClasses()
                .that()
                .resideOutsideOfPackages(allowed)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library);
    }

    /// Checks each dependency by the modules of both ends. Classes of the JDK are exempt.
    private static ArchCondition<JavaClass> followTheArrows() {
        ModuleGraph graph = ModuleGraph.ofTheProduct();
        DescribedPredicate<JavaClass> jdk =
                resideInAPackage("java..").or(resideInAPackage("javax.."));
        return new ArchCondition<>("follow the arrows of their module") {
            private PackageHomes homes;

            /// Reads the source folders when the rule is checked, because the root of the project
            /// is not known while tests are discovered.
            @Override
            public void init(Collection<JavaClass> all) {
                homes = PackageHomes.of(graph);
            }

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
