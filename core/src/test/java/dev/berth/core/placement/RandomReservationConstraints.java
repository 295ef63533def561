package dev.berth.core.placement;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.ReservationAffinity;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.hold.ReservationInfo;
import dev.berth.core.resource.ResourceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** What pods require of Reservations, and what Reservations have, drawn from the same few values. */
final class RandomReservationConstraints {
    private static final List<String> NAMES = List.of("r1", "r2", "r3");

    private final Random random;

    RandomReservationConstraints(Random random) {
        this.random = random;
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    @SafeVarargs
    private <T> T any(T... values) {
        return values[random.nextInt(values.length)];
    }

    /** Most holds are Reservations that pods can select. */
    Optional<ReservationInfo> info() {
        if (chance(30)) {
            return Optional.empty();
        }
        Map<String, String> labels = new TreeMap<>();
        if (chance(50)) {
            labels.put("team", any("x", "y"));
        }
        if (chance(30)) {
            labels.put("disk", any("ssd", "hdd"));
        }
        if (chance(25)) {
            labels.put(ReservationInfo.ORDER_LABEL, any("-7", "3", "4", "0", "first"));
        }
        return Optional.of(ReservationInfo.of(
                NAMES.get(random.nextInt(NAMES.size())), Labels.of(labels), Instant.ofEpochSecond(random.nextInt(3))));
    }

    /** Most pods require nothing of Reservations, and some ignore them. */
    ReservationConstraints constraints() {
        Optional<ReservationAffinity> affinity = chance(20) ? Optional.of(affinity()) : Optional.empty();
        List<ResourceName> exact = chance(10)
                ? any(
                        List.of(ResourceName.CPU),
                        List.of(ResourceName.EPHEMERAL_STORAGE, ResourceName.CPU),
                        List.of(ResourceName.MEMORY, ResourceName.PODS))
                : List.of();
        return new ReservationConstraints(affinity, exact, Optional.empty(), chance(15));
    }

    private ReservationAffinity affinity() {
        if (chance(25)) {
            return ReservationAffinity.ofName(any("r1", "r2", "missing"));
        }
        Labels selector = chance(25) ? any(Labels.of("team", "x"), Labels.of("disk", "ssd")) : Labels.NONE;
        List<NodeSelectorTerm> terms = new ArrayList<>();
        while (chance(40)) {
            terms.add(term());
        }
        List<Toleration> tolerations = new ArrayList<>();
        if (chance(40)) {
            tolerations.add(any(
                    new Toleration("", Toleration.Operator.EXISTS, "", Optional.empty()),
                    new Toleration("dedicated", Toleration.Operator.EXISTS, "", Optional.empty()),
                    new Toleration(
                            Taint.UNSCHEDULABLE.key(),
                            Toleration.Operator.EXISTS,
                            "",
                            Optional.of(Taint.TaintEffect.NO_SCHEDULE))));
        }
        return new ReservationAffinity(
                Optional.empty(), selector, terms.isEmpty() ? Optional.empty() : Optional.of(terms), tolerations);
    }

    private NodeSelectorTerm term() {
        List<Requirement> labels = new ArrayList<>();
        List<Requirement> fields = new ArrayList<>();
        if (chance(70)) {
            labels.add(any(
                    new Requirement("team", Requirement.Operator.IN, List.of("x")),
                    new Requirement("team", Requirement.Operator.DOES_NOT_EXIST, List.of()),
                    new Requirement("disk", Requirement.Operator.NOT_IN, List.of("ssd")),
                    new Requirement("age", Requirement.Operator.GT, List.of("1"))));
        }
        if (chance(40)) {
            fields.add(new Requirement(
                    NodeSelectorTerm.NAME_FIELD,
                    any(Requirement.Operator.IN, Requirement.Operator.NOT_IN),
                    List.of(any("r1", "r3"))));
        }
        return new NodeSelectorTerm(labels, fields);
    }
}
