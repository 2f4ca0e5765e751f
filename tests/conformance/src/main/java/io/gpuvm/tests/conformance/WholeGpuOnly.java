package io.gpuvm.tests.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// What a virtual GPU does differently, on purpose: skipped there, with the reason.
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@interface WholeGpuOnly {
    /// The reason.
    String value();
}
