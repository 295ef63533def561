package dev.berth.core.door.alldoors;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.door.RecordAnnotations;
import dev.berth.core.door.devices.DeviceWrite;
import dev.berth.core.door.globalreserve.StoredHoldFact;
import dev.berth.core.door.globalreserve.StoredHoldWrite;
import dev.berth.core.door.godel.CheckpointWrite;
import dev.berth.core.door.godel.FakeCheckpointServer;
import dev.berth.core.door.godel.GodelFact;
import dev.berth.core.door.godel.GodelReservation;
import dev.berth.core.door.godel.GodelWrite;
import dev.berth.core.door.godel.ReservationEcho;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationFact;
import dev.berth.core.door.koordinator.ReservationWrite;
import dev.berth.core.door.koordinator.preallocation.AnnotatePod;
import dev.berth.core.door.nodeannotation.NodeReservedResources;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.ComponentId;
import dev.berth.core.nomination.SetNominatedNode;
import dev.berth.core.preemption.PreemptionWrite;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** The objects of all doors as an API server has them. What changes is shown: {@link #drainWatchEvents} is what a watch says. */
final class AllDoorsApiServer {
    private static final Duration GRACE = Duration.ofSeconds(30);

    final Map<String, Node> nodes = new TreeMap<>();
    final Map<PodUid, Pod> pods = new TreeMap<>();
    final Map<String, Reservation> reservations = new TreeMap<>();
    final Map<String, StoredHoldFact.Upserted> holds = new TreeMap<>();
    final FakeDeviceApi fakeDeviceApi = new FakeDeviceApi();
    final List<Workload> workloads = new ArrayList<>();
    /** The components whose writes are denied. */
    final Set<ComponentId> denied = new TreeSet<>(ComponentId.ORDER);
    /** By node, what its annotations keep. */
    private final Map<String, Map<String, Resources>> annotations = new TreeMap<>();

    private final Map<String, GodelReservation> godelReservations = new TreeMap<>();
    private final FakeCheckpointServer checkpoint = new FakeCheckpointServer();
    private final List<Fact> watchEvents = new ArrayList<>();
    private final ManualClock clock;
    private int versions;

    AllDoorsApiServer(ManualClock clock) {
        this.clock = clock;
    }

    /** What the watches say since this was last asked. */
    List<Fact> drainWatchEvents() {
        List<Fact> taken = new ArrayList<>(watchEvents);
        watchEvents.clear();
        return taken;
    }

    /** All that lists show. Those of nodes come last, and annotations with their nodes. */
    List<Fact> list() {
        List<Fact> all = new ArrayList<>();
        workloads.forEach(it -> all.add(new Fact.WorkloadUpserted(it)));
        checkpoint.objects().forEach(it -> all.add(new GodelFact.CheckpointUpserted(it)));
        reservations.values().forEach(it -> all.add(new ReservationFact.Upserted(it)));
        godelReservations.values().forEach(it -> all.add(new GodelFact.ReservationUpserted(it)));
        all.addAll(holds.values());
        all.addAll(fakeDeviceApi.list());
        pods.values().forEach(pod -> all.add(new Fact.PodUpserted(pod)));
        nodes.values().forEach(node -> all.add(withAnnotations(node)));
        return all;
    }

    private Fact withAnnotations(Node node) {
        Map<String, Resources> kept = annotations.getOrDefault(node.name(), Map.of());
        return new Fact.Batch(List.of(
                new Fact.NodeUpserted(node), new NodeReservedResources(node.uid(), node.name(), kept, List.of())));
    }

    void put(Node node) {
        nodes.put(node.name(), node);
        watchEvents.add(withAnnotations(node));
    }

    /** The node goes, with its annotations and its pods. */
    List<Pod> remove(Node node) {
        nodes.remove(node.name());
        annotations.remove(node.name());
        watchEvents.add(new Fact.NodeDeleted(node.uid()));
        List<Pod> there = pods.values().stream()
                .filter(pod -> pod.nodeName().equals(Optional.of(node.name())))
                .toList();
        there.forEach(pod -> remove(pod.uid()));
        return there;
    }

    void annotate(Node node, Map<String, Resources> kept) {
        annotations.put(node.name(), kept);
        watchEvents.add(withAnnotations(node));
    }

    boolean isAnnotated(Node node) {
        return !annotations.getOrDefault(node.name(), Map.of()).isEmpty();
    }

    void put(Pod pod) {
        pods.put(pod.uid(), pod);
        watchEvents.add(new Fact.PodUpserted(pod));
    }

    /** Asks for the pod's deletion: where it runs, it has time to end. */
    void delete(Pod pod) {
        if (pod.nodeName().isEmpty() || pod.phase().isTerminal()) {
            remove(pod.uid());
        } else {
            put(pod.toBuilder()
                    .terminating(true)
                    .deletionTimestamp(Optional.of(clock.instant().plus(GRACE)))
                    .build());
        }
    }

    void remove(PodUid uid) {
        pods.remove(uid);
        watchEvents.add(new Fact.PodDeleted(uid));
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
                edited.spec(),
                edited.problem(),
                edited.status());
        reservations.put(next.name(), next);
        watchEvents.add(new ReservationFact.Upserted(next));
    }

    void remove(Reservation reservation) {
        reservations.remove(reservation.name());
        watchEvents.add(new ReservationFact.Deleted(reservation.uid()));
    }

    void put(FakeDeviceApi.NewClaim newClaim) {
        watchEvents.addAll(fakeDeviceApi.put(newClaim));
    }

    /** Whether the pod is bound now. */
    boolean bind(Effect.Bind bind) {
        Pod pod = pods.get(bind.pod().uid());
        if (pod == null || !pod.awaitsBinding() || !nodes.containsKey(bind.node())) {
            return false;
        }
        Map<String, String> recorded = new TreeMap<>(pod.annotations().toMap());
        recorded.putAll(bind.annotations());
        put(pod.boundTo(bind.node()).toBuilder()
                .annotations(Labels.of(recorded))
                .nominatedNodeName(Optional.empty())
                .build());
        return true;
    }

    WriteResult write(Effect.Write write) {
        if (denied.contains(write.component())) {
            return new WriteResult(WriteResult.ResultKind.DENIED, "forbidden");
        }
        if (write instanceof CheckpointWrite part) {
            WriteResult writeResult = checkpoint.write(part);
            watchEvents.addAll(checkpoint.takeEchoes());
            return writeResult;
        } else if (write instanceof ReservationWrite status) {
            return write(status);
        } else if (write instanceof AnnotatePod annotate) {
            return write(annotate);
        } else if (write instanceof SetNominatedNode nominate) {
            Optional<String> node = Optional.of(nominate.node()).filter(name -> !name.isEmpty());
            return change(nominate.pod().uid(), pod -> pod.nominatedNodeName(node));
        } else if (write instanceof PreemptionWrite preemption) {
            return write(preemption);
        } else if (write instanceof GodelWrite place) {
            return write(place);
        } else if (write instanceof StoredHoldWrite hold) {
            return write(hold);
        } else if (write instanceof DeviceWrite device) {
            Optional<Fact> written = fakeDeviceApi.write(device);
            written.ifPresent(watchEvents::add);
            return written.isPresent() ? WriteResult.WRITTEN : conflict();
        }
        throw new IllegalStateException("no component writes %s".formatted(write));
    }

    private WriteResult write(ReservationWrite write) {
        Reservation there = reservations.get(write.name());
        if (there == null || !there.uid().equals(write.uid())) {
            return notFound();
        }
        if (write instanceof ReservationWrite.UpdateStatus updateStatus) {
            if (!updateStatus.resourceVersion().equals(there.resourceVersion())) {
                return conflict();
            }
            put(new Reservation(
                    there.uid(),
                    there.name(),
                    there.resourceVersion(),
                    there.created(),
                    there.terminating(),
                    there.schedulerName(),
                    there.spec(),
                    there.problem(),
                    updateStatus.status()));
        } else {
            remove(there);
        }
        return WriteResult.WRITTEN;
    }

    private WriteResult write(AnnotatePod write) {
        Pod pod = pods.get(write.pod().uid());
        if (pod == null) {
            return notFound();
        }
        Labels annotations = pod.annotations().with(RecordAnnotations.KOORDINATOR_RESERVATION_ALLOCATED, write.value());
        put(pod.toBuilder().annotations(annotations).build());
        return WriteResult.WRITTEN;
    }

    private WriteResult write(PreemptionWrite write) {
        if (write instanceof PreemptionWrite.Mark mark) {
            return change(mark.victim().uid(), pod -> pod.preempted(true));
        }
        Optional<Pod> victim = Optional.ofNullable(pods.get(write.victim().uid()));
        victim.ifPresent(this::delete);
        return victim.isPresent() ? WriteResult.WRITTEN : notFound();
    }

    private WriteResult change(PodUid uid, UnaryOperator<Pod.Builder> how) {
        Pod pod = pods.get(uid);
        if (pod == null) {
            return notFound();
        }
        put(how.apply(pod.toBuilder()).build());
        return WriteResult.WRITTEN;
    }

    private WriteResult write(GodelWrite write) {
        GodelReservation there = godelReservations.get(write.name());
        if (write instanceof GodelWrite.CreateReservation createReservation) {
            if (there != null) {
                return conflict();
            }
            return publish(ReservationEcho.of(createReservation, "place-" + ++versions, clock.instant()));
        } else if (write instanceof GodelWrite.MarkMatched markMatched) {
            return there == null || !there.uid().equals(markMatched.uid())
                    ? notFound()
                    : publish(there.toBuilder().phase("Matched").build());
        }
        if (there == null || !there.uid().equals(((GodelWrite.DeleteReservation) write).uid())) {
            return notFound();
        }
        remove(there);
        return WriteResult.WRITTEN;
    }

    /** Somebody writes or edits a Reservation of the godel door. */
    void putByHand(GodelReservation place) {
        publish(place);
    }

    /** Somebody deletes one. */
    void remove(GodelReservation place) {
        godelReservations.remove(place.name());
        watchEvents.add(new GodelFact.ReservationDeleted(place.uid()));
    }

    List<GodelReservation> godelReservations() {
        return List.copyOf(godelReservations.values());
    }

    Optional<GodelReservation> findGodelReservation(String name) {
        return Optional.ofNullable(godelReservations.get(name));
    }

    private WriteResult publish(GodelReservation place) {
        godelReservations.put(place.name(), place);
        watchEvents.add(new GodelFact.ReservationUpserted(place));
        return WriteResult.WRITTEN;
    }

    private WriteResult write(StoredHoldWrite write) {
        StoredHoldFact.Upserted there = holds.get(write.name());
        if (write instanceof StoredHoldWrite.Create create) {
            if (there != null) {
                return conflict();
            }
            return publish(new StoredHoldFact.Upserted(create.name(), "hold-" + ++versions, create.spec()));
        }
        if (there == null) {
            return notFound();
        }
        if (write instanceof StoredHoldWrite.Update update) {
            return publish(new StoredHoldFact.Upserted(there.name(), there.uid(), update.spec()));
        }
        holds.remove(there.name());
        watchEvents.add(new StoredHoldFact.Deleted(there.uid()));
        return WriteResult.WRITTEN;
    }

    private WriteResult publish(StoredHoldFact.Upserted hold) {
        holds.put(hold.name(), hold);
        watchEvents.add(hold);
        return WriteResult.WRITTEN;
    }

    private static WriteResult conflict() {
        return new WriteResult(WriteResult.ResultKind.CONFLICT, "it is another by now");
    }

    private static WriteResult notFound() {
        return new WriteResult(WriteResult.ResultKind.NOT_FOUND, "not found");
    }
}
