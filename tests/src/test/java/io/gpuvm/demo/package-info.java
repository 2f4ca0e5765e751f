/// Tests that start and end the demonstration as users do.
package io.gpuvm.demo;
