/// The arrows between modules and packages, as tests.
package io.gpuvm.tests.arch;
