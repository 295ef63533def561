package dev.berth.core.framework;

import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.EventTarget;
import java.util.function.Predicate;

/**
 * A placement request of a door that may preempt pods. A request is not a pod, but needs resources of a node like a pod.
 *
 * @param pod the requested place as a pod; its nominated node is the one that the door's object shows
 * @param object the door's object, as the target of events
 * @param preemptible which pods of lower priority the request may preempt
 */
public record PreemptingRequest(Pod pod, EventTarget object, Predicate<Pod> preemptible) {}
