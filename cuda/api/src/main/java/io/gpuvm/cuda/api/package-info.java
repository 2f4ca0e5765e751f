/// The CUDA driver API and the CUDA runtime API as data: entry point of the generators.
package io.gpuvm.cuda.api;
