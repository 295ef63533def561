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
 * The holds that a veto names, as in {@code 3 held by Reservation r until 2026-01-01T00:00:00Z, and 2 more holds}. At most a few are named, so that a message stays readable where there are many.
 */
public record KeeperNames(List<Keeper> named, int more) {
    private static final int NAMED = 3;

    public KeeperNames {
        named = List.copyOf(named);
    }

    /** The largest few: cheaper than sorting all, as a full cluster may have a keeper on each node. */
    public static KeeperNames of(Collection<Keeper> keepers) {
        List<Keeper> named = new ArrayList<>();
        for (Keeper keeper : keepers) {
            if (named.size() < NAMED || Keeper.BY_AMOUNT.compare(keeper, named.get(NAMED - 1)) < 0) {
                named.add(keeper);
                named.sort(Keeper.BY_AMOUNT);
                named.subList(Math.min(NAMED, named.size()), named.size()).clear();
            }
        }
        return new KeeperNames(named, keepers.size() - named.size());
    }

    /** An empty set in the order in which keepers are named. */
    public static NavigableSet<Keeper> emptyInOrder() {
        return new TreeSet<>(Keeper.BY_AMOUNT);
    }

    /** The same as {@link #of}, from keepers that are in that order already. */
    public static KeeperNames firstOf(NavigableSet<Keeper> inOrder) {
        List<Keeper> named = inOrder.stream().limit(NAMED).toList();
        return new KeeperNames(named, inOrder.size() - named.size());
    }

    /** Empty where no hold is named. */
    public String words(Veto veto) {
        return switch (veto.code()) {
            case OWN_HOLD_SPENT -> words(veto.resource(), "left in", "hold");
            case DEVICES -> words(veto.resource(), "used by", "pod");
            default -> words(veto.resource(), "held by", "hold");
        };
    }

    /**
     * The same in other words.
     *
     * @param resource what is short, if that is an amount
     * @param verb between the amount and the name
     * @param kind what the keepers are
     */
    public String words(Optional<ResourceName> resource, String verb, String kind) {
        String names =
                named.stream().map(keeper -> words(resource, verb, keeper)).collect(Collectors.joining(", "));
        String rest = more == 0 ? "" : ", and %d more %s%s".formatted(more, kind, more == 1 ? "" : "s");
        return names + rest;
    }

    private static String words(Optional<ResourceName> resource, String verb, Keeper keeper) {
        String amount =
                resource.map(name -> Quantity.of(name, keeper.amount()) + " ").orElse("");
        String until = keeper.until()
                .map(end -> " until " + end.truncatedTo(ChronoUnit.SECONDS))
                .orElse("");
        return "%s%s %s%s".formatted(amount, verb, keeper.origin().words(), until);
    }
}
