/// The comparison with PoCL.
package io.gpuvm.tests.pocl;
