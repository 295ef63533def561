/** The Deployment controller: one replica set a template, rolled over within the bounds of availability. */
@NullMarked
package dev.berth.sandbox.controller.deployment;

import org.jspecify.annotations.NullMarked;
