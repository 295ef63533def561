package dev.berth.core.door.reserve;

import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Origin;

/** News of a Hold object. */
public sealed interface HoldFact extends Fact.OfDoor {
    /** It is there and says this. */
    record Seen(String name, String uid, HoldSpec spec) implements HoldFact {}

    /** It is there, and what it says makes no sense. */
    record Malformed(String name, String uid, String problem) implements HoldFact {}

    record Gone(String uid) implements HoldFact {}

    @Override
    default Origin.Door door() {
        return Origin.Door.RESERVE;
    }
}
