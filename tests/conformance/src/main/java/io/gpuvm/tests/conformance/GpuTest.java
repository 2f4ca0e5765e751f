package io.gpuvm.tests.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// Marks a test class whose constructor has a parameter of type [Bench] (a GPU that was just reset)
/// or [DrivenGpu].
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(BenchExtension.class)
@interface GpuTest {
    /// Tag of tests of the GPU's engines and units, whose result does not depend on the access to
    /// the GPU. A short run on a card omits them.
    String ENGINES = "engines";
}
