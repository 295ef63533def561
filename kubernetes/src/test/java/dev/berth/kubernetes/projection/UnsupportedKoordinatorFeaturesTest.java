package dev.berth.kubernetes.projection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.UnsupportedFeature;
import dev.berth.kubernetes.informer.InformerSettings;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The annotations are selected as in a cluster. */
class UnsupportedKoordinatorFeaturesTest {
    private final PodProjection projection = new PodProjection(
            key -> InformerSettings.DEFAULT.annotationPrefixes().stream().anyMatch(key::startsWith));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "labels | scheduling.koordinator.sh/operating-mode | Reservation | operation as a reservation",
                "labels | pod-group.scheduling.sigs.k8s.io | train | gang scheduling",
                "labels | pod-group.scheduling.sigs.k8s.io/name | train | gang scheduling",
                "labels | pod-group.scheduling.sigs.k8s.io/min-available | 2 | gang scheduling",
                "labels | gang.scheduling.koordinator.sh/name | train | gang scheduling",
                "annotations | gang.scheduling.koordinator.sh/name | train | gang scheduling",
                "annotations | gang.scheduling.koordinator.sh/min-available | 2 | gang scheduling",
                "annotations | gang.scheduling.koordinator.sh/total-number | 2 | gang scheduling",
                "annotations | gang.scheduling.koordinator.sh/new-in-a-later-version | 2 | gang scheduling",
                "annotations | gang.scheduling.koordinator.sh/groups | [\"a/b\"] | gang scheduling",
                "annotations | pod-group.scheduling.sigs.k8s.io/match-policy | once-satisfied | gang scheduling",
                "annotations | scheduling.koordinator.sh/resource-spec | {\"preferredCPUBindPolicy\":\"FullPCPUs\"}"
                        + " | a policy for cpus",
                "annotations | scheduling.koordinator.sh/resource-spec | {\"requiredCPUBindPolicy\":\"SpreadByPCPUs\"}"
                        + " | a policy for cpus",
                "annotations | scheduling.koordinator.sh/resource-spec"
                        + " | {\"preferredCPUExclusivePolicy\":\"PCPULevel\"} | a policy for cpus",
                "annotations | scheduling.koordinator.sh/resource-spec | {\"cpuset\":\"0-3\"} | a policy for cpus",
                "annotations | scheduling.koordinator.sh/resource-spec | FullPCPUs | a policy for cpus",
                "annotations | scheduling.koordinator.sh/numa-topology-spec"
                        + " | {\"numaTopologyPolicy\":\"SingleNUMANode\"} | a policy for NUMA nodes",
                "annotations | scheduling.koordinator.sh/device-allocate-hint | {\"gpu\":{}} | the choice of devices",
                "annotations | scheduling.koordinator.sh/device-joint-allocate | {\"deviceTypes\":[\"gpu\",\"rdma\"]}"
                        + " | the choice of devices",
                "annotations | scheduling.koordinator.sh/gpu-partition-spec | {\"allocatePolicy\":\"Restricted\"}"
                        + " | the choice of devices",
                "labels | koordinator.sh/gpu-isolation-provider | HAMi-core | isolation of a shared GPU"
            })
    void aLabelOrAnnotationThatAsksForAFeatureIsFoundWithItsKeyAndValue(
            String where, String key, String value, String feature) {
        assertThat(features(where, key, value)).singleElement().satisfies(found -> {
            assertThat(found.description())
                    .isEqualTo("%s (%s %s: %s)", feature, where.substring(0, where.length() - 1), key, value);
            assertThat(found.remedy()).contains("emove the");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "labels | scheduling.koordinator.sh/operating-mode | Runnable",
                "labels | koordinator.sh/qosClass | LSR",
                "labels | koordinator.sh/priority | 9000",
                "labels | hami.io/vgpu-node | node-1",
                "annotations | gang.scheduling.koordinator.sh/timeout | true",
                "annotations | scheduling.koordinator.sh/bind-gang-group-id | a/b",
                "annotations | scheduling.koordinator.sh/resource-status | {\"cpuset\":\"0-3\"}",
                "annotations | scheduling.koordinator.sh/device-allocated | {\"gpu\":[{\"minor\":0}]}",
                "annotations | scheduling.koordinator.sh/reservation-allocated | {\"name\":\"r\",\"uid\":\"u\"}",
                "annotations | scheduling.koordinator.sh/resource-spec | {}",
                "annotations | scheduling.koordinator.sh/resource-spec | {\"preferredCPUBindPolicy\":\"Default\"}",
                "annotations | scheduling.koordinator.sh/resource-spec"
                        + " | {\"PreferredCPUBindPolicy\":\"Default\",\"preferredCPUExclusivePolicy\":\"None\"}",
                "annotations | scheduling.koordinator.sh/numa-topology-spec | {\"numaTopologyPolicy\":\"\"}"
            })
    void aKeyThatAsksForNothingOrIsAResultOfKoordSchedulerIsAccepted(String where, String key, String value) {
        assertThat(features(where, key, value)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "koordinator.sh/gpu",
                "koordinator.sh/gpu.shared",
                "koordinator.sh/gpu-core",
                "koordinator.sh/gpu-memory",
                "koordinator.sh/gpu-memory-ratio",
                "koordinator.sh/rdma",
                "koordinator.sh/fpga",
                "kubernetes.io/gpu-core"
            })
    void aRequestForADeviceOfKoordinatorIsFound(String resource) {
        assertThat(features(requesting(resource, "50")))
                .singleElement()
                .extracting(UnsupportedFeature::description)
                .isEqualTo("a device by Koordinator's resource (request %s: 50)".formatted(resource));
        assertThat(features(requesting(resource, "0"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nvidia.com/gpu", "kubernetes.io/batch-cpu", "kubernetes.io/batch-memory", "cpu"})
    void aRequestForAnotherResourceIsAccepted(String resource) {
        assertThat(features(requesting(resource, "50"))).isEmpty();
    }

    @Test
    void aGangIsFoundOnceByItsName() {
        ObjectNode pod = pod();
        pod.withObject("metadata")
                .withObject("annotations")
                .put("gang.scheduling.koordinator.sh/min-available", "2")
                .put("gang.scheduling.koordinator.sh/network-topology-index", "7")
                .put("gang.scheduling.koordinator.sh/name", "train");
        assertThat(features(pod))
                .singleElement()
                .extracting(UnsupportedFeature::description)
                .isEqualTo("gang scheduling (annotation gang.scheduling.koordinator.sh/name: train)");
    }

    @Test
    void thePodThatHasANodeIsReadAsWithoutTheseKeys() {
        ObjectNode plain = pod();
        plain.withObject("spec").put("nodeName", "node-1");
        ObjectNode gang = plain.deepCopy();
        gang.withObject("metadata").withObject("annotations").put("gang.scheduling.koordinator.sh/name", "train");
        assertThat(read(gang).spec()).isSameAs(read(plain).spec());
    }

    private static ObjectNode requesting(String resource, String amount) {
        return WireObjects.yaml(
                "{metadata: {name: p, uid: u}, spec: {containers: [{name: c, resources: {requests: {%s: \"%s\"}}}]}}"
                        .formatted(resource, amount));
    }

    private Set<UnsupportedFeature> features(String where, String key, String value) {
        ObjectNode pod = pod();
        pod.withObject("metadata").withObject(where).put(key, value);
        return features(pod);
    }

    private static ObjectNode pod() {
        return WireObjects.yaml("{metadata: {name: p, uid: u}, spec: {containers: [{name: c}]}}");
    }

    private Set<UnsupportedFeature> features(ObjectNode pod) {
        return read(pod).spec().unsupportedFeatures();
    }

    private Pod read(ObjectNode pod) {
        return WireObjects.readFromJson(projection, pod).view().orElseThrow().pod();
    }
}
