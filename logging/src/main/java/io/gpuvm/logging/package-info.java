/// How many lines of the log others may cause.
package io.gpuvm.logging;
