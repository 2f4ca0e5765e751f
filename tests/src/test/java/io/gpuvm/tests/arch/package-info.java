/// Tests of the dependencies between modules and packages.
package io.gpuvm.tests.arch;
