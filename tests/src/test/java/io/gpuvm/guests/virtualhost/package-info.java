/// Tests of the virtual host, and what runs in it.
package io.gpuvm.guests.virtualhost;
