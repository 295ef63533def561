/** Validation of the containers, resources and volumes of a pod. */
@NullMarked
package dev.berth.sandbox.validation.pod.container;

import org.jspecify.annotations.NullMarked;
