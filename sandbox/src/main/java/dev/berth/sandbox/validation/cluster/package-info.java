/** Validation of nodes, services, policies, RBAC, events and webhook configurations. */
@NullMarked
package dev.berth.sandbox.validation.cluster;

import org.jspecify.annotations.NullMarked;
