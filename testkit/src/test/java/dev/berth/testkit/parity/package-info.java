/**
 * Parity with kube-scheduler: kube-scheduler's own code (the referee) and Berth schedule the same random pods on the same
 * random clusters. Both must find the same nodes feasible, with equal scores and equal messages.
 */
@NullMarked
package dev.berth.testkit.parity;

import org.jspecify.annotations.NullMarked;
