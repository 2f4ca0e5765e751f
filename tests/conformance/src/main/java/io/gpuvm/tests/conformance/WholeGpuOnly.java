package io.gpuvm.tests.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks tests of operations that only a GPU's owner has. Such tests are skipped on a guest's GPU,
/// with the given reason.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@interface WholeGpuOnly {
    /// Returns the reason.
    String value();
}
