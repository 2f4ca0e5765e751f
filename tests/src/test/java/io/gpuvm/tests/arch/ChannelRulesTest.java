package io.gpuvm.tests.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/// Rules on the state of channels: the fields are private and assigned only by their own class.
/// Each of these classes has a table of legal transitions, which the test of that class covers.
@AnalyzeClasses(packages = "io.gpuvm", importOptions = ImportOption.DoNotIncludeTests.class)
final class ChannelRulesTest {
    private static final Set<String> CHANNELS =
            Set.of(
                    "io.gpuvm.owner.OwnedChannel",
                    "io.gpuvm.owner.CommandTime",
                    "io.gpuvm.owner.EngineNeeds",
                    "io.gpuvm.pv.host.GuestChannel",
                    "io.gpuvm.pv.bare.NativeChannel",
                    "io.gpuvm.pv.remote.PvChannel",
                    "io.gpuvm.shadow.ShadowChannel",
                    "io.gpuvm.softgpu.fifo.Channel",
                    "io.gpuvm.trap.vgpu.VirtualChannel");

    private static final DescribedPredicate<JavaClass> IS_CHANNEL =
            DescribedPredicate.describe(
                    "are channels", type -> CHANNELS.contains(type.getFullName()));

    @ArchTest
    static final ArchRule fieldsOfChannelsArePrivate =
            fields().that()
                    .areDeclaredInClassesThat(IS_CHANNEL)
                    .and()
                    .areNotStatic()
                    .should()
                    .bePrivate();

    @ArchTest
    static final ArchRule noChannelFieldIsAssignedFromOutside =
            noClasses()
                    .should()
                    .accessFieldWhere(
                            DescribedPredicate.describe(
                                    "another class's channel is assigned",
                                    ChannelRulesTest::assignsAnother));

    @ArchTest
    static void everyChannelExists(JavaClasses classes) {
        CHANNELS.forEach(classes::get);
    }

    private static boolean assignsAnother(JavaFieldAccess access) {
        AccessTarget.FieldAccessTarget target = access.getTarget();
        return access.getAccessType() == JavaFieldAccess.AccessType.SET
                && CHANNELS.contains(target.getOwner().getFullName())
                && !access.getOriginOwner().equals(target.getOwner());
    }
}
