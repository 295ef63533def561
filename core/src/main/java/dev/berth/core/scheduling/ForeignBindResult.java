package dev.berth.core.scheduling;

import dev.berth.core.effect.Effect;

/** The result of a request to bind a pod to a node that another scheduler chose. */
public sealed interface ForeignBindResult {
    /** The bind is among the effects. */
    record Sent(Effect.Bind bind) implements ForeignBindResult {}

    /** The pod is bound to the node, or a bind to it was sent before. */
    record AlreadyAssigned() implements ForeignBindResult {}

    record Refused(String message) implements ForeignBindResult {}
}
