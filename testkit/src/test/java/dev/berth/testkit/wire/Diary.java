package dev.berth.testkit.wire;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.decision.Fact;
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
final class Diary implements FactSink {
    final List<String> lines = new CopyOnWriteArrayList<>();
    private final Map<PodUid, Pod> pods = new ConcurrentHashMap<>();
    private final Map<String, Node> nodes = new ConcurrentHashMap<>();
    private final Map<Workload.Key, Workload> workloads = new ConcurrentHashMap<>();
    private final Set<Source> listed = EnumSet.noneOf(Source.class);

    @Override
    public void accept(Fact fact) {
        if (fact instanceof Fact.PodSeen seen) {
            pods.put(seen.pod().uid(), seen.pod());
            lines.add("pod " + seen.pod().name());
        } else if (fact instanceof Fact.PodGone gone) {
            Pod last = pods.remove(gone.uid());
            lines.add("gone " + (last == null ? gone.uid() : last.name()));
        } else if (fact instanceof Fact.NodeSeen seen) {
            nodes.put(seen.node().uid().value(), seen.node());
        } else if (fact instanceof Fact.NodeGone gone) {
            nodes.remove(gone.uid().value());
        } else if (fact instanceof Fact.WorkloadSeen seen) {
            workloads.put(seen.workload().key(), seen.workload());
        } else if (fact instanceof Fact.WorkloadGone gone) {
            workloads.remove(gone.key());
        }
    }

    @Override
    public synchronized void listed(Source source) {
        listed.add(source);
        lines.add("listed " + source);
    }

    synchronized boolean complete() {
        return listed.size() == Source.values().length;
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

    Optional<Workload> workload(Workload.Key key) {
        return Optional.ofNullable(workloads.get(key));
    }
}
