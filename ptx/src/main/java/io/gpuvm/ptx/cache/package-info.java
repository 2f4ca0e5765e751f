/// Cache of compiled modules on disk, for the processes of one user.
package io.gpuvm.ptx.cache;
