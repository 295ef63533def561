/** The rules of a pod's containers: what they run, mount, learn and ask for. */
@NullMarked
package dev.berth.sandbox.validation.pod.container;

import org.jspecify.annotations.NullMarked;
