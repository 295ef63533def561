/** What Kubernetes' own end-to-end tests ask of a scheduler about predicates and priorities, with kubelets and events. */
@NullMarked
package dev.berth.e2e.scenario.e2e;

import org.jspecify.annotations.NullMarked;
