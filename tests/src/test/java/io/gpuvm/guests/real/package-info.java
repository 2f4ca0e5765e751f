/// Tests of the runner of real guests, and tests with real guests (tag `realguest`).
package io.gpuvm.guests.real;
