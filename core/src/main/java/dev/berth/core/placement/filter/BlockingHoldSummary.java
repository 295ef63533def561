package dev.berth.core.placement.filter;

import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The holds that a veto names, as in {@code 3 held by Reservation r until 2026-01-01T00:00:00Z, and 2 more holds}. Only
 * a few are named, so that the message stays readable.
 */
public record BlockingHoldSummary(List<BlockingHold> named, int omitted) {
    private static final int MAX_NAMED = 3;

    public BlockingHoldSummary {
        named = List.copyOf(named);
    }

    /** Selects the largest few without sorting: in a full cluster every node may have a blocking hold. */
    public static BlockingHoldSummary of(Collection<BlockingHold> blockingHolds) {
        List<BlockingHold> named = new ArrayList<>();
        for (BlockingHold blockingHold : blockingHolds) {
            if (named.size() < MAX_NAMED
                    || BlockingHold.LARGEST_FIRST.compare(blockingHold, named.get(MAX_NAMED - 1)) < 0) {
                named.add(blockingHold);
                named.sort(BlockingHold.LARGEST_FIRST);
                named.subList(Math.min(MAX_NAMED, named.size()), named.size()).clear();
            }
        }
        return new BlockingHoldSummary(named, blockingHolds.size() - named.size());
    }

    /** An empty set in the order of messages. */
    public static NavigableSet<BlockingHold> newSortedSet() {
        return new TreeSet<>(BlockingHold.LARGEST_FIRST);
    }

    /** The same as {@link #of}, for holds that are already in that order. */
    public static BlockingHoldSummary ofSorted(NavigableSet<BlockingHold> inOrder) {
        List<BlockingHold> named = inOrder.stream().limit(MAX_NAMED).toList();
        return new BlockingHoldSummary(named, inOrder.size() - named.size());
    }

    /** Empty if no hold is named. */
    public String message(Veto veto) {
        return switch (veto.code()) {
            case HOLD_EXHAUSTED -> message(veto.resource(), "left in", "hold");
            case DEVICES -> message(veto.resource(), "used by", "pod");
            case POD_ANTI_AFFINITY, EXISTING_ANTI_AFFINITY -> message(veto.resource(), "because of", "hold");
            default -> message(veto.resource(), "held by", "hold");
        };
    }

    /**
     * The message with other words.
     *
     * @param resource the insufficient resource, if the veto is about an amount
     * @param verb the word between the amount and the name
     * @param kind the word for the listed things
     */
    public String message(Optional<ResourceName> resource, String verb, String kind) {
        String names = named.stream()
                .map(blockingHold -> message(resource, verb, blockingHold))
                .collect(Collectors.joining(", "));
        String rest = omitted == 0 ? "" : ", and %d more %s%s".formatted(omitted, kind, omitted == 1 ? "" : "s");
        return names + rest;
    }

    private static String message(Optional<ResourceName> resource, String verb, BlockingHold blockingHold) {
        String amount = resource.map(name -> Quantity.of(name, blockingHold.amount()) + " ")
                .orElse("");
        String until = blockingHold
                .deadline()
                .map(end -> " until " + end.truncatedTo(ChronoUnit.SECONDS))
                .orElse("");
        return "%s%s %s%s".formatted(amount, verb, blockingHold.origin().displayName(), until);
    }
}
