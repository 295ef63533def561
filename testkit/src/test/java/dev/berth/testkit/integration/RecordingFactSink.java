package dev.berth.testkit.integration;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.fact.Fact;
import dev.berth.engine.FactSink;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes facts as the engine would and keeps what they add up to. */
final class RecordingFactSink implements FactSink {
    final List<String> lines = new CopyOnWriteArrayList<>();
    private final Map<PodUid, Pod> pods = new ConcurrentHashMap<>();
    private final Map<String, Node> nodes = new ConcurrentHashMap<>();
    private final Map<Workload.WorkloadKey, Workload> workloads = new ConcurrentHashMap<>();
    private final Set<ListedKind> listed = EnumSet.noneOf(ListedKind.class);

    @Override
    public void accept(Fact fact) {
        if (fact instanceof Fact.PodUpserted seen) {
            pods.put(seen.pod().uid(), seen.pod());
            lines.add("pod " + seen.pod().name());
        } else if (fact instanceof Fact.PodDeleted gone) {
            Pod last = pods.remove(gone.uid());
            lines.add("gone " + (last == null ? gone.uid() : last.name()));
        } else if (fact instanceof Fact.NodeUpserted seen) {
            nodes.put(seen.node().uid().value(), seen.node());
        } else if (fact instanceof Fact.NodeDeleted gone) {
            nodes.remove(gone.uid().value());
        } else if (fact instanceof Fact.WorkloadUpserted seen) {
            workloads.put(seen.workload().key(), seen.workload());
        } else if (fact instanceof Fact.WorkloadDeleted gone) {
            workloads.remove(gone.key());
        }
    }

    @Override
    public synchronized void onListed(ListedKind listedKind) {
        listed.add(listedKind);
        lines.add("listed " + listedKind);
    }

    synchronized boolean complete() {
        return listed.size() == ListedKind.values().length;
    }

    Optional<Pod> pod(String namespace, String name) {
        return pods.values().stream()
                .filter(pod -> pod.namespace().equals(namespace) && pod.name().equals(name))
                .findFirst();
    }

    List<String> podNames(String namespace) {
        return new ArrayList<>(pods.values().stream()
                .filter(pod -> pod.namespace().equals(namespace))
                .map(Pod::name)
                .sorted()
                .toList());
    }

    Optional<Node> node(String name) {
        return nodes.values().stream().filter(node -> node.name().equals(name)).findFirst();
    }

    Optional<Workload> workload(Workload.WorkloadKey key) {
        return Optional.ofNullable(workloads.get(key));
    }
}
