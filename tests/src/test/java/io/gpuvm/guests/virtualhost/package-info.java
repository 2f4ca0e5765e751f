/// Tests of the virtual host, and tests that run inside it.
package io.gpuvm.guests.virtualhost;
