/// A GF100 in software, behind the GPU device port. Starts no thread for the engines.
package io.gpuvm.softgpu;
