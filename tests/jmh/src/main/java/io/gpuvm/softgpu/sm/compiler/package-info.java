/// What ways to a warp's registers cost, of which compiled kernels take the fastest.
package io.gpuvm.softgpu.sm.compiler;
