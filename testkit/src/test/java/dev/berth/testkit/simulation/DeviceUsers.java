package dev.berth.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.device.DeviceClaim;
import dev.berth.core.hold.DeviceUse;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.object.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Which running pods have which devices by the binds of Berths, and what the objects of devices and claims say of it. */
final class DeviceUsers {
    static final Resource DEVICES =
            new Resource("extensions.berth.dev", "v1alpha1", "extendedresources", "ExtendedResource", false);
    static final Resource CLAIMS =
            new Resource("extensions.berth.dev", "v1alpha1", "extendedresourceclaims", "ExtendedResourceClaim", true);
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final Simulation cluster;

    DeviceUsers(Simulation cluster) {
        this.cluster = cluster;
    }

    /** A pod that runs, or is about to, and what a Berth gave it. */
    private record User(ObjectNode pod, DeviceUse use) {
        private String uid() {
            return Kind.uid(pod);
        }

        private boolean has(String device) {
            return use.devices().contains(device);
        }

        /** Whether the pod's own record still says so. */
        private boolean recorded() {
            return Json.text(pod, "metadata", "annotations", DeviceUse.ANNOTATION)
                    .equals(use.words());
        }
    }

    private List<User> users() {
        Map<PodUid, Map<String, String>> records = cluster.records();
        List<User> users = new ArrayList<>();
        for (ObjectNode pod : SimulationTest.pods(cluster)) {
            Map<String, String> record = records.getOrDefault(new PodUid(Kind.uid(pod)), Map.of());
            if (!ENDED.contains(Json.text(pod, "status", "phase"))) {
                DeviceUse.recordedIn(Labels.of(record)).ifPresent(use -> users.add(new User(pod, use)));
            }
        }
        return users;
    }

    /** No two running pods have one device or one claim, and no device names a running pod that did not get it. */
    void noneHasTheDeviceOfAnother(long seed) {
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
        for (ObjectNode device : cluster.client().list(DEVICES, Selection.ALL)) {
            String name = SimulationTest.name(device);
            boolean rightly = users.stream().anyMatch(user -> user.uid().equals(podOf(device)) && user.has(name));
            assertThat(rightly || !intruderIn(device).isEmpty() ? Optional.empty() : running(podOf(device)))
                    .as("seed %d: the pod that device %s names and that did not get it", seed, name)
                    .isEmpty();
        }
    }

    private Optional<ObjectNode> running(String uid) {
        return SimulationTest.pods(cluster).stream()
                .filter(pod -> Kind.uid(pod).equals(uid))
                .filter(pod -> !ENDED.contains(Json.text(pod, "status", "phase")))
                .findFirst();
    }

    /** Whether the device's object names the pod that has the device, or no pod has it, and no bind is on its way. */
    boolean areNamed(String device) {
        return cluster.unfinished() == 0
                && users().stream().filter(user -> user.has(device)).allMatch(user -> names(device, user));
    }

    /** Whether the objects of all devices of the pod name it. */
    boolean areNamedBy(ObjectNode pod) {
        return cluster.unfinished() == 0
                && users().stream()
                        .filter(user -> user.uid().equals(Kind.uid(pod)))
                        .allMatch(user -> user.use().devices().stream().allMatch(device -> names(device, user)));
    }

    /** Whether the record of the pod that has the device, if one has it, is true and believed, and no other pod's names it. */
    boolean areRecorded(String device) {
        return cluster.unfinished() == 0
                && users().stream()
                        .filter(user -> user.has(device))
                        .allMatch(user -> user.recorded()
                                && user.use().byClaim().keySet().stream().allMatch(this::exists))
                && SimulationTest.pods(cluster).stream()
                                .filter(pod -> Json.text(pod, "metadata", "annotations", DeviceUse.ANNOTATION)
                                        .contains(device))
                                .count()
                        <= 1;
    }

    private boolean exists(String claim) {
        return cluster.client().find(CLAIMS.at("default", claim)).isPresent();
    }

    private boolean names(String device, User user) {
        return cluster.client()
                .find(DEVICES.named(device))
                .filter(object -> podOf(object).equals(user.uid()))
                .isPresent();
    }

    private static String podOf(ObjectNode device) {
        return Json.text(device, "metadata", "annotations", "berth.dev/pod-uid");
    }

    /**
     * Once all is settled, each device and each claim names the pod that has it. A device that Berth gave to no pod is free,
     * or a pod that another scheduler bound has it.
     */
    void objectsNameTheirPods(long seed) {
        List<User> users = users();
        for (ObjectNode device : cluster.client().list(DEVICES, Selection.ALL)) {
            String name = SimulationTest.name(device);
            Optional<User> user = users.stream().filter(it -> it.has(name)).findFirst();
            assertThat(podOf(device))
                    .as("seed %d: the pod that device %s names", seed, name)
                    .isEqualTo(user.map(User::uid).orElseGet(() -> intruderIn(device)));
        }
        for (ObjectNode claim : cluster.client().list(CLAIMS, Selection.ALL)) {
            String name = SimulationTest.name(claim);
            users.stream()
                    .filter(it -> it.use().byClaim().containsKey(name))
                    .findFirst()
                    .ifPresent(user -> {
                        assertThat(Json.text(claim, "metadata", "annotations", "extendedresourceclaim/podName"))
                                .as("seed %d: the pod that claim %s names", seed, name)
                                .isEqualTo(SimulationTest.name(user.pod()));
                        assertThat(Json.text(claim, "status", "phase"))
                                .as("seed %d: the phase of claim %s", seed, name)
                                .isEqualTo("Bound");
                    });
        }
    }

    /** The UID of the running pod of another scheduler that the device names and that claims it; else empty. */
    private String intruderIn(ObjectNode device) {
        String claim = Json.text(device, "spec", "extendedResourceClaimName");
        return SimulationTest.pods(cluster).stream()
                .filter(pod -> Json.text(pod, "spec", "schedulerName").equals(Deeds.INTRUDING_SCHEDULER))
                .filter(pod -> !ENDED.contains(Json.text(pod, "status", "phase")))
                .filter(pod -> Json.text(pod, "metadata", "annotations", DeviceClaim.ANNOTATION)
                        .equals(claim))
                .map(Kind::uid)
                .filter(podOf(device)::equals)
                .findFirst()
                .orElse("");
    }

    /** Whether the node surely has what the pod claims. */
    boolean has(String node, Pod pod) {
        for (String name : DeviceClaim.namedBy(pod)) {
            Optional<ObjectNode> claim = cluster.client().find(CLAIMS.at("default", name));
            if (claim.isEmpty() || !Json.text(claim.get(), "status", "phase").isEmpty()) {
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
        return cluster.client().list(DEVICES, Selection.ALL).stream()
                .filter(device -> Json.text(device, "status", "phase").equals("Available"))
                .filter(device -> device.toString().contains("\"" + node + "\""))
                .map(SimulationTest::name)
                .toList();
    }
}
