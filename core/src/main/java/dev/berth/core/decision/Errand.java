package dev.berth.core.decision;

/** What became of the wish that a pod go to a node which somebody else chose. */
public sealed interface Errand {
    /** The bind is on its way; whoever wishes the same again gets the same. */
    record Sent(Effect.Bind bind) implements Errand {}

    /** The pod is there already. */
    record There() implements Errand {}

    /** It cannot be, in words. */
    record Refused(String words) implements Errand {}
}
