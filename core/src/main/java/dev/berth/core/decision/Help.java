package dev.berth.core.decision;

import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.filter.Veto;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a door can do for a pod that no node takes.
 *
 * @param now whether it can have a node take the pod as things are
 * @param words what to tell the pod's author besides; empty when there is nothing to say
 * @param later the kinds of events after which it may be able to
 */
public record Help(boolean now, String words, Set<Hint> later) {
    public static final Help NONE = new Help(false, "", Set.of());
    public static final Help NOW = new Help(true, "", Set.of());

    public Help {
        later = Set.copyOf(later);
    }

    /** Not as things are, for the reason given. */
    public static Help not(String words) {
        return new Help(false, words, Set.of());
    }

    /** The kinds of events that can lift these. */
    public static Set<Hint> lifting(List<Veto> vetoes) {
        EnumSet<Hint> hints = EnumSet.noneOf(Hint.class);
        vetoes.forEach(veto -> hints.addAll(veto.hints()));
        return hints;
    }
}
