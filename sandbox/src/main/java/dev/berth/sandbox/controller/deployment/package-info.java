/** The Deployment controller: one ReplicaSet per template, and the rollout between them. */
@NullMarked
package dev.berth.sandbox.controller.deployment;

import org.jspecify.annotations.NullMarked;
