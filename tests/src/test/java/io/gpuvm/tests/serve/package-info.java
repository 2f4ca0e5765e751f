/// Tests of the backend as a process, as an operator sees it.
package io.gpuvm.tests.serve;
