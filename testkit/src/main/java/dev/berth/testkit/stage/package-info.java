/**
 * The stages on which tests run: the sandbox, a real control plane with Berth, or a real control plane with
 * kube-scheduler.
 */
@NullMarked
package dev.berth.testkit.stage;

import org.jspecify.annotations.NullMarked;
