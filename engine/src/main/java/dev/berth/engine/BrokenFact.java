package dev.berth.engine;

import dev.berth.core.decision.Fact;

/** A fact that could not be taken in. The ledger may have half of it, so that the loop ends. */
final class BrokenFact extends IllegalStateException {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST = 500;

    BrokenFact(Fact fact, RuntimeException bug) {
        super(
                "%s could not be taken in (%s). If Berth breaks here again, edit or delete that object, and report the bug"
                        .formatted(shortened(fact.toString()), bug),
                bug);
    }

    private static String shortened(String words) {
        return words.length() <= LONGEST ? words : words.substring(0, LONGEST) + "...";
    }
}
