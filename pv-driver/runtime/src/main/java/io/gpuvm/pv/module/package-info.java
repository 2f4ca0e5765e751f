/// Modules on their way to a GPU: from a [io.gpuvm.gf100.cubin.Cubin] to the bytes that go to its
/// memory, with addresses filled in, and to what a launch of each kernel needs.
///
/// Pure: nothing here knows a GPU. [io.gpuvm.pv.module.ModuleImage] is where to start.
package io.gpuvm.pv.module;
