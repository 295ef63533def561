package dev.berth.engine;

import dev.berth.core.fact.Fact;

/** A fact could not be applied. The ledger may have applied a part of it, so the loop ends. */
final class FactProcessingException extends IllegalStateException {
    private static final long serialVersionUID = 1L;
    private static final int MAX_LENGTH = 500;

    FactProcessingException(Fact fact, RuntimeException bug) {
        super(
                "processing %s failed (%s). If this repeats, edit or delete the object, and report the bug"
                        .formatted(shortened(fact.toString()), bug),
                bug);
    }

    private static String shortened(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
    }
}
