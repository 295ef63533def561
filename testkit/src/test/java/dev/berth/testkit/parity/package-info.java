/**
 * The referee: random clusters and pods, on which kube-scheduler's own code and Berth each decide. They must find the same
 * nodes feasible, with the same scores, and refuse in the same words.
 */
@NullMarked
package dev.berth.testkit.parity;

import org.jspecify.annotations.NullMarked;
