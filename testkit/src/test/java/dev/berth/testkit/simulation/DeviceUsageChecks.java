package dev.berth.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.devices.DeviceClaim;
import dev.berth.core.hold.DeviceUse;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Which running pods have which devices by the binds of Berths, and what the objects of devices and claims say of it. */
final class DeviceUsageChecks {
    static final RestMapping DEVICES =
            new RestMapping("extensions.berth.dev", "v1alpha1", "extendedresources", "ExtendedResource", false);
    static final RestMapping CLAIMS = new RestMapping(
            "extensions.berth.dev", "v1alpha1", "extendedresourceclaims", "ExtendedResourceClaim", true);
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final Simulation cluster;

    DeviceUsageChecks(Simulation cluster) {
        this.cluster = cluster;
    }

    /** A pod that runs, or is about to, and what a Berth gave it. */
    private record User(ObjectNode pod, DeviceUse use) {
        private String uid() {
            return WatchedKind.uid(pod);
        }

        private boolean has(String device) {
            return use.devices().contains(device);
        }

        /** Whether the pod's own record still says so. */
        private boolean recorded() {
            return NestedFields.text(pod, "metadata", "annotations", DeviceUse.ANNOTATION)
                    .equals(use.annotationValue());
        }
    }

    private List<User> users() {
        Map<PodUid, Map<String, String>> records = cluster.bindAnnotations();
        List<User> users = new ArrayList<>();
        for (ObjectNode pod : SimulationTest.pods(cluster)) {
            Map<String, String> record = records.getOrDefault(new PodUid(WatchedKind.uid(pod)), Map.of());
            if (!ENDED.contains(NestedFields.text(pod, "status", "phase"))) {
                DeviceUse.recordedIn(Labels.of(record)).ifPresent(use -> users.add(new User(pod, use)));
            }
        }
        return users;
    }

    /** No two running pods have one device or one claim, and no device names a running pod that did not get it. */
    void assertNoDeviceIsShared(long seed) {
        List<User> users = users();
        Map<String, String> takers = new TreeMap<>();
        for (User user : users) {
            String name = SimulationTest.name(user.pod());
            List<String> taken = new ArrayList<>(user.use().devices());
            taken.addAll(user.use().byClaim().keySet());
            for (String one : taken) {
                assertThat(Optional.ofNullable(takers.put(one, name)))
                        .as("seed %d: running pods that Berth bound with %s, besides %s", seed, one, name)
                        .isEmpty();
            }
        }
        for (ObjectNode device : cluster.client().list(DEVICES, ListScope.ALL)) {
            String name = SimulationTest.name(device);
            boolean rightly = users.stream().anyMatch(user -> user.uid().equals(podOf(device)) && user.has(name));
            assertThat(rightly || !podOfOtherScheduler(device).isEmpty() ? Optional.empty() : running(podOf(device)))
                    .as("seed %d: the pod that device %s names and that did not get it", seed, name)
                    .isEmpty();
        }
    }

    private Optional<ObjectNode> running(String uid) {
        return SimulationTest.pods(cluster).stream()
                .filter(pod -> WatchedKind.uid(pod).equals(uid))
                .filter(pod -> !ENDED.contains(NestedFields.text(pod, "status", "phase")))
                .findFirst();
    }

    /** Whether the device's object names the pod that has the device, or no pod has it, and no bind is in flight. */
    boolean deviceNamesItsUser(String device) {
        return cluster.unfinishedWrites() == 0
                && users().stream().filter(user -> user.has(device)).allMatch(user -> names(device, user));
    }

    /** Whether the objects of all devices of the pod name it. */
    boolean devicesNameTheirUser(ObjectNode pod) {
        return cluster.unfinishedWrites() == 0
                && users().stream()
                        .filter(user -> user.uid().equals(WatchedKind.uid(pod)))
                        .allMatch(user -> user.use().devices().stream().allMatch(device -> names(device, user)));
    }

    /** Whether the record of the pod that has the device, if one has it, is true and believed, and no other pod's names it. */
    boolean isProvenByRecord(String device) {
        return cluster.unfinishedWrites() == 0
                && users().stream()
                        .filter(user -> user.has(device))
                        .allMatch(user -> user.recorded()
                                && user.use().byClaim().keySet().stream().allMatch(this::exists))
                && SimulationTest.pods(cluster).stream()
                                .filter(pod -> NestedFields.text(pod, "metadata", "annotations", DeviceUse.ANNOTATION)
                                        .contains(device))
                                .count()
                        <= 1;
    }

    private boolean exists(String claim) {
        return cluster.client().find(CLAIMS.object("default", claim)).isPresent();
    }

    private boolean names(String device, User user) {
        return cluster.client()
                .find(DEVICES.clusterObject(device))
                .filter(object -> podOf(object).equals(user.uid()))
                .isPresent();
    }

    private static String podOf(ObjectNode device) {
        return NestedFields.text(device, "metadata", "annotations", "berth.dev/pod-uid");
    }

    /**
     * Once everything is idle, each device and each claim names the pod that has it. A device that Berth gave to no pod
     * is free, or a pod that another scheduler bound has it.
     */
    void assertObjectsNameTheirPods(long seed) {
        List<User> users = users();
        for (ObjectNode device : cluster.client().list(DEVICES, ListScope.ALL)) {
            String name = SimulationTest.name(device);
            Optional<User> user = users.stream().filter(it -> it.has(name)).findFirst();
            assertThat(podOf(device))
                    .as("seed %d: the pod that device %s names", seed, name)
                    .isEqualTo(user.map(User::uid).orElseGet(() -> podOfOtherScheduler(device)));
        }
        for (ObjectNode claim : cluster.client().list(CLAIMS, ListScope.ALL)) {
            String name = SimulationTest.name(claim);
            users.stream()
                    .filter(it -> it.use().byClaim().containsKey(name))
                    .findFirst()
                    .ifPresent(user -> {
                        assertThat(NestedFields.text(claim, "metadata", "annotations", "extendedresourceclaim/podName"))
                                .as("seed %d: the pod that claim %s names", seed, name)
                                .isEqualTo(SimulationTest.name(user.pod()));
                        assertThat(NestedFields.text(claim, "status", "phase"))
                                .as("seed %d: the phase of claim %s", seed, name)
                                .isEqualTo("Bound");
                    });
        }
    }

    /** The UID of the running pod of another scheduler that the device names and that claims it; else empty. */
    private String podOfOtherScheduler(ObjectNode device) {
        String claim = NestedFields.text(device, "spec", "extendedResourceClaimName");
        return SimulationTest.pods(cluster).stream()
                .filter(pod -> NestedFields.text(pod, "spec", "schedulerName").equals(RandomOperations.OTHER_SCHEDULER))
                .filter(pod -> !ENDED.contains(NestedFields.text(pod, "status", "phase")))
                .filter(pod -> NestedFields.text(pod, "metadata", "annotations", DeviceClaim.ANNOTATION)
                        .equals(claim))
                .map(WatchedKind::uid)
                .filter(podOf(device)::equals)
                .findFirst()
                .orElse("");
    }

    /** Whether the node surely has what the pod claims. */
    boolean canServe(String node, Pod pod) {
        for (String name : DeviceClaim.claimNamesOf(pod)) {
            Optional<ObjectNode> claim = cluster.client().find(CLAIMS.object("default", name));
            if (claim.isEmpty()
                    || !NestedFields.text(claim.get(), "status", "phase").isEmpty()) {
                return false;
            }
            List<String> free = freeOn(node);
            List<String> wanted = new ArrayList<>();
            claim.get().path("spec").path("extendedResourceNames").forEach(one -> wanted.add(one.asText()));
            if (!free.containsAll(wanted)
                    || free.size()
                            < claim.get().path("spec").path("extendResourceNum").asInt()) {
                return false;
            }
        }
        return true;
    }

    private List<String> freeOn(String node) {
        return cluster.client().list(DEVICES, ListScope.ALL).stream()
                .filter(device -> NestedFields.text(device, "status", "phase").equals("Available"))
                .filter(device -> device.toString().contains("\"" + node + "\""))
                .map(SimulationTest::name)
                .toList();
    }
}
