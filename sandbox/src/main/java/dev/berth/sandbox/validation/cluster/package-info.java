/** The rules of nodes, services, storage, policies and the rest of a cluster. */
@NullMarked
package dev.berth.sandbox.validation.cluster;

import org.jspecify.annotations.NullMarked;
