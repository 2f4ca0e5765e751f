/// Tests of the backend as a process, from an operator's view.
package io.gpuvm.tests.serve;
