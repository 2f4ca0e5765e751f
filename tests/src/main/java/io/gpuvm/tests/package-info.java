/// Tests across modules, and the tools that run real guests.
package io.gpuvm.tests;
