package dev.berth.core.door.alldoors;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.ReservationAffinity;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Terms on other pods, ports and resources as a tenant may write them: many, about everybody, over labels that no node carries. */
final class PodConstraintFuzzer {
    private final FuzzRandom dice;

    PodConstraintFuzzer(FuzzRandom dice) {
        this.dice = dice;
    }

    void addTo(PodBuilder pod) {
        if (dice.oneIn(4)) {
            pod.withSpec(it -> it.podAffinity(new PodAffinity(required(), required(), preferred())));
        }
        if (dice.oneIn(8)) {
            pod.withSpec(it -> it.topologySpreadConstraints(spread()));
        }
        if (dice.oneIn(8)) {
            int first = 1 + dice.nextInt(100);
            pod.withSpec(it -> it.hostPorts(IntStream.range(first, first + 50)
                    .mapToObj(port -> new HostPort("TCP", dice.one("", "10.0.0.1", "10.0.0.2", "!"), port))
                    .toList()));
        }
    }

    /** What a tenant writes about Reservations: by names that exist and that do not, or malformed. */
    void addReservationConstraints(PodBuilder pod) {
        ReservationAffinity affinity = dice.one(
                ReservationAffinity.ANY,
                ReservationAffinity.ofName(dice.one("r0", "r1", "", "missing")),
                new ReservationAffinity(
                        Optional.empty(),
                        dice.one(Labels.NONE, Labels.of("team", "x")),
                        Optional.of(List.of(new NodeSelectorTerm(
                                List.of(new Requirement("team", Requirement.Operator.NOT_IN, List.of("y"))),
                                List.of()))),
                        List.of(new Toleration("", Toleration.Operator.EXISTS, "", Optional.empty()))));
        pod.withSpec(it -> it.reservations(new ReservationConstraints(
                dice.nextBoolean() ? Optional.of(affinity) : Optional.empty(),
                dice.oneIn(3) ? List.of(ResourceName.MEMORY, ResourceName.CPU) : List.of(),
                dice.oneIn(6) ? Optional.of("malformed") : Optional.empty())));
    }

    private int count() {
        return dice.oneIn(20) ? 1_001 : dice.one(0, 0, 1, 2, 40);
    }

    private List<PodAffinityTerm> required() {
        return IntStream.range(0, dice.oneIn(3) ? count() : 0)
                .mapToObj(this::term)
                .toList();
    }

    private List<PodAffinity.WeightedPodAffinityTerm> preferred() {
        return IntStream.range(0, count())
                .mapToObj(i -> new PodAffinity.WeightedPodAffinityTerm(dice.one(1, 100, -100), term(i)))
                .toList();
    }

    private PodAffinityTerm term(int number) {
        return new PodAffinityTerm(
                key(number),
                dice.one(Optional.empty(), Optional.of(LabelSelector.EVERYTHING), Optional.of(selector(number))),
                dice.one(List.of(), List.of("default"), List.of("other", "other")),
                dice.one(Optional.empty(), Optional.of(LabelSelector.EVERYTHING)));
    }

    private String key(int number) {
        return dice.one("rack", "kubernetes.io/hostname", "k" + number);
    }

    private LabelSelector selector(int number) {
        return dice.nextBoolean()
                ? LabelSelector.of(Labels.of("app", dice.one("a", "b")))
                : new LabelSelector(
                        Labels.NONE,
                        List.of(new Requirement("k" + number, Requirement.Operator.DOES_NOT_EXIST, List.of())));
    }

    /** The API server takes one constraint for each key and kind. */
    private List<TopologySpreadConstraint> spread() {
        Map<String, TopologySpreadConstraint> byKey = new LinkedHashMap<>();
        for (int i = 0; i <= dice.nextInt(4); i++) {
            boolean required = dice.oneIn(3);
            String key = key(i);
            byKey.put(
                    key + required,
                    new TopologySpreadConstraint(
                            key,
                            Optional.of(selector(i)),
                            required,
                            dice.one(1, Integer.MAX_VALUE),
                            1,
                            TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT,
                            List.of("app", "none")));
        }
        return new ArrayList<>(byKey.values());
    }
}
