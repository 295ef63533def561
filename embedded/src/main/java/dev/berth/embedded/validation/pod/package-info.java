/** The rules of pods and of the pod templates of workloads. */
@NullMarked
package dev.berth.embedded.validation.pod;

import org.jspecify.annotations.NullMarked;
