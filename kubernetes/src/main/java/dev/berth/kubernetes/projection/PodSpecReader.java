package dev.berth.kubernetes.projection;

import dev.berth.core.cache.LruCache;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.cluster.UnsupportedFeature;
import dev.berth.core.resource.PodRequests;
import dev.berth.core.resource.PodResources;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.interning.Interner;
import dev.berth.kubernetes.interning.LabelsInterner;
import dev.berth.kubernetes.interning.QuantityCache;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads a pod's spec; reused for each pod. */
final class PodSpecReader {
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

    private final ContainerReader containerReader;
    private final QuantityCache quantityCache;
    private final PodVolumeReader podVolumeReader = new PodVolumeReader();
    private final AffinityReader affinityReader = new AffinityReader();
    private final TopologySpreadReader spread = new TopologySpreadReader();
    private final LabelsInterner selectorInterner = new LabelsInterner();
    private final Interner<PodSpec> specInterner = new Interner<>(1 << 13);
    private final LruCache<PodResources, PodRequests> requestsByResources = new LruCache<>(1 << 13);
    private final List<Toleration> tolerations = new ArrayList<>();
    private final List<String> gates = new ArrayList<>();
    private final Set<UnsupportedFeature> unsupportedFeatures = new HashSet<>();
    private final Map<ResourceName, Quantity> overhead = new HashMap<>();
    private Map<ResourceName, Quantity> podLevelRequests = Map.of();
    private Labels selector = Labels.NONE;
    private boolean hostNetwork;
    private boolean ownUserNamespace;
    private String nodeName = "";
    private String schedulerName = "";
    private int priority;
    private boolean preempting = true;

    PodSpecReader(QuantityCache quantityCache, ContainerReader containerReader) {
        this.quantityCache = quantityCache;
        this.containerReader = containerReader;
    }

    void clear() {
        podVolumeReader.clear();
        affinityReader.clear();
        spread.clear();
        tolerations.clear();
        gates.clear();
        unsupportedFeatures.clear();
        overhead.clear();
        podLevelRequests = Map.of();
        selector = Labels.NONE;
        hostNetwork = false;
        ownUserNamespace = false;
        nodeName = "";
        schedulerName = "";
        priority = 0;
        preempting = true;
    }

    void read(Cursor in) {
        selectorInterner.begin();
        in.enter();
        for (int field = in.nextField(SPEC); field != 0; field = in.nextField(SPEC)) {
            readField(field, in);
        }
        in.leave();
        selector = selectorInterner.intern();
    }

    private void readField(int field, Cursor in) {
        switch (field) {
            case 1 -> podVolumeReader.read(in);
            case 2 -> containerReader.read(in, false);
            case 7 -> selectorInterner.add(in.mapKey(), in.mapValueText());
            case 10 -> nodeName = in.text();
            case 11 -> hostNetwork = in.flag();
            case 18 -> affinityReader.read(in);
            case 19 -> schedulerName = in.text();
            case 20 -> containerReader.read(in, true);
            case 22 -> TaintReader.readToleration(in).ifPresent(tolerations::add);
            case 25 -> priority = (int) in.number();
            case 31 -> preempting = !in.text().equals("Never");
            case 32 -> quantityCache.readEntry(in, overhead);
            case 33 -> spread.read(in);
            case 37 -> ownUserNamespace = !in.flag();
            case 38 -> readSchedulingGate(in);
            case 39 -> addUnsupportedFeature(UnsupportedFeature.RESOURCE_CLAIMS, in);
            case 40 -> podLevelRequests = containerReader.readRequests(in);
            case 42 -> addUnsupportedFeature(UnsupportedFeature.WORKLOAD_REF, in);
            case 43 -> addUnsupportedFeature(UnsupportedFeature.SCHEDULING_GROUP, in);
            default -> in.skip();
        }
    }

    /** In addition to the spec. */
    void addUnsupportedFeature(UnsupportedFeature unsupportedFeature) {
        unsupportedFeatures.add(unsupportedFeature);
    }

    private void addUnsupportedFeature(UnsupportedFeature unsupportedFeature, Cursor in) {
        unsupportedFeatures.add(unsupportedFeature);
        in.skip();
    }

    private void readSchedulingGate(Cursor in) {
        in.enter();
        for (int field = in.nextField(GATE); field != 0; field = in.nextField(GATE)) {
            if (field == 1) {
                gates.add(in.text());
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    /** The requests of the spec as read, with the resources in the status. Equal requests share one instance. */
    PodRequests requests(Optional<PodResources.Reported> reported, boolean resizeInfeasible) {
        PodResources resources = new PodResources(
                containerReader.containers(),
                containerReader.initContainers(),
                podLevelRequests,
                overhead,
                reported,
                resizeInfeasible);
        return requestsByResources.computeIfAbsent(resources, 0, PodRequests::of);
    }

    /** The spec as read, with these requests. Equal specs share one instance. */
    PodSpec toPodSpec(PodRequests requests, ReservationConstraints reservations) {
        return specInterner.intern(PodSpec.builder()
                .requests(requests)
                .nodeAffinity(nodeAffinity())
                .tolerations(tolerations)
                .hostPorts(containerReader.hostPorts(hostNetwork))
                .images(containerReader.images())
                .mountedImages(podVolumeReader.images())
                .unsupportedFeatures(unsupportedFeatures)
                .podAffinity(affinityReader.podAffinity())
                .topologySpreadConstraints(spread.constraints())
                .requiredFeatures(requiredNodeFeatures())
                .reservations(reservations)
                .build());
    }

    /** The features that a node must declare, as Kubernetes 1.36 infers them from the spec. */
    private List<String> requiredNodeFeatures() {
        List<String> features = new ArrayList<>(0);
        if (hostNetwork && ownUserNamespace) {
            features.add("UserNamespacesHostNetworkSupport");
        }
        if (containerReader.restartsAllContainers()) {
            features.add("RestartAllContainersOnContainerExits");
        }
        return features;
    }

    private NodeAffinity nodeAffinity() {
        boolean none = selector.isEmpty()
                && affinityReader.requiredNodeTerms().isEmpty()
                && affinityReader.preferredNodeTerms().isEmpty();
        return none
                ? NodeAffinity.NONE
                : new NodeAffinity(selector, affinityReader.requiredNodeTerms(), affinityReader.preferredNodeTerms());
    }

    /** @param pod the name of the pod */
    PodVolumes volumes(String pod) {
        return podVolumeReader.toPodVolumes(pod);
    }

    /** The volumes of a pod template. */
    PodVolumes templateVolumes() {
        return podVolumeReader.toTemplateVolumes();
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
