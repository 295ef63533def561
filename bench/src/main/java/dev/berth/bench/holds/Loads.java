package dev.berth.bench.holds;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Fact;
import dev.berth.core.door.comeback.ComebackFact;
import dev.berth.core.door.reserve.ReserveAnswer;
import dev.berth.core.door.reserve.ReserveRequest;
import dev.berth.core.door.reserve.ReserveSettings;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Owner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The loads, in the order in which the report has them. */
final class Loads {
    private static final int HOLDS_A_NODE = 10;
    private static final int PODS_A_NODE = 100;
    private static final int CLAIMED = 100;
    private static final int DELETED = 100;
    private static final List<Aim> OWNERS_ARE_BOUND = List.of(new Aim(10_000, 10, Aim.Clock.LOOP));
    private static final Labels WEB = Labels.of("app", "web");
    private static final Labels OTHER = Labels.of("app", "other");

    private Loads() {}

    private interface Part {
        void play(Stage stage, int size) throws Stage.TooSlow, InterruptedException;
    }

    private interface CountedPart {
        int play(Stage stage, int size) throws Stage.TooSlow, InterruptedException;
    }

    private record Composed(
            String name, String each, int mostByDefault, List<Aim> aims, Part before, CountedPart played)
            implements Load {
        Composed(String name, String each, Part before, CountedPart played) {
            this(name, each, List.of(), before, played);
        }

        Composed(String name, String each, List<Aim> aims, Part before, CountedPart played) {
            this(name, each, Integer.MAX_VALUE, aims, before, played);
        }

        @Override
        public void prepare(Stage stage, int size) throws Stage.TooSlow, InterruptedException {
            before.play(stage, size);
        }

        @Override
        public int play(Stage stage, int size) throws Stage.TooSlow, InterruptedException {
            return played.play(stage, size);
        }
    }

    static List<Load> all() {
        return List.of(
                new Composed(
                        "owners of once-reservations that share a selector, ten on a node",
                        "pod bound",
                        OWNERS_ARE_BOUND,
                        (stage, size) -> reservations(stage, size, HOLDS_A_NODE),
                        (stage, size) -> comeAndAreBound(stage, size, WEB, Labels.NONE)),
                new Composed(
                        "owners of once-reservations that share a selector, one on a node",
                        "pod bound",
                        OWNERS_ARE_BOUND,
                        (stage, size) -> reservations(stage, size, 1),
                        (stage, size) -> comeAndAreBound(stage, size, WEB, Labels.NONE)),
                new Composed(
                        "pods that return under one key, ten places on a node",
                        "pod bound",
                        OWNERS_ARE_BOUND,
                        Loads::returnPlaces,
                        (stage, size) -> comeAndAreBound(stage, size, WEB, Objects.returning("shop"))),
                new Composed(
                        "holds on one node, and an ordinary pod behind them",
                        "hold made",
                        (stage, size) -> {
                            nodes(stage, 1, size + PODS_A_NODE);
                            stage.listed();
                        },
                        Loads::holdsOnOneNode),
                new Composed(
                        "holds on one node: a hundred are claimed, and then all are released",
                        "hold released",
                        (stage, size) -> {
                            nodes(stage, 1, size + PODS_A_NODE);
                            holds(stage, size, 1, number -> Objects.named("owner-" + number));
                            stage.listed();
                        },
                        Loads::claimedAndReleased),
                new Composed(
                        "a pod is deleted while half as many pods as nodes wait and each node has a hold",
                        "pod deleted",
                        Loads::crowded,
                        Loads::deletions),
                new Composed(
                        "pods that no hold is for beside owner rules without a key (Exists, NotIn, {})",
                        "pod bound",
                        Loads::keyless,
                        (stage, size) -> comeAndAreBound(stage, 200, OTHER, Labels.NONE)),
                new Composed(
                        "a group through the reserve door",
                        "pod of the group",
                        ReserveSettings.DEFAULT.mostPods(),
                        List.of(new Aim(1_000, 0.2, Aim.Clock.WALL)),
                        (stage, size) -> {
                            nodes(stage, size / HOLDS_A_NODE, PODS_A_NODE);
                            stage.listed();
                        },
                        Loads::group),
                new Composed(
                        "the extender's filter of all nodes for a pod with many holds of its own",
                        "node asked about",
                        (stage, size) -> {
                            nodes(stage, size / HOLDS_A_NODE, PODS_A_NODE);
                            holds(stage, size, size / HOLDS_A_NODE, number -> Objects.labelled(LabelSelector.of(WEB)));
                            stage.listed();
                        },
                        Loads::filter),
                new Composed(
                        "what return places owe is asked for again, which is nothing",
                        "question",
                        (stage, size) -> {
                            returnPlaces(stage, size);
                            stage.quiet();
                            // What came since the last question is looked at once.
                            stage.ask(Decider::owed);
                        },
                        Loads::owed),
                new Composed(
                        "nodes come while return places wait for nodes that never come",
                        "node",
                        Loads::homeless,
                        (stage, size) -> {
                            nodes(stage, size / HOLDS_A_NODE, PODS_A_NODE);
                            stage.idle();
                            return size / HOLDS_A_NODE;
                        }),
                new Composed(
                        "pods that ask to be returned to are deleted on one node, and then they are gone",
                        "pod that leaves",
                        LinkedLoads::returning,
                        LinkedLoads::leave),
                new Composed(
                        "return places that draw on one shared Reservation are kept and given back",
                        "place",
                        LinkedLoads::sharedReservation,
                        LinkedLoads::drawnAndGivenBack),
                new Composed(
                        "owners that no node takes, with a hold for all of them on each node",
                        "pod refused",
                        RefusedLoads::sharedHolds,
                        RefusedLoads::comeAndAreRefused),
                new Composed(
                        "owners that no node takes, with a hold for one of them on each node",
                        "pod refused",
                        RefusedLoads::namedHolds,
                        RefusedLoads::comeAndAreRefused));
    }

    private static void nodes(Stage stage, int count, int pods) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            stage.tell(new Fact.NodeSeen(Objects.node(i, pods)));
        }
    }

    private interface OwnerOf {
        Owner of(int number);
    }

    private static void holds(Stage stage, int count, int nodes, OwnerOf owners) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            stage.tell(new Fact.HoldSeen(Objects.hold(i, i % nodes, owners.of(i))));
        }
    }

    private static void reservations(Stage stage, int size, int aNode) throws InterruptedException {
        nodes(stage, size / aNode, PODS_A_NODE);
        for (int i = 0; i < size; i++) {
            stage.api().create(Objects.reservation(i, i % (size / aNode), Objects.labelled(LabelSelector.of(WEB))));
        }
        stage.listed();
    }

    private static void returnPlaces(Stage stage, int size) throws InterruptedException {
        nodes(stage, size / HOLDS_A_NODE, PODS_A_NODE);
        for (int i = 0; i < size; i++) {
            stage.tell(new ComebackFact.PlaceholderSeen(Objects.placeholder(i, i % (size / HOLDS_A_NODE), "shop")));
        }
        stage.listed();
    }

    private static int comeAndAreBound(Stage stage, int count, Labels labels, Labels annotations)
            throws Stage.TooSlow, InterruptedException {
        for (int i = 0; i < count; i++) {
            stage.api().create(Objects.pod("pod-" + i, labels, annotations));
        }
        stage.until(() -> stage.api().bound() == count);
        stage.idle();
        return count;
    }

    private static int holdsOnOneNode(Stage stage, int size) throws Stage.TooSlow, InterruptedException {
        holds(stage, size, 1, Objects::absent);
        comeAndAreBound(stage, 1, OTHER, Labels.NONE);
        return size;
    }

    private static int claimedAndReleased(Stage stage, int size) throws Stage.TooSlow, InterruptedException {
        for (int i = 0; i < CLAIMED; i++) {
            stage.api().create(Objects.pod("owner-" + i, OTHER, Labels.NONE));
        }
        stage.until(() -> stage.api().bound() == CLAIMED);
        for (int i = 0; i < size; i++) {
            HoldId hold = Objects.hold(i, 0, Objects.absent(i)).id();
            stage.tell(new Fact.HoldGone(hold));
        }
        stage.idle();
        return size;
    }

    /** On each node a hold and pods that leave no room; the pods that wait are larger than what one of them leaves. */
    private static void crowded(Stage stage, int size) throws Stage.TooSlow, InterruptedException {
        nodes(stage, size, 4);
        holds(stage, size, size, Objects::absent);
        for (int node = 0; node < size; node++) {
            for (int i = 0; i < 3; i++) {
                Pod pod = Objects.pod("there-%d-%d".formatted(node, i), OTHER, Labels.NONE);
                stage.tell(new Fact.PodSeen(pod.on(Objects.nodeName(node))));
            }
        }
        for (int i = 0; i < size / 2; i++) {
            stage.api().create(Objects.pod("waits-" + i, WEB, Labels.NONE, 200));
        }
        stage.listed();
        stage.idle();
        stage.until(() -> waiting(stage) == size / 2);
    }

    /** How many pods wait; none as long as some are to be decided on. */
    static int waiting(Stage stage) {
        try {
            return stage.ask(decider -> decider.queue().hasActive()
                    ? 0
                    : decider.queue().counts().values().stream()
                            .mapToInt(Integer::intValue)
                            .sum());
        } catch (Stage.TooSlow | InterruptedException cutOff) {
            return 0;
        }
    }

    private static int deletions(Stage stage, int size) throws Stage.TooSlow, InterruptedException {
        for (int i = 0; i < DELETED; i++) {
            PodUid uid = Objects.pod("there-%d-0".formatted(i * (size / DELETED)), OTHER, Labels.NONE)
                    .uid();
            stage.tell(new Fact.PodGone(uid));
        }
        stage.idle();
        return DELETED;
    }

    private static void keyless(Stage stage, int size) throws InterruptedException {
        List<Owner> rules = List.of(
                Objects.labelled(new LabelSelector(
                        Labels.NONE, List.of(new Requirement("team", Requirement.Operator.EXISTS, List.of())))),
                Objects.labelled(new LabelSelector(
                        Labels.NONE, List.of(new Requirement("app", Requirement.Operator.NOT_IN, List.of("other"))))),
                new Owner(
                        Optional.of(new Owner.PodMatch(Optional.empty(), Optional.of("elsewhere"), Optional.empty())),
                        Optional.empty(),
                        Optional.of(LabelSelector.EVERYTHING)));
        nodes(stage, size / HOLDS_A_NODE, PODS_A_NODE);
        holds(stage, size, size / HOLDS_A_NODE, number -> rules.get(number % rules.size()));
        stage.listed();
    }

    private static int group(Stage stage, int size) throws Stage.TooSlow, InterruptedException {
        List<ReserveRequest.Seat> seats = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Pod pod = Objects.pod("member-" + i, OTHER, Labels.NONE);
            seats.add(new ReserveRequest.Seat(pod, Objects.nodeName(i % (size / HOLDS_A_NODE))));
        }
        ReserveAnswer answer = stage.reserve(new ReserveRequest("other-scheduler", seats));
        if (!answer.equals(ReserveAnswer.DONE)) {
            // There is room for it: nothing but time can have run out.
            throw new Stage.TooSlow();
        }
        return size;
    }

    private static int filter(Stage stage, int size) throws Stage.TooSlow, InterruptedException {
        int nodes = size / HOLDS_A_NODE;
        Pod pod = Objects.pod("asks", WEB, Labels.NONE);
        List<String> names =
                IntStream.range(0, nodes).mapToObj(Objects::nodeName).toList();
        int calls = Math.max(10, 1_000 / nodes);
        for (int i = 0; i < calls; i++) {
            stage.ask(decider -> decider.vetoes(pod, names).size());
        }
        return calls * nodes;
    }

    private static int owed(Stage stage, int size) throws Stage.TooSlow, InterruptedException {
        int calls = 200;
        for (int i = 0; i < calls; i++) {
            stage.ask(Decider::owed);
        }
        return calls;
    }

    private static void homeless(Stage stage, int size) throws InterruptedException {
        stage.listed();
        for (int i = 0; i < size; i++) {
            stage.tell(
                    new ComebackFact.PlaceholderSeen(Objects.unhoused(Objects.placeholder(i, 1_000_000 + i, "shop"))));
        }
    }
}
