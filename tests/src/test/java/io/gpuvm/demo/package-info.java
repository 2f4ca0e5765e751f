/// Tests of the demonstration, started and ended as by its users.
package io.gpuvm.demo;
