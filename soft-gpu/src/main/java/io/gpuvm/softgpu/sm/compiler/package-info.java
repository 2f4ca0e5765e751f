/// Makes classes of kernels.
///
/// From outside: [io.gpuvm.softgpu.sm.compiler.KernelCompiler].
package io.gpuvm.softgpu.sm.compiler;
