package dev.berth.core.reference;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.hold.Owner;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Random values from small ranges, so that they meet: few names, few labels, few amounts, now and then a huge one. */
final class RandomValues {
    private static final ResourceName GPU = new ResourceName("example.com/gpu");
    private static final long HUGE = Long.MAX_VALUE / 2 + 1;

    private final Random random;

    RandomValues(Random random) {
        this.random = random;
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    int number(int bound) {
        return random.nextInt(bound);
    }

    <T> T oneOf(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    Resources amounts() {
        Resources amounts = Resources.NONE;
        if (chance(80)) {
            amounts = amounts.with(ResourceName.CPU, random.nextInt(5) * 500L);
        }
        if (chance(60)) {
            amounts = amounts.with(ResourceName.MEMORY, chance(3) ? HUGE : random.nextInt(5) * 1024L);
        }
        if (chance(20)) {
            amounts = amounts.with(GPU, random.nextInt(3));
        }
        return amounts;
    }

    /** Restricted to some of the resources, to all of them, or to none; now and then with a part for no owner. */
    AllocatePolicy policy() {
        Resources innerReserved = chance(25) ? amounts() : Resources.NONE;
        if (chance(60)) {
            return new AllocatePolicy.Aligned(innerReserved);
        }
        Set<ResourceName> restricted = chance(50)
                ? Set.of(ResourceName.CPU)
                : Set.of(ResourceName.CPU, ResourceName.MEMORY, ResourceName.PODS);
        return new AllocatePolicy.Restricted(restricted, innerReserved);
    }

    Resources allocatable() {
        Resources amounts = Resources.of(Map.of(
                ResourceName.CPU, 1000L + random.nextInt(8) * 1000L,
                ResourceName.MEMORY, random.nextInt(16) * 1024L,
                ResourceName.PODS, 1L + random.nextInt(10)));
        return chance(40) ? amounts.with(GPU, random.nextInt(4)) : amounts;
    }

    /** The pod that a hold counts as; empty for a hold that counts as none. */
    Optional<Pod> neighbour() {
        return chance(40)
                ? Optional.empty()
                : Optional.of(Pod.builder(new PodUid("neighbour"), namespace(), "neighbour")
                        .labels(labels())
                        .build());
    }

    Labels labels() {
        Labels labels = Labels.of("env", "prod");
        if (chance(80)) {
            labels = labels.with("app", app());
        }
        return chance(30) ? labels.with("tier", "t" + number(2)) : labels;
    }

    String app() {
        return "app" + number(3);
    }

    Owner owner() {
        return switch (random.nextInt(8)) {
            case 0 ->
                pod(new Owner.PodMatch(
                        Optional.of("p" + number(8) + "." + number(3)), Optional.empty(), Optional.empty()));
            case 1 -> pod(new Owner.PodMatch(Optional.empty(), Optional.of(namespace()), Optional.of("p" + number(8))));
            case 2 -> pod(new Owner.PodMatch(Optional.empty(), Optional.empty(), Optional.of("p" + number(8))));
            case 3 -> controller("rs" + number(2));
            case 4 -> Owner.ofController(kindAlone());
            case 5 -> labels(LabelSelector.of(Labels.of(Map.of("env", "prod", "app", app()))));
            case 6 -> labels(new LabelSelector(Labels.NONE, List.of(requirement())));
            default ->
                new Owner(
                        Optional.empty(),
                        Optional.of(kindAlone()),
                        Optional.of(LabelSelector.of(Labels.of("app", app()))));
        };
    }

    String namespace() {
        return "ns" + number(2);
    }

    Namespace namespaceWithLabels() {
        return new Namespace(namespace(), chance(80) ? chosenLabels() : Labels.NONE);
    }

    Workload workload() {
        Workload.Kind kind = oneOf(List.of(Workload.Kind.values()));
        LabelSelector selector = chance(10) ? LabelSelector.EVERYTHING : LabelSelector.of(chosenLabels());
        String name = kind == Workload.Kind.SERVICE ? "svc" + number(3) : "rs" + number(2);
        return new Workload(kind, namespace(), name, selector);
    }

    private Labels chosenLabels() {
        Labels labels = Labels.of("app", app());
        return chance(50) ? labels.with("tier", "t" + number(2)) : labels;
    }

    private Requirement requirement() {
        return switch (random.nextInt(4)) {
            case 0 -> new Requirement("app", Requirement.Operator.IN, List.of(app(), app()));
            case 1 -> new Requirement("app", Requirement.Operator.NOT_IN, List.of(app()));
            case 2 -> new Requirement("tier", Requirement.Operator.EXISTS, List.of());
            default -> new Requirement("tier", Requirement.Operator.DOES_NOT_EXIST, List.of());
        };
    }

    private Owner controller(String name) {
        Optional<String> uid = chance(30) ? Optional.of(name) : Optional.empty();
        Owner.ControllerMatch match = new Owner.ControllerMatch(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(name),
                uid,
                uid.map(present -> name.endsWith("1")));
        return Owner.ofController(match);
    }

    private static Owner.ControllerMatch kindAlone() {
        return new Owner.ControllerMatch(
                Optional.empty(), Optional.of("ReplicaSet"), Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static Owner pod(Owner.PodMatch match) {
        return Owner.ofPod(match);
    }

    private static Owner labels(LabelSelector selector) {
        return Owner.ofLabels(selector);
    }
}
