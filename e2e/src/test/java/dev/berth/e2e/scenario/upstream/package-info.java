/** What Kubernetes' own end-to-end tests ask of a scheduler about predicates and priorities, with kubelets and events. */
@NullMarked
package dev.berth.e2e.scenario.upstream;

import org.jspecify.annotations.NullMarked;
