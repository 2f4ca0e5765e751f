/// The demonstration: a real guest on a GPU in software, told while it happens.
package io.gpuvm.tests.demo;
