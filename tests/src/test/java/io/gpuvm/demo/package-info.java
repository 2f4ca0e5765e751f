/// Tests of the demonstration, which is started and ended as by users.
package io.gpuvm.demo;
