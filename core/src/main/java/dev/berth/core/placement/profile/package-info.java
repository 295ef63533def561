/**
 * Scheduling profiles, as kube-scheduler calls them: the filters, scores and weights for the pods of one scheduler
 * name, as values.
 */
@NullMarked
package dev.berth.core.placement.profile;

import org.jspecify.annotations.NullMarked;
