package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Need;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.resource.PodRequests;
import dev.berth.core.resource.PodResources;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.sharing.BoundedMap;
import dev.berth.kubernetes.sharing.LabelPool;
import dev.berth.kubernetes.sharing.Pool;
import dev.berth.kubernetes.sharing.Quantities;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads a pod's specification; read anew for each pod. */
final class PodSpecs {
    private static final FieldNames SPEC = FieldNames.none()
            .with(1, "volumes")
            .with(2, "containers")
            .withMap(7, "nodeSelector")
            .with(10, "nodeName")
            .with(11, "hostNetwork")
            .with(18, "affinity")
            .with(19, "schedulerName")
            .with(20, "initContainers")
            .with(22, "tolerations")
            .with(25, "priority")
            .with(31, "preemptionPolicy")
            .withMap(32, "overhead")
            .with(33, "topologySpreadConstraints")
            .with(37, "hostUsers")
            .with(38, "schedulingGates")
            .with(39, "resourceClaims")
            .with(40, "resources")
            .with(42, "workloadRef")
            .with(43, "schedulingGroup");
    private static final FieldNames GATE = FieldNames.none().with(1, "name");

    private final Containers containers;
    private final Quantities quantities;
    private final Volumes volumes = new Volumes();
    private final Affinities affinities = new Affinities();
    private final SpreadConstraints spread = new SpreadConstraints();
    private final LabelPool selectors = new LabelPool();
    private final Pool<PodShape> shapes = new Pool<>(1 << 13);
    private final Map<PodResources, PodRequests> computed = new BoundedMap<>(1 << 13);
    private final List<Toleration> tolerations = new ArrayList<>();
    private final List<String> gates = new ArrayList<>();
    private final Set<Need> needs = EnumSet.noneOf(Need.class);
    private final Map<ResourceName, Quantity> overhead = new HashMap<>();
    private Map<ResourceName, Quantity> own = Map.of();
    private Labels selector = Labels.NONE;
    private boolean hostNetwork;
    private boolean ownUsers;
    private String nodeName = "";
    private String schedulerName = "";
    private int priority;
    private boolean preempting = true;

    PodSpecs(Quantities quantities, Containers containers) {
        this.quantities = quantities;
        this.containers = containers;
    }

    void clear() {
        volumes.clear();
        affinities.clear();
        spread.clear();
        tolerations.clear();
        gates.clear();
        needs.clear();
        overhead.clear();
        own = Map.of();
        selector = Labels.NONE;
        hostNetwork = false;
        ownUsers = false;
        nodeName = "";
        schedulerName = "";
        priority = 0;
        preempting = true;
    }

    void read(Cursor in) {
        selectors.begin();
        in.enter();
        for (int field = in.next(SPEC); field != 0; field = in.next(SPEC)) {
            readField(field, in);
        }
        in.leave();
        selector = selectors.end();
    }

    private void readField(int field, Cursor in) {
        switch (field) {
            case 1 -> volumes.read(in);
            case 2 -> containers.read(in, false);
            case 7 -> selectors.add(in.key(), in.valueText());
            case 10 -> nodeName = in.text();
            case 11 -> hostNetwork = in.flag();
            case 18 -> affinities.read(in);
            case 19 -> schedulerName = in.text();
            case 20 -> containers.read(in, true);
            case 22 -> Taints.toleration(in).ifPresent(tolerations::add);
            case 25 -> priority = (int) in.number();
            case 31 -> preempting = !in.text().equals("Never");
            case 32 -> quantities.read(in, overhead);
            case 33 -> spread.read(in);
            case 37 -> ownUsers = !in.flag();
            case 38 -> gate(in);
            case 39 -> need(Need.RESOURCE_CLAIMS, in);
            case 40 -> own = containers.requests(in);
            case 42 -> need(Need.WORKLOAD, in);
            case 43 -> need(Need.POD_GROUP, in);
            default -> in.skip();
        }
    }

    /** Besides what the specification says. */
    void need(Need need) {
        needs.add(need);
    }

    private void need(Need need, Cursor in) {
        needs.add(need);
        in.skip();
    }

    private void gate(Cursor in) {
        in.enter();
        for (int field = in.next(GATE); field != 0; field = in.next(GATE)) {
            if (field == 1) {
                gates.add(in.text());
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    /** All that has been read, with what the status says of resources, as one shape that equal pods share. */
    PodShape shape(Optional<PodResources.Reported> reported, boolean resizeInfeasible) {
        PodResources resources = new PodResources(
                containers.containers(), containers.initContainers(), own, overhead, reported, resizeInfeasible);
        return shapes.share(PodShape.builder()
                .requests(computed.computeIfAbsent(resources, PodRequests::of))
                .affinity(affinity())
                .tolerations(tolerations)
                .hostPorts(containers.hostPorts(hostNetwork))
                .images(containers.images())
                .mountedImages(volumes.images())
                .needs(needs)
                .podAffinity(affinities.ofPods())
                .spread(spread.constraints())
                .features(features())
                .build());
    }

    /** What a node must have declared that it can do: what Kubernetes 1.36 infers from specifications. */
    private List<String> features() {
        List<String> features = new ArrayList<>(0);
        if (hostNetwork && ownUsers) {
            features.add("UserNamespacesHostNetworkSupport");
        }
        if (containers.restartAll()) {
            features.add("RestartAllContainersOnContainerExits");
        }
        return features;
    }

    private NodeAffinity affinity() {
        boolean none = selector.isEmpty()
                && affinities.required().isEmpty()
                && affinities.preferred().isEmpty();
        return none ? NodeAffinity.NONE : new NodeAffinity(selector, affinities.required(), affinities.preferred());
    }

    /** @param pod the name of the pod */
    PodVolumes volumes(String pod) {
        return volumes.of(pod);
    }

    Optional<String> nodeName() {
        return nodeName.isEmpty() ? Optional.empty() : Optional.of(nodeName);
    }

    String schedulerName() {
        return schedulerName;
    }

    int priority() {
        return priority;
    }

    boolean preempting() {
        return preempting;
    }

    List<String> gates() {
        return gates;
    }
}
