/// Linux system calls of gpuvm, each bound once.
package io.gpuvm.linux;
