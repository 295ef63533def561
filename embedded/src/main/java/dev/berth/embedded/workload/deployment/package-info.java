/** The Deployment controller: one replica set a template, rolled over within the bounds of availability. */
@NullMarked
package dev.berth.embedded.workload.deployment;

import org.jspecify.annotations.NullMarked;
