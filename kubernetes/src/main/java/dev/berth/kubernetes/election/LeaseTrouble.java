package dev.berth.kubernetes.election;

import java.util.function.Consumer;
import org.slf4j.Logger;

/** Logs what is the matter with a Lease: once until something else is, as it is tried every few seconds, and its end. */
final class LeaseTrouble {
    private final Lines lines;
    private String told = "";

    /** Where the log's lines go. */
    record Lines(Consumer<String> warn, Consumer<String> inform) {
        static Lines of(Logger log) {
            return new Lines(log::warn, log::info);
        }
    }

    LeaseTrouble(Lines lines) {
        this.lines = lines;
    }

    /** Says whether this is new. */
    boolean is(String words) {
        boolean news = !words.equals(told);
        if (news) {
            told = words;
            lines.warn.accept(words);
        }
        return news;
    }

    /** Says whether there was any. */
    boolean isOver(String words) {
        boolean news = !told.isEmpty();
        if (news) {
            told = "";
            lines.inform.accept(words);
        }
        return news;
    }
}
