/// Software GPU for tests of modules that use a running GPU.
package io.gpuvm.tests.gpu;
