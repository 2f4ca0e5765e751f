/// The demonstration, without virtual machines.
package io.gpuvm.demo;
