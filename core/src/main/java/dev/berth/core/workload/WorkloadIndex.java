package dev.berth.core.workload;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Workload;
import dev.berth.core.persistent.TrieMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Services and the workloads that control pods, found by the pod: a Service by one of the labels it selects, a
 * workload by the name that the pod's controller reference has. Services of one selector are filed together. Immutable.
 */
public final class WorkloadIndex {
    public static final WorkloadIndex EMPTY = new WorkloadIndex(TrieMap.empty(), TrieMap.empty(), TrieMap.empty());

    private static final Comparator<Workload> ORDER =
            Comparator.comparing(Workload::kind).thenComparing(Workload::name);

    private record Label(String namespace, String key, String value) {}

    private final TrieMap<Workload.Key, Workload> all;
    private final TrieMap<String, Workload> byUid;
    private final TrieMap<Label, TrieMap<LabelSelector, TrieMap<Workload.Key, Workload>>> services;

    private WorkloadIndex(
            TrieMap<Workload.Key, Workload> all,
            TrieMap<String, Workload> byUid,
            TrieMap<Label, TrieMap<LabelSelector, TrieMap<Workload.Key, Workload>>> services) {
        this.all = all;
        this.byUid = byUid;
        this.services = services;
    }

    public Optional<Workload> get(Workload.Key key) {
        return Optional.ofNullable(all.get(key));
    }

    public Optional<Workload> withUid(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    public WorkloadIndex with(Workload workload) {
        WorkloadIndex rest = without(workload.key());
        TrieMap<Label, TrieMap<LabelSelector, TrieMap<Workload.Key, Workload>>> filed = rest.services;
        Optional<Label> label = labelOf(workload);
        if (label.isPresent()) {
            TrieMap<LabelSelector, TrieMap<Workload.Key, Workload>> bucket = rest.bucket(label.get());
            TrieMap<Workload.Key, Workload> alike = alike(bucket, workload.selector());
            filed = filed.with(label.get(), bucket.with(workload.selector(), alike.with(workload.key(), workload)));
        }
        return new WorkloadIndex(
                rest.all.with(workload.key(), workload), rest.byUid.with(workload.uid(), workload), filed);
    }

    public WorkloadIndex without(Workload.Key key) {
        Workload known = all.get(key);
        if (known == null) {
            return this;
        }
        TrieMap<Label, TrieMap<LabelSelector, TrieMap<Workload.Key, Workload>>> filed = services;
        Optional<Label> label = labelOf(known);
        if (label.isPresent()) {
            TrieMap<LabelSelector, TrieMap<Workload.Key, Workload>> bucket = bucket(label.get());
            TrieMap<Workload.Key, Workload> alike =
                    alike(bucket, known.selector()).without(key);
            bucket = alike.isEmpty() ? bucket.without(known.selector()) : bucket.with(known.selector(), alike);
            filed = bucket.isEmpty() ? filed.without(label.get()) : filed.with(label.get(), bucket);
        }
        return new WorkloadIndex(all.without(key), byUid.without(known.uid()), filed);
    }

    /** The Services that select the pod and the workload that controls it, in the order of kind and name. */
    public List<Workload> workloadsOf(Pod pod) {
        return found(pod, (alike, found) -> alike.forEach((key, service) -> found.add(service)));
    }

    /** The same, but of Services that have the same selector one alone, any of them. */
    public List<Workload> workloadsBySelector(Pod pod) {
        return found(pod, (alike, found) -> {
            Workload any = alike.firstValue();
            if (any != null) {
                found.add(any);
            }
        });
    }

    private List<Workload> found(Pod pod, BiConsumer<TrieMap<Workload.Key, Workload>, List<Workload>> add) {
        List<Workload> found = new ArrayList<>();
        if (!services.isEmpty()) {
            pod.labels()
                    .forEach((key, value) -> bucket(new Label(pod.namespace(), key, value))
                            .forEach((selector, alike) -> {
                                if (selector.matches(pod.labels())) {
                                    add.accept(alike, found);
                                }
                            }));
        }
        pod.controller().flatMap(ref -> controlling(pod, ref)).ifPresent(found::add);
        found.sort(ORDER);
        return List.copyOf(found);
    }

    public void forEach(Consumer<Workload> visitor) {
        all.forEach((key, workload) -> visitor.accept(workload));
    }

    private Optional<Workload> controlling(Pod pod, ControllerRef ref) {
        return kindOf(ref).flatMap(kind -> get(new Workload.Key(kind, pod.namespace(), ref.name())));
    }

    /** The group and version count too: another group's ReplicaSet is none of ours. */
    private static Optional<Workload.Kind> kindOf(ControllerRef ref) {
        return switch (ref.apiVersion() + " " + ref.kind()) {
            case "v1 ReplicationController" -> Optional.of(Workload.Kind.REPLICATION_CONTROLLER);
            case "apps/v1 ReplicaSet" -> Optional.of(Workload.Kind.REPLICA_SET);
            case "apps/v1 StatefulSet" -> Optional.of(Workload.Kind.STATEFUL_SET);
            default -> Optional.empty();
        };
    }

    /** A Service that selects by no label selects no pod: its endpoints are made by hand. */
    private static Optional<Label> labelOf(Workload workload) {
        if (workload.kind() != Workload.Kind.SERVICE) {
            return Optional.empty();
        }
        Labels selector = workload.selector().equal();
        List<Label> labels = new ArrayList<>(selector.size());
        selector.forEach((key, value) -> labels.add(new Label(workload.namespace(), key, value)));
        return labels.stream().findFirst();
    }

    private TrieMap<LabelSelector, TrieMap<Workload.Key, Workload>> bucket(Label label) {
        @Nullable TrieMap<LabelSelector, TrieMap<Workload.Key, Workload>> bucket = services.get(label);
        return bucket == null ? TrieMap.empty() : bucket;
    }

    private static TrieMap<Workload.Key, Workload> alike(
            TrieMap<LabelSelector, TrieMap<Workload.Key, Workload>> bucket, LabelSelector selector) {
        @Nullable TrieMap<Workload.Key, Workload> alike = bucket.get(selector);
        return alike == null ? TrieMap.empty() : alike;
    }
}
