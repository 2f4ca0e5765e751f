/// Software GF100 behind the GPU device port. It starts no thread for the engines.
package io.gpuvm.softgpu;
