/// A software GPU that runs, for tests of modules that use a GPU.
package io.gpuvm.tests.gpu;
