package dev.berth.core.door.together;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.door.annotation.NodeReserves;
import dev.berth.core.door.comeback.CheckpointServer;
import dev.berth.core.door.comeback.CheckpointWrite;
import dev.berth.core.door.comeback.ComebackFact;
import dev.berth.core.door.comeback.ComebackWrite;
import dev.berth.core.door.comeback.CreatedReservation;
import dev.berth.core.door.comeback.Placeholder;
import dev.berth.core.door.device.DeviceWrite;
import dev.berth.core.door.preemption.PreemptionWrite;
import dev.berth.core.door.reservation.Reservation;
import dev.berth.core.door.reservation.ReservationFact;
import dev.berth.core.door.reservation.ReservationWrite;
import dev.berth.core.door.reserve.HoldFact;
import dev.berth.core.door.reserve.HoldWrite;
import dev.berth.core.hold.Origin;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The objects of all doors as an API server has them. What changes is shown: {@link #takeShown} is what a watch says. */
final class ApiServer {
    private static final Duration GRACE = Duration.ofSeconds(30);

    final Map<String, Node> nodes = new TreeMap<>();
    final Map<PodUid, Pod> pods = new TreeMap<>();
    final Map<String, Reservation> reservations = new TreeMap<>();
    final Map<String, HoldFact.Seen> holds = new TreeMap<>();
    final Devices devices = new Devices();
    final List<Workload> workloads = new ArrayList<>();
    /** The doors whose writes are denied. */
    final Set<Origin.Door> denied = EnumSet.noneOf(Origin.Door.class);
    /** By node, what its annotations keep. */
    private final Map<String, Map<String, Resources>> annotations = new TreeMap<>();

    private final Map<String, Placeholder> places = new TreeMap<>();
    private final CheckpointServer checkpoint = new CheckpointServer();
    private final List<Fact> shown = new ArrayList<>();
    private final ManualClock clock;
    private int versions;

    ApiServer(ManualClock clock) {
        this.clock = clock;
    }

    /** What the watches say since this was last asked. */
    List<Fact> takeShown() {
        List<Fact> taken = new ArrayList<>(shown);
        shown.clear();
        return taken;
    }

    /** All that lists show. Those of nodes come last, and annotations with their nodes. */
    List<Fact> list() {
        List<Fact> all = new ArrayList<>();
        workloads.forEach(it -> all.add(new Fact.WorkloadSeen(it)));
        checkpoint.objects().forEach(it -> all.add(new ComebackFact.CheckpointSeen(it)));
        reservations.values().forEach(it -> all.add(new ReservationFact.Seen(it)));
        places.values().forEach(it -> all.add(new ComebackFact.PlaceholderSeen(it)));
        all.addAll(holds.values());
        all.addAll(devices.list());
        pods.values().forEach(pod -> all.add(new Fact.PodSeen(pod)));
        nodes.values().forEach(node -> all.add(with(node)));
        return all;
    }

    private Fact with(Node node) {
        Map<String, Resources> kept = annotations.getOrDefault(node.name(), Map.of());
        return new Fact.Together(
                List.of(new Fact.NodeSeen(node), new NodeReserves(node.uid(), node.name(), kept, List.of())));
    }

    void put(Node node) {
        nodes.put(node.name(), node);
        shown.add(with(node));
    }

    /** The node goes, with its annotations and its pods. */
    List<Pod> remove(Node node) {
        nodes.remove(node.name());
        annotations.remove(node.name());
        shown.add(new Fact.NodeGone(node.uid()));
        List<Pod> there = pods.values().stream()
                .filter(pod -> pod.nodeName().equals(Optional.of(node.name())))
                .toList();
        there.forEach(pod -> remove(pod.uid()));
        return there;
    }

    void annotate(Node node, Map<String, Resources> kept) {
        annotations.put(node.name(), kept);
        shown.add(with(node));
    }

    boolean isAnnotated(Node node) {
        return !annotations.getOrDefault(node.name(), Map.of()).isEmpty();
    }

    void put(Pod pod) {
        pods.put(pod.uid(), pod);
        shown.add(new Fact.PodSeen(pod));
    }

    /** Asks for the pod's deletion: where it runs, it has time to end. */
    void delete(Pod pod) {
        if (pod.nodeName().isEmpty() || pod.phase().terminal()) {
            remove(pod.uid());
        } else {
            put(pod.toBuilder()
                    .terminating(true)
                    .deletion(Optional.of(clock.instant().plus(GRACE)))
                    .build());
        }
    }

    void remove(PodUid uid) {
        pods.remove(uid);
        shown.add(new Fact.PodGone(uid));
    }

    /** @param edited with any version: it gets a new one */
    void put(Reservation edited) {
        Reservation next = new Reservation(
                edited.uid(),
                edited.name(),
                "v" + ++versions,
                edited.created(),
                edited.terminating(),
                edited.schedulerName(),
                edited.terms(),
                edited.problem(),
                edited.status());
        reservations.put(next.name(), next);
        shown.add(new ReservationFact.Seen(next));
    }

    void remove(Reservation reservation) {
        reservations.remove(reservation.name());
        shown.add(new ReservationFact.Gone(reservation.uid()));
    }

    void put(Devices.Claimed claimed) {
        shown.addAll(devices.put(claimed));
    }

    /** Whether the pod is bound now. */
    boolean bind(Effect.Bind bind) {
        Pod pod = pods.get(bind.pod().uid());
        if (pod == null || !pod.waits() || !nodes.containsKey(bind.node())) {
            return false;
        }
        Map<String, String> recorded = new TreeMap<>(pod.annotations().toMap());
        recorded.putAll(bind.annotations());
        put(pod.on(bind.node()).toBuilder()
                .annotations(Labels.of(recorded))
                .nominatedNode(Optional.empty())
                .build());
        return true;
    }

    Outcome write(Effect.Write write) {
        if (denied.contains(write.door())) {
            return new Outcome(Outcome.Kind.DENIED, "forbidden");
        }
        if (write instanceof CheckpointWrite part) {
            Outcome outcome = checkpoint.write(part);
            shown.addAll(checkpoint.takeEchoes());
            return outcome;
        } else if (write instanceof ReservationWrite status) {
            return write(status);
        } else if (write instanceof PreemptionWrite preemption) {
            return write(preemption);
        } else if (write instanceof ComebackWrite place) {
            return write(place);
        } else if (write instanceof HoldWrite hold) {
            return write(hold);
        } else if (write instanceof DeviceWrite device) {
            Optional<Fact> written = devices.write(device);
            written.ifPresent(shown::add);
            return written.isPresent() ? Outcome.WRITTEN : conflict();
        }
        throw new IllegalStateException("no door writes %s".formatted(write));
    }

    private Outcome write(ReservationWrite write) {
        Reservation there = reservations.get(write.name());
        if (there == null || !there.uid().equals(write.uid())) {
            return missing();
        }
        if (write instanceof ReservationWrite.Say say) {
            if (!say.version().equals(there.version())) {
                return conflict();
            }
            put(new Reservation(
                    there.uid(),
                    there.name(),
                    there.version(),
                    there.created(),
                    there.terminating(),
                    there.schedulerName(),
                    there.terms(),
                    there.problem(),
                    say.status()));
        } else {
            remove(there);
        }
        return Outcome.WRITTEN;
    }

    private Outcome write(PreemptionWrite write) {
        if (write instanceof PreemptionWrite.Nominate nominate) {
            Optional<String> node = Optional.of(nominate.node()).filter(name -> !name.isEmpty());
            return change(nominate.pod().uid(), pod -> pod.nominatedNode(node));
        } else if (write instanceof PreemptionWrite.Mark mark) {
            return change(mark.victim().uid(), pod -> pod.preempted(true));
        }
        Optional<Pod> victim = Optional.ofNullable(
                pods.get(((PreemptionWrite.Delete) write).victim().uid()));
        victim.ifPresent(this::delete);
        return victim.isPresent() ? Outcome.WRITTEN : missing();
    }

    private Outcome change(PodUid uid, UnaryOperator<Pod.Builder> how) {
        Pod pod = pods.get(uid);
        if (pod == null) {
            return missing();
        }
        put(how.apply(pod.toBuilder()).build());
        return Outcome.WRITTEN;
    }

    private Outcome write(ComebackWrite write) {
        Placeholder there = places.get(write.name());
        if (write instanceof ComebackWrite.Create create) {
            if (there != null) {
                return conflict();
            }
            return show(CreatedReservation.of(create, "place-" + ++versions, clock.instant()));
        } else if (write instanceof ComebackWrite.Match match) {
            return there == null || !there.uid().equals(match.uid())
                    ? missing()
                    : show(there.toBuilder().phase("Matched").build());
        }
        if (there == null || !there.uid().equals(((ComebackWrite.Delete) write).uid())) {
            return missing();
        }
        remove(there);
        return Outcome.WRITTEN;
    }

    /** Somebody writes or edits a Reservation of the return door. */
    void putByHand(Placeholder place) {
        show(place);
    }

    /** Somebody deletes one. */
    void remove(Placeholder place) {
        places.remove(place.name());
        shown.add(new ComebackFact.PlaceholderGone(place.uid()));
    }

    List<Placeholder> places() {
        return List.copyOf(places.values());
    }

    Optional<Placeholder> place(String name) {
        return Optional.ofNullable(places.get(name));
    }

    private Outcome show(Placeholder place) {
        places.put(place.name(), place);
        shown.add(new ComebackFact.PlaceholderSeen(place));
        return Outcome.WRITTEN;
    }

    private Outcome write(HoldWrite write) {
        HoldFact.Seen there = holds.get(write.name());
        if (write instanceof HoldWrite.Create create) {
            if (there != null) {
                return conflict();
            }
            return show(new HoldFact.Seen(create.name(), "hold-" + ++versions, create.spec()));
        }
        if (there == null) {
            return missing();
        }
        if (write instanceof HoldWrite.Shrink shrink) {
            return show(new HoldFact.Seen(there.name(), there.uid(), shrink.spec()));
        }
        holds.remove(there.name());
        shown.add(new HoldFact.Gone(there.uid()));
        return Outcome.WRITTEN;
    }

    private Outcome show(HoldFact.Seen hold) {
        holds.put(hold.name(), hold);
        shown.add(hold);
        return Outcome.WRITTEN;
    }

    private static Outcome conflict() {
        return new Outcome(Outcome.Kind.CONFLICT, "it is another by now");
    }

    private static Outcome missing() {
        return new Outcome(Outcome.Kind.GONE, "not found");
    }
}
