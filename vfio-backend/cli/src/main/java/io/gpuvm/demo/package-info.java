/// The demonstration: guests of every kind on one software GPU, with live figures.
package io.gpuvm.demo;
