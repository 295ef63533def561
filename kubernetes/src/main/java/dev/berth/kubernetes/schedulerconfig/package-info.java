/**
 * Reads a KubeSchedulerConfiguration into scheduling profiles and settings. Unsupported values are rejected by name.
 */
@NullMarked
package dev.berth.kubernetes.schedulerconfig;

import org.jspecify.annotations.NullMarked;
