package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.compiler.KernelClass;
import java.lang.invoke.MethodHandles;

/// Loads generated classes into this package. Each class is hidden, and is unloaded with its only
/// instance.
final class KernelLoader {
    private KernelLoader() {}

    /// Defines a kernel's class.
    ///
    /// @throws LinkageError if the JVM refuses the class
    static CompiledKernel load(KernelClass kernel) {
        try {
            MethodHandles.Lookup lookup =
                    MethodHandles.lookup()
                            .defineHiddenClassWithClassData(
                                    kernel.bytes(), kernel.instructions(), true);
            return (CompiledKernel) lookup.lookupClass().getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot instantiate a generated class", e);
        }
    }
}
