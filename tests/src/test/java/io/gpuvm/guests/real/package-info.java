/// Tests of the runner of real guests, and tests by real guests (tag `realguest`).
package io.gpuvm.guests.real;
