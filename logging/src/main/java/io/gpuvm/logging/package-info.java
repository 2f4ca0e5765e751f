/// Rate limits for log lines that guests and clients can cause.
package io.gpuvm.logging;
