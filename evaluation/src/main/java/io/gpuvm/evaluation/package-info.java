/// Runner of an evaluation: its plan, the guests under measurement, and the command.
package io.gpuvm.evaluation;
