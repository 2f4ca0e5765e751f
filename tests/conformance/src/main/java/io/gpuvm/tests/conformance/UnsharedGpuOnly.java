package io.gpuvm.tests.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks tests of behaviour that a virtual GPU intentionally lacks. Such tests are skipped on a GPU
/// that virtual machines share, with the given reason.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@interface UnsharedGpuOnly {
    /// Returns the reason.
    String value();
}
