package io.gpuvm.tests.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// Marks a test class whose constructor takes a [Bench] (a GPU that was just reset) or the
/// [DrivenGpu].
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(BenchExtension.class)
@interface GpuTest {}
