/// Compiles kernels to Java classes.
///
/// Entry point for other packages: [io.gpuvm.softgpu.sm.compiler.KernelCompiler].
package io.gpuvm.softgpu.sm.compiler;
