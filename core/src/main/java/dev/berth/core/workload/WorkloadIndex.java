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
 * Services and workloads, by the pods that they select or control: a Service by one of the labels that it selects, a
 * workload by the name in the pod's controller reference. Services with equal selectors share one entry. Immutable.
 */
public final class WorkloadIndex {
    public static final WorkloadIndex EMPTY = new WorkloadIndex(TrieMap.empty(), TrieMap.empty(), TrieMap.empty());

    private static final Comparator<Workload> ORDER =
            Comparator.comparing(Workload::kind).thenComparing(Workload::name);

    private record NamespacedLabel(String namespace, String key, String value) {}

    private final TrieMap<Workload.WorkloadKey, Workload> byKey;
    private final TrieMap<String, Workload> byUid;
    private final TrieMap<NamespacedLabel, TrieMap<LabelSelector, TrieMap<Workload.WorkloadKey, Workload>>> services;

    private WorkloadIndex(
            TrieMap<Workload.WorkloadKey, Workload> all,
            TrieMap<String, Workload> byUid,
            TrieMap<NamespacedLabel, TrieMap<LabelSelector, TrieMap<Workload.WorkloadKey, Workload>>> services) {
        this.byKey = all;
        this.byUid = byUid;
        this.services = services;
    }

    public Optional<Workload> get(Workload.WorkloadKey key) {
        return Optional.ofNullable(byKey.get(key));
    }

    public Optional<Workload> findByUid(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    public WorkloadIndex with(Workload workload) {
        WorkloadIndex withoutOld = without(workload.key());
        TrieMap<NamespacedLabel, TrieMap<LabelSelector, TrieMap<Workload.WorkloadKey, Workload>>> updatedServices =
                withoutOld.services;
        Optional<NamespacedLabel> label = indexLabelOf(workload);
        if (label.isPresent()) {
            TrieMap<LabelSelector, TrieMap<Workload.WorkloadKey, Workload>> bucket = withoutOld.bucket(label.get());
            TrieMap<Workload.WorkloadKey, Workload> sameSelector = servicesWithSelector(bucket, workload.selector());
            updatedServices = updatedServices.with(
                    label.get(), bucket.with(workload.selector(), sameSelector.with(workload.key(), workload)));
        }
        return new WorkloadIndex(
                withoutOld.byKey.with(workload.key(), workload),
                withoutOld.byUid.with(workload.uid(), workload),
                updatedServices);
    }

    public WorkloadIndex without(Workload.WorkloadKey key) {
        Workload existing = byKey.get(key);
        if (existing == null) {
            return this;
        }
        TrieMap<NamespacedLabel, TrieMap<LabelSelector, TrieMap<Workload.WorkloadKey, Workload>>> updatedServices =
                services;
        Optional<NamespacedLabel> label = indexLabelOf(existing);
        if (label.isPresent()) {
            TrieMap<LabelSelector, TrieMap<Workload.WorkloadKey, Workload>> bucket = bucket(label.get());
            TrieMap<Workload.WorkloadKey, Workload> sameSelector =
                    servicesWithSelector(bucket, existing.selector()).without(key);
            bucket = sameSelector.isEmpty()
                    ? bucket.without(existing.selector())
                    : bucket.with(existing.selector(), sameSelector);
            updatedServices =
                    bucket.isEmpty() ? updatedServices.without(label.get()) : updatedServices.with(label.get(), bucket);
        }
        return new WorkloadIndex(byKey.without(key), byUid.without(existing.uid()), updatedServices);
    }

    /** The Services that select the pod and the workload that controls it, sorted by kind and name. */
    public List<Workload> findByPod(Pod pod) {
        return findMatching(pod, (sameSelector, found) -> sameSelector.forEach((key, service) -> found.add(service)));
    }

    /** The same, but only one of the Services with equal selectors. */
    public List<Workload> findByPodOnePerSelector(Pod pod) {
        return findMatching(pod, (sameSelector, found) -> {
            Workload any = sameSelector.firstValue();
            if (any != null) {
                found.add(any);
            }
        });
    }

    private List<Workload> findMatching(
            Pod pod, BiConsumer<TrieMap<Workload.WorkloadKey, Workload>, List<Workload>> add) {
        List<Workload> found = new ArrayList<>();
        if (!services.isEmpty()) {
            pod.labels()
                    .forEach((key, value) -> bucket(new NamespacedLabel(pod.namespace(), key, value))
                            .forEach((selector, sameSelector) -> {
                                if (selector.matches(pod.labels())) {
                                    add.accept(sameSelector, found);
                                }
                            }));
        }
        pod.controller().flatMap(ref -> findController(pod, ref)).ifPresent(found::add);
        found.sort(ORDER);
        return List.copyOf(found);
    }

    public void forEach(Consumer<Workload> visitor) {
        byKey.forEach((key, workload) -> visitor.accept(workload));
    }

    private Optional<Workload> findController(Pod pod, ControllerRef ref) {
        return kindOf(ref).flatMap(kind -> get(new Workload.WorkloadKey(kind, pod.namespace(), ref.name())));
    }

    /** The API group and version must match: a ReplicaSet of another group is not a workload of Kubernetes. */
    private static Optional<Workload.Kind> kindOf(ControllerRef ref) {
        return switch (ref.apiVersion() + " " + ref.kind()) {
            case "v1 ReplicationController" -> Optional.of(Workload.Kind.REPLICATION_CONTROLLER);
            case "apps/v1 ReplicaSet" -> Optional.of(Workload.Kind.REPLICA_SET);
            case "apps/v1 StatefulSet" -> Optional.of(Workload.Kind.STATEFUL_SET);
            default -> Optional.empty();
        };
    }

    /** A Service without a selector selects no pod: its endpoints are managed manually. */
    private static Optional<NamespacedLabel> indexLabelOf(Workload workload) {
        if (workload.kind() != Workload.Kind.SERVICE) {
            return Optional.empty();
        }
        Labels selector = workload.selector().matchLabels();
        List<NamespacedLabel> labels = new ArrayList<>(selector.size());
        selector.forEach((key, value) -> labels.add(new NamespacedLabel(workload.namespace(), key, value)));
        return labels.stream().findFirst();
    }

    private TrieMap<LabelSelector, TrieMap<Workload.WorkloadKey, Workload>> bucket(NamespacedLabel label) {
        @Nullable TrieMap<LabelSelector, TrieMap<Workload.WorkloadKey, Workload>> bucket = services.get(label);
        return bucket == null ? TrieMap.empty() : bucket;
    }

    private static TrieMap<Workload.WorkloadKey, Workload> servicesWithSelector(
            TrieMap<LabelSelector, TrieMap<Workload.WorkloadKey, Workload>> bucket, LabelSelector selector) {
        @Nullable TrieMap<Workload.WorkloadKey, Workload> sameSelector = bucket.get(selector);
        return sameSelector == null ? TrieMap.empty() : sameSelector;
    }
}
