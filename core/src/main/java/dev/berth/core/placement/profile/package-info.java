/** By which rules and wishes the pods of one scheduler's name are placed: what kube-scheduler calls a profile, as values. */
@NullMarked
package dev.berth.core.placement.profile;

import org.jspecify.annotations.NullMarked;
