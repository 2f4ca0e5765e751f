/// Rate limits for log lines that guests and clients cause.
package io.gpuvm.logging;
