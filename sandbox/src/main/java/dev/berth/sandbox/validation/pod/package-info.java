/** The rules of pods and of the pod templates of workloads. */
@NullMarked
package dev.berth.sandbox.validation.pod;

import org.jspecify.annotations.NullMarked;
