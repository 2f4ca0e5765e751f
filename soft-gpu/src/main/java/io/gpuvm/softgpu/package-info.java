/// A GF100 in software, behind the GPU device port. Starts no thread.
package io.gpuvm.softgpu;
