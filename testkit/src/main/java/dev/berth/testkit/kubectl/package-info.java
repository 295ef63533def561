/**
 * {@link dev.berth.testkit.kubectl.KubectlContract}: the commands of a user's first hour with the real kubectl, on any
 * cluster.
 */
@NullMarked
package dev.berth.testkit.kubectl;

import org.jspecify.annotations.NullMarked;
