/// Backend process, one per host, which owns the GPU and connects virtual machines to it.
package io.gpuvm.daemon;
