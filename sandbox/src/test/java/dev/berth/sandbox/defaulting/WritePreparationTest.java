package dev.berth.sandbox.defaulting;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.KindSchema;
import dev.berth.sandbox.unstructured.NestedFields;
import org.junit.jupiter.api.Test;

final class WritePreparationTest {

    @Test
    void applyingDefaultsTwiceChangesNothing() {
        ObjectNode pod = aPod();
        Defaults.apply(kind("Pod"), pod);
        ObjectNode once = pod.deepCopy();

        Defaults.apply(kind("Pod"), pod);

        assertThat(pod).isEqualTo(once);
    }

    @Test
    void podsTolerateNotReadyAndUnreachableForFiveMinutesByDefault() {
        ObjectNode pod = aPod();
        pod.withObject("spec").withArray("tolerations").addObject().put("key", "node.kubernetes.io/not-ready");

        DefaultPodTolerations.addMissing(pod);
        DefaultPodTolerations.addMissing(pod);

        assertThat(pod.at("/spec/tolerations")).hasSize(2);
        assertThat(pod.at("/spec/tolerations/1/tolerationSeconds").asInt()).isEqualTo(300);
    }

    @Test
    void anUpdateOfTheMainResourceKeepsTheStatus() {
        ObjectNode before = stored();
        before.withObject("status").put("phase", "Running");
        ObjectNode after = before.deepCopy();
        after.withObject("status").put("phase", "Failed");

        WritePreparation.prepareForUpdate(kind("Pod"), before, after);

        assertThat(NestedFields.text(after, "status", "phase")).isEqualTo("Running");
        assertThat(NestedFields.number(after, "metadata", "generation")).isEqualTo(1);
    }

    @Test
    void aSpecChangeIncrementsTheGeneration() {
        ObjectNode before = stored();
        ObjectNode after = before.deepCopy();
        after.withObject("spec").put("activeDeadlineSeconds", 5);
        after.withObject("metadata").put("generation", 77);

        WritePreparation.prepareForUpdate(kind("Pod"), before, after);

        assertThat(NestedFields.number(after, "metadata", "generation")).isEqualTo(2);
    }

    @Test
    void anUpdateOfTheStatusKeepsTheSpec() {
        ObjectNode before = stored();
        ObjectNode after = before.deepCopy();
        after.withObject("spec").put("nodeName", "n");
        after.withObject("status").put("phase", "Running").remove("qosClass");

        WritePreparation.prepareForStatusUpdate(kind("Pod"), before, after);

        assertThat(NestedFields.has(after, "spec", "nodeName")).isFalse();
        assertThat(NestedFields.text(after, "status", "phase")).isEqualTo("Running");
        assertThat(NestedFields.text(after, "status", "qosClass")).isEqualTo("BestEffort");
    }

    @Test
    void anUpdateKeepsTheDeletionTimestamp() {
        ObjectNode before = stored();
        before.withObject("metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z");
        before.withObject("metadata").put("deletionGracePeriodSeconds", 30);
        ObjectNode after = stored();

        WritePreparation.prepareForUpdate(kind("Pod"), before, after);

        assertThat(NestedFields.text(after, "metadata", "deletionTimestamp")).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(NestedFields.number(after, "metadata", "deletionGracePeriodSeconds"))
                .isEqualTo(30);
    }

    @Test
    void aServiceGetsAClusterIpAndNodePortsAndKeepsThem() {
        ObjectNode service = aService("NodePort");
        Defaults.apply(kind("Service"), service);
        WritePreparation.prepareForCreate(kind("Service"), service);
        ServiceNetworkFields.assign(service, () -> "10.96.0.5", () -> 30001);
        assertThat(NestedFields.text(service, "spec", "clusterIP")).isEqualTo("10.96.0.5");
        assertThat(NestedFields.texts(service, "spec", "clusterIPs")).containsExactly("10.96.0.5");
        assertThat(service.at("/spec/ports/0/nodePort").asInt()).isEqualTo(30001);

        ObjectNode applied = aService("NodePort");
        Defaults.apply(kind("Service"), applied);
        WritePreparation.prepareForUpdate(kind("Service"), service, applied);

        assertThat(applied.path("spec")).isEqualTo(service.path("spec"));
    }

    @Test
    void changingAServiceToExternalNameRemovesItsClusterIp() {
        ObjectNode before = aService("ClusterIP");
        Defaults.apply(kind("Service"), before);
        ServiceNetworkFields.assign(before, () -> "10.96.0.5", () -> 30001);
        ObjectNode after = before.deepCopy();
        after.withObject("spec").put("type", "ExternalName").put("externalName", "example.com");

        WritePreparation.prepareForUpdate(kind("Service"), before, after);

        assertThat(NestedFields.has(after, "spec", "clusterIP")).isFalse();
        assertThat(NestedFields.has(after, "spec", "ipFamilies")).isFalse();
    }

    private static ObjectNode stored() {
        ObjectNode pod = aPod();
        Defaults.apply(kind("Pod"), pod);
        WritePreparation.prepareForCreate(kind("Pod"), pod);
        return pod;
    }

    private static ObjectNode aPod() {
        ObjectNode pod =
                JsonNodeFactory.instance.objectNode().put("kind", "Pod").put("apiVersion", "v1");
        pod.putObject("metadata").put("name", "p").put("namespace", "default").put("uid", "u");
        pod.putObject("spec")
                .putArray("containers")
                .addObject()
                .put("name", "c")
                .put("image", "nginx");
        return pod;
    }

    private static ObjectNode aService(String type) {
        ObjectNode service =
                JsonNodeFactory.instance.objectNode().put("kind", "Service").put("apiVersion", "v1");
        service.putObject("metadata")
                .put("name", "s")
                .put("namespace", "default")
                .put("uid", "u");
        service.putObject("spec")
                .put("type", type)
                .putArray("ports")
                .addObject()
                .put("port", 80);
        return service;
    }

    private static KindSchema kind(String name) {
        return BuiltInSchemas.load().find(new GroupVersionKind("", "v1", name)).orElseThrow();
    }
}
