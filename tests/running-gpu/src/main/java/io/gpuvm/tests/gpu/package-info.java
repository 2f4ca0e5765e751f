/// Running software GPU for tests of other modules.
package io.gpuvm.tests.gpu;
