/** Reads a KubeSchedulerConfiguration: what of it Berth does comes out as values, and what it cannot do is named. */
@NullMarked
package dev.berth.kubernetes.schedulerconfig;

import org.jspecify.annotations.NullMarked;
