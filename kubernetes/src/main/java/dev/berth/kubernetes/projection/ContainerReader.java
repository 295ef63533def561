package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.resource.PodResources;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.interning.QuantityCache;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads the containers of a pod, with the resources in their status. */
public final class ContainerReader {
    /**
     * The protobuf number of the field by which a container names its device claims, if the server has it. It is far
     * from the numbers of Kubernetes.
     */
    public static final int EXTENDED_RESOURCE_CLAIMS = 1022;

    private static final FieldNames CONTAINER = FieldNames.none()
            .with(1, "name")
            .with(2, "image")
            .with(6, "ports")
            .with(8, "resources")
            .with(24, "restartPolicy")
            .with(25, "restartPolicyRules")
            .with(EXTENDED_RESOURCE_CLAIMS, "extendedResourceClaims");
    private static final FieldNames PORT = FieldNames.none()
            .with(2, "hostPort")
            .with(3, "containerPort")
            .with(4, "protocol")
            .with(5, "hostIP");
    private static final FieldNames RULE = FieldNames.none().with(1, "action");
    private static final FieldNames RESOURCES = FieldNames.none().withMap(2, "requests");
    private static final FieldNames RESOURCES_WITH_LIMITS =
            FieldNames.none().withMap(1, "limits").withMap(2, "requests");
    private static final FieldNames STATUS =
            FieldNames.none().with(1, "name").withMap(10, "allocatedResources").with(11, "resources");

    private record ContainerSpec(
            String name, String image, Map<ResourceName, Quantity> requests, boolean restartable) {}

    private final QuantityCache quantityCache;
    private final boolean applyDefaults;
    private final List<ContainerSpec> containers = new ArrayList<>();
    private final List<ContainerSpec> initContainers = new ArrayList<>();
    private final List<HostPort> hostPorts = new ArrayList<>();
    /** The host ports that a container with hostNetwork uses implicitly. */
    private final List<HostPort> pendingHostNetworkPorts = new ArrayList<>();

    private final Map<String, PodResources.Reported> reportedResources = new HashMap<>();
    private final Set<String> deviceClaims = new TreeSet<>();
    private boolean restartAllContainers;

    ContainerReader(QuantityCache quantityCache) {
        this(quantityCache, false);
    }

    /**
     * @param applyDefaults whether the API server's defaults for pods are missing: a limit without a request becomes
     * the request; with hostNetwork a container's port becomes the host port
     */
    ContainerReader(QuantityCache quantityCache, boolean applyDefaults) {
        this.quantityCache = quantityCache;
        this.applyDefaults = applyDefaults;
    }

    void clear() {
        containers.clear();
        initContainers.clear();
        hostPorts.clear();
        pendingHostNetworkPorts.clear();
        reportedResources.clear();
        deviceClaims.clear();
        restartAllContainers = false;
    }

    void read(Cursor in, boolean init) {
        String name = "";
        String image = "";
        boolean restartable = false;
        Map<ResourceName, Quantity> requests = Map.of();
        List<HostPort> ports = new ArrayList<>(0);
        List<HostPort> impliedPorts = new ArrayList<>(0);
        in.enter();
        for (int field = in.nextField(CONTAINER); field != 0; field = in.nextField(CONTAINER)) {
            switch (field) {
                case 1 -> name = in.text();
                case 2 -> image = in.text();
                case 6 -> readPort(in, ports, impliedPorts);
                case 8 -> requests = readRequests(in);
                case EXTENDED_RESOURCE_CLAIMS -> deviceClaims.add(in.text());
                case 25 -> readRestartRule(in);
                case 24 -> restartable = in.text().equals("Always");
                default -> in.skip();
            }
        }
        in.leave();
        ContainerSpec containerSpec = new ContainerSpec(name, image, requests, init && restartable);
        (init ? initContainers : containers).add(containerSpec);
        if (!init || containerSpec.restartable) {
            hostPorts.addAll(ports);
            pendingHostNetworkPorts.addAll(impliedPorts);
        }
    }

    private void readRestartRule(Cursor in) {
        in.enter();
        for (int field = in.nextField(RULE); field != 0; field = in.nextField(RULE)) {
            if (field == 1) {
                restartAllContainers |= in.text().equals("RestartAllContainers");
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    /** Whether the exit of some container restarts all of them. */
    boolean restartsAllContainers() {
        return restartAllContainers;
    }

    void readStatus(Cursor in) {
        String name = "";
        Optional<Map<ResourceName, Quantity>> actuated = Optional.empty();
        Map<ResourceName, Quantity> allocated = new HashMap<>();
        in.enter();
        for (int field = in.nextField(STATUS); field != 0; field = in.nextField(STATUS)) {
            switch (field) {
                case 1 -> name = in.text();
                case 10 -> quantityCache.readEntry(in, allocated);
                case 11 -> actuated = Optional.of(readRequests(in));
                default -> in.skip();
            }
        }
        in.leave();
        if (actuated.isPresent()) {
            reportedResources.put(name, new PodResources.Reported(actuated.get(), allocated));
        }
    }

    /** The cursor is at a field of resource requirements: reads the requests. */
    Map<ResourceName, Quantity> readRequests(Cursor in) {
        Map<ResourceName, Quantity> requests = new HashMap<>();
        Map<ResourceName, Quantity> limits = new HashMap<>();
        FieldNames names = applyDefaults ? RESOURCES_WITH_LIMITS : RESOURCES;
        in.enter();
        for (int field = in.nextField(names); field != 0; field = in.nextField(names)) {
            if (field == 2) {
                quantityCache.readEntry(in, requests);
            } else if (field == 1 && applyDefaults) {
                quantityCache.readEntry(in, limits);
            } else {
                in.skip();
            }
        }
        in.leave();
        limits.forEach(requests::putIfAbsent);
        return requests;
    }

    List<PodResources.Container> containers() {
        return withReportedResources(containers);
    }

    List<PodResources.Container> initContainers() {
        return withReportedResources(initContainers);
    }

    List<HostPort> hostPorts(boolean hostNetwork) {
        if (!hostNetwork || !applyDefaults || pendingHostNetworkPorts.isEmpty()) {
            return hostPorts;
        }
        List<HostPort> ports = new ArrayList<>(hostPorts);
        ports.addAll(pendingHostNetworkPorts);
        return ports;
    }

    /** The device claims that containers name in their own field, including init containers. */
    Set<String> deviceClaims() {
        return deviceClaims;
    }

    /** One for each container, the init containers first. */
    List<String> images() {
        List<String> images = new ArrayList<>(initContainers.size() + containers.size());
        initContainers.forEach(containerSpec -> images.add(withDefaultTag(containerSpec.image)));
        containers.forEach(draft -> images.add(withDefaultTag(draft.image)));
        return images;
    }

    private List<PodResources.Container> withReportedResources(List<ContainerSpec> containerSpecs) {
        List<PodResources.Container> joined = new ArrayList<>(containerSpecs.size());
        for (ContainerSpec containerSpec : containerSpecs) {
            joined.add(new PodResources.Container(
                    containerSpec.requests,
                    containerSpec.restartable,
                    Optional.ofNullable(reportedResources.get(containerSpec.name))));
        }
        return joined;
    }

    private static void readPort(Cursor in, List<HostPort> ports, List<HostPort> impliedPorts) {
        int port = 0;
        int inContainer = 0;
        String protocol = "";
        String address = "";
        in.enter();
        for (int field = in.nextField(PORT); field != 0; field = in.nextField(PORT)) {
            switch (field) {
                case 2 -> port = Math.toIntExact(in.number());
                case 3 -> inContainer = Math.toIntExact(in.number());
                case 4 -> protocol = in.text();
                case 5 -> address = in.text();
                default -> in.skip();
            }
        }
        in.leave();
        if (port != 0) {
            ports.add(new HostPort(protocol, address, port));
        } else if (inContainer != 0) {
            impliedPorts.add(new HostPort(protocol, address, inContainer));
        }
    }

    /** As nodes name their images: without a tag or digest, latest is meant. */
    static String withDefaultTag(String image) {
        return image.lastIndexOf(':') <= image.lastIndexOf('/') ? image + ":latest" : image;
    }
}
