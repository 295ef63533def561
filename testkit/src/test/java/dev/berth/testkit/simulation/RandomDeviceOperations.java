package dev.berth.testkit.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.door.devices.DeviceClaim;
import dev.berth.core.hold.DeviceUse;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.unstructured.JsonText;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/**
 * What users and tenants do with devices: pods with claims of their own or of other pods, forged and removed records, claims
 * that are deleted, devices whose objects are deleted and created again, and pods with claims that another scheduler binds.
 *
 * <p>If Berth is killed between a bind and the write of the device, only the pod's record says which device the pod has. Its
 * author can then take the device away: docs/decisions/records.md names that price, and no deed here pays it.
 */
final class RandomDeviceOperations {
    /** The name of each device, and the name of its node. */
    private static final Map<String, String> NODE_BY_DEVICE =
            Map.of("d-0", "node-0", "d-1", "node-0", "d-2", "node-1", "d-3", "node-2");

    private static final List<String> NAMES = List.of("d-0", "d-1", "d-2", "d-3");

    private final Simulation cluster;
    private final Random random;
    private final Supplier<ObjectNode> pods;
    private final DeviceUsageChecks users;
    private int claims;

    /** @param pods makes pods that do not exist yet */
    RandomDeviceOperations(Simulation cluster, Random random, Supplier<ObjectNode> pods) {
        this.cluster = cluster;
        this.random = random;
        this.pods = pods;
        this.users = new DeviceUsageChecks(cluster);
        NAMES.forEach(this::createDevice);
    }

    void next() {
        switch (random.nextInt(11)) {
            case 0, 1, 2, 3, 4 -> createPod();
            case 5, 6 -> forgeRecord();
            case 7 -> removeRecord();
            case 8 -> deleteClaim();
            case 9 -> replaceDevice();
            default -> createPodOfOtherScheduler();
        }
    }

    private void createDevice(String name) {
        cluster.client()
                .create(DeviceUsageChecks.DEVICES, JsonText.parse("""
                {"apiVersion":"extensions.berth.dev/v1alpha1","kind":"ExtendedResource","metadata":{"name":"%1$s"},
                 "spec":{"rawResourceName":"example.com-card","deviceID":"%1$s","nodeAffinity":{"required":{"nodeSelectorTerms":[
                  {"matchExpressions":[{"key":"kubernetes.io/hostname","operator":"In","values":["%2$s"]}]}]}}}}
                """.formatted(name, NODE_BY_DEVICE.get(name))));
    }

    private void createPod() {
        ObjectNode pod = pods.get();
        pod.withObject("/metadata/annotations")
                .put(DeviceClaim.ANNOTATION, random.nextInt(4) == 0 ? anyClaim() : claim());
        request(pod, "500m");
        cluster.client().create(RestMapping.PODS, pod);
    }

    private static void request(ObjectNode pod, String cpu) {
        ((ObjectNode) pod.path("spec")
                        .path("containers")
                        .path(0)
                        .path("resources")
                        .path("requests"))
                .put("cpu", cpu);
    }

    private String claim() {
        String name = "c-" + claims++;
        ObjectNode claim = JsonText.parse("""
                {"apiVersion":"extensions.berth.dev/v1alpha1","kind":"ExtendedResourceClaim",
                 "metadata":{"name":"%s","namespace":"default"},
                 "spec":{"rawResourceName":"example.com-card","extendResourceNum":%d}}
                """.formatted(name, random.nextInt(4) == 0 ? 2 : 1));
        if (random.nextInt(4) == 0) {
            claim.withObject("/spec").putArray("extendedResourceNames").add(anyDevice());
        }
        cluster.client().create(DeviceUsageChecks.CLAIMS, claim);
        return name;
    }

    /** The forger may be older than the pod that has the device. */
    private void forgeRecord() {
        String device = anyDevice();
        for (ObjectNode pod : oneOf(SimulationTest.pods(cluster))) {
            if (users.deviceNamesItsUser(device) && users.devicesNameTheirUser(pod)) {
                record(pod, "\"%s=%s\"".formatted(anyClaim(), device));
            }
        }
    }

    private void removeRecord() {
        for (ObjectNode pod : oneOf(SimulationTest.pods(cluster))) {
            if (users.devicesNameTheirUser(pod)) {
                record(pod, "null");
            }
        }
    }

    private void record(ObjectNode pod, String record) {
        cluster.client()
                .patch(
                        RestMapping.PODS.object("default", SimulationTest.name(pod)),
                        Patch.merge(JsonText.parse("{\"metadata\":{\"annotations\":{\"%s\":%s}}}"
                                .formatted(DeviceUse.ANNOTATION, record))));
    }

    private void deleteClaim() {
        for (ObjectNode claim : oneOf(cluster.client().list(DeviceUsageChecks.CLAIMS, ListScope.ALL))) {
            if (NAMES.stream().allMatch(users::deviceNamesItsUser)) {
                cluster.client()
                        .delete(
                                DeviceUsageChecks.CLAIMS.object("default", SimulationTest.name(claim)),
                                DeleteOptions.DEFAULT);
            }
        }
    }

    /** The new object names no pod: until Berth writes it, the record alone says which pod has the device. */
    private void replaceDevice() {
        String device = anyDevice();
        if (users.isProvenByRecord(device)) {
            cluster.client().delete(DeviceUsageChecks.DEVICES.clusterObject(device), DeleteOptions.DEFAULT);
            for (int steps = random.nextInt(3); steps > 0; steps--) {
                cluster.step();
            }
            createDevice(device);
        }
    }

    /** Another scheduler binds the pod: the pod has the device if the device is free and the claim asks for it. */
    private void createPodOfOtherScheduler() {
        String device = anyDevice();
        if (!users.deviceNamesItsUser(device)) {
            return;
        }
        ObjectNode pod = pods.get();
        request(pod, "500m");
        pod.withObject("/spec")
                .put("schedulerName", RandomOperations.OTHER_SCHEDULER)
                .put("nodeName", NODE_BY_DEVICE.get(device));
        String claim = random.nextBoolean() ? claim() : anyClaim();
        pod.withObject("/metadata/annotations")
                .put(DeviceClaim.ANNOTATION, claim)
                .put(DeviceUse.ANNOTATION, "%s=%s".formatted(claim, device));
        cluster.client().create(RestMapping.PODS, pod);
    }

    private String anyDevice() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    /** A claim that exists, or existed. */
    private String anyClaim() {
        return claims == 0 ? claim() : "c-" + random.nextInt(claims);
    }

    private <T> List<T> oneOf(List<T> all) {
        return all.isEmpty() ? List.of() : List.of(all.get(random.nextInt(all.size())));
    }
}
