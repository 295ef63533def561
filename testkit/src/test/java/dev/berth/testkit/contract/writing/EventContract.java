package dev.berth.testkit.contract.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Events: written once in the new group, read in the old one, counted up when they repeat. */
public abstract class EventContract extends ApiServerContract {

    @Test
    void anEventOfTheNewGroupIsReadInTheOld() {
        create(event()).expect(201);

        ApiResponse core = api.get(testNamespace.path("events/web.1")).expect(200);

        assertThat(core.at("/involvedObject/kind")).isEqualTo("Pod");
        assertThat(core.at("/reason")).isEqualTo("FailedScheduling");
        assertThat(core.at("/message")).isEqualTo("0/3 nodes are available");
        assertThat(core.at("/type")).isEqualTo("Warning");
        assertThat(core.at("/reportingComponent")).isEqualTo("berth-scheduler");
        assertThat(core.at("/reportingInstance")).isEqualTo("berth-scheduler-0");
        assertThat(core.at("/action")).isEqualTo("Scheduling");
    }

    @Test
    void anEventOfTheOldGroupIsReadInTheNew() {
        api.post(testNamespace.path("events"), Manifests.yaml("""
                                apiVersion: v1
                                kind: Event
                                metadata: {name: web.2}
                                involvedObject: {kind: Pod, namespace: %s, name: web}
                                reason: Started
                                message: Started container main
                                type: Normal
                                source: {component: kubelet, host: n1}
                                firstTimestamp: "2027-01-15T08:00:00Z"
                                lastTimestamp: "2027-01-15T08:00:00Z"
                                count: 1
                                """.formatted(testNamespace.namespace())))
                .expect(201);

        ApiResponse event =
                api.get(testNamespace.path("events.k8s.io/v1", "events/web.2")).expect(200);

        assertThat(event.at("/note")).isEqualTo("Started container main");
        assertThat(event.at("/regarding/name")).isEqualTo("web");
        assertThat(event.at("/deprecatedSource/component")).isEqualTo("kubelet");
        assertThat(event.at("/deprecatedCount")).isEqualTo("1");
    }

    @Test
    void aSeriesIsCountedUpByAPatch() {
        create(event()).expect(201);

        ApiResponse patched = api.patch(
                        testNamespace.path("events.k8s.io/v1", "events/web.1"),
                        HttpApi.STRATEGIC_PATCH,
                        "{\"series\":{\"count\":3,\"lastObservedTime\":\"2027-01-15T08:05:00.000000Z\"}}")
                .expect(200);

        assertThat(patched.at("/series/count")).isEqualTo("3");
        assertThat(api.get(testNamespace.path("events/web.1")).at("/series/count"))
                .isEqualTo("3");
    }

    @Test
    void eventsAreSelectedByInvolvedObject() {
        create(event()).expect(201);

        assertThat(api.get(testNamespace.path(
                                "events?fieldSelector=involvedObject.name%3Dweb,reason%3DFailedScheduling"))
                        .expect(200)
                        .names())
                .containsExactly("web.1");
        assertThat(api.get(testNamespace.path("events?fieldSelector=type%3DNormal"))
                        .expect(200)
                        .names())
                .isEmpty();
        assertThat(api.get(testNamespace.path("events.k8s.io/v1", "events?fieldSelector=regarding.name%3Dweb"))
                        .expect(200)
                        .names())
                .containsExactly("web.1");
    }

    @Test
    void eachEventGroupHasItsOwnFieldSelectors() {
        create(event()).expect(201);
        for (String core : List.of(
                "involvedObject.kind%3DPod", "reportingComponent%3Dberth-scheduler", "source%3Dberth-scheduler")) {
            assertThat(api.get(testNamespace.path("events?fieldSelector=" + core))
                            .expect(200)
                            .names())
                    .containsExactly("web.1");
            refuseSelector(testNamespace.path("events.k8s.io/v1", "events?fieldSelector=" + core), core);
        }
        for (String other : List.of("regarding.kind%3DPod", "reportingController%3Dberth-scheduler")) {
            assertThat(api.get(testNamespace.path("events.k8s.io/v1", "events?fieldSelector=" + other))
                            .expect(200)
                            .names())
                    .containsExactly("web.1");
            refuseSelector(testNamespace.path("events?fieldSelector=" + other), other);
        }
    }

    private void refuseSelector(String path, String selector) {
        assertThat(api.get(path).expectFailure(400, "BadRequest").message())
                .isEqualTo("field label not supported: " + selector.substring(0, selector.indexOf('%')));
    }

    @Test
    void anEventMustBeInTheNamespaceOfItsObject() {
        ApiResponse refused = api.post(
                testNamespace.path("events"),
                Manifests.yaml(
                        "{apiVersion: v1, kind: Event, metadata: {name: web.3}, involvedObject: {kind: Pod, namespace: elsewhere, name: web}}"));

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message())
                .contains("involvedObject.namespace: Invalid value: \"elsewhere\": does not match event.namespace");
    }

    @Test
    void anEventMustNameItsReporter() {
        ObjectNode nameless = event();
        nameless.remove("reportingController");

        ApiResponse refused = create(nameless);

        refused.expectFailure(422, "Invalid");
        assertThat(refused.causes()).contains("reportingController");
    }

    private ApiResponse create(ObjectNode event) {
        return api.post(testNamespace.path("events.k8s.io/v1", "events"), event);
    }

    private ObjectNode event() {
        return Manifests.yaml("""
                apiVersion: events.k8s.io/v1
                kind: Event
                metadata: {name: web.1}
                eventTime: "2027-01-15T08:00:00.000000Z"
                reportingController: berth-scheduler
                reportingInstance: berth-scheduler-0
                action: Scheduling
                reason: FailedScheduling
                regarding: {apiVersion: v1, kind: Pod, namespace: %s, name: web}
                note: 0/3 nodes are available
                type: Warning
                """.formatted(testNamespace.namespace()));
    }
}
