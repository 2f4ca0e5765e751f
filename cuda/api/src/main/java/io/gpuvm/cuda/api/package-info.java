/// The CUDA driver API as data: entry point of the generators.
package io.gpuvm.cuda.api;
