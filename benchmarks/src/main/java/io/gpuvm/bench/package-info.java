/// Measurements that need real guests.
package io.gpuvm.bench;
