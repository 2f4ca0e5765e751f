/// The Linux system calls that gpuvm makes, each once.
package io.gpuvm.linux;
