/// Measurements that need real guests.
package io.gpuvm.tests.bench;
