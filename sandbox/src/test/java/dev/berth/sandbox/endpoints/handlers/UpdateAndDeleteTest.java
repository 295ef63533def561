package dev.berth.sandbox.endpoints.handlers;

import static dev.berth.sandbox.InProcessServer.eventSummaries;
import static dev.berth.sandbox.InProcessServer.message;
import static dev.berth.sandbox.InProcessServer.ok;
import static dev.berth.sandbox.InProcessServer.refused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.InProcessServer;
import dev.berth.sandbox.endpoints.WatchResponse;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class UpdateAndDeleteTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final InProcessServer api = new InProcessServer();

    @Test
    void anUpdateFromTheLatestVersionIsWritten() {
        ObjectNode map = createMap("m");
        ObjectNode next = map.deepCopy();
        next.withObjectProperty("data").put("k", "v2");

        ObjectNode updated = ok(api.put(MAPS + "/m", next));

        assertThat(updated.path("data").path("k").asText()).isEqualTo("v2");
        assertThat(ObjectMetaReader.resourceVersion(updated)).isNotEqualTo(ObjectMetaReader.resourceVersion(map));
        assertThat(ObjectMetaReader.uid(updated)).isEqualTo(ObjectMetaReader.uid(map));
    }

    @Test
    void anUpdateFromAnOldVersionIsAConflict() {
        ObjectNode map = createMap("m");
        ObjectNode next = map.deepCopy();
        next.withObjectProperty("data").put("k", "v2");
        ok(api.put(MAPS + "/m", next));

        ObjectNode status = refused(409, api.put(MAPS + "/m", next));

        assertThat(status.path("reason").asText()).isEqualTo("Conflict");
        assertThat(message(status))
                .isEqualTo("Operation cannot be fulfilled on configmaps \"m\": the object has been modified; please"
                        + " apply your changes to the latest version and try again");
    }

    @Test
    void anUpdateThatChangesNothingWritesNothing() {
        ObjectNode map = createMap("m");
        WatchResponse watch = api.watch(MAPS + "?watch=true&resourceVersion=" + ObjectMetaReader.resourceVersion(map));

        assertThat(ok(api.put(MAPS + "/m", map))).isEqualTo(map);
        assertThat(eventSummaries(watch)).isEmpty();
    }

    @Test
    void anUpdateMayOmitTheResourceVersion() {
        ObjectNode map = createMap("m");
        ObjectMetaEditor.mutableMetadata(map.deepCopy());
        ObjectNode next = map.deepCopy();
        ObjectMetaEditor.mutableMetadata(next).remove("resourceVersion");
        next.withObjectProperty("data").put("k", "v3");

        assertThat(ok(api.put(MAPS + "/m", next)).path("data").path("k").asText())
                .isEqualTo("v3");
    }

    @Test
    void anUpdateWithAnotherUidIsAConflict() {
        ObjectNode map = createMap("m").deepCopy();
        ObjectMetaEditor.mutableMetadata(map)
                .put("uid", "11111111-1111-4111-8111-111111111111")
                .remove("resourceVersion");

        assertThat(message(refused(409, api.put(MAPS + "/m", map))))
                .contains("Precondition failed: UID in precondition: 11111111-1111-4111-8111-111111111111");
    }

    @Test
    void anUpdateToAnotherNameIsRefused() {
        ObjectNode map = createMap("m");

        assertThat(message(refused(400, api.put(MAPS + "/n", map))))
                .isEqualTo("the name of the object (m) does not match the name on the URL (n)");
    }

    @Test
    void anUpdateOfAMissingObjectIsNotFound() {
        ObjectNode map = createMap("m").deepCopy();
        ok(api.delete(MAPS + "/m"));

        refused(404, api.put(MAPS + "/m", map));
    }

    @Test
    void aDeletedObjectIsGoneAndWatchersAreNotified() {
        ObjectNode map = createMap("m");
        WatchResponse watch = api.watch(MAPS + "?watch=true&resourceVersion=" + ObjectMetaReader.resourceVersion(map));

        ObjectNode status = ok(api.delete(MAPS + "/m"));

        assertThat(status.path("status").asText()).isEqualTo("Success");
        assertThat(status.path("details").path("uid").asText()).isEqualTo(ObjectMetaReader.uid(map));
        assertThat(eventSummaries(watch)).containsExactly("DELETED m");
        refused(404, api.delete(MAPS + "/m"));
    }

    @Test
    void aBoundPodGetsItsGracePeriod() {
        api.createPod("a");
        ok(api.bind("a", "n1"));

        ObjectNode leaving = ok(api.delete(PODS + "/a", "gracePeriodSeconds: 20"));

        assertThat(ObjectMetaReader.deletionTimestamp(leaving))
                .contains(api.now().plusSeconds(20));
        assertThat(ObjectMetaReader.deletionGracePeriodSeconds(leaving)).hasValue(20);
        ok(api.get(PODS + "/a"));
        ok(api.delete(PODS + "/a", "gracePeriodSeconds: 0"));
        refused(404, api.get(PODS + "/a"));
    }

    @Test
    void aGracePeriodCanBeShortenedButNotExtended() {
        api.createPod("a");
        ok(api.bind("a", "n1"));
        ok(api.delete(PODS + "/a", "gracePeriodSeconds: 20"));
        api.advance(Duration.ofSeconds(2));

        assertThat(ObjectMetaReader.deletionGracePeriodSeconds(ok(api.delete(PODS + "/a", "gracePeriodSeconds: 60"))))
                .hasValue(20);
        ObjectNode sooner = ok(api.delete(PODS + "/a", "gracePeriodSeconds: 5"));
        assertThat(ObjectMetaReader.deletionGracePeriodSeconds(sooner)).hasValue(5);
        assertThat(ObjectMetaReader.deletionTimestamp(sooner))
                .contains(api.now().plusSeconds(3));
    }

    @Test
    void anUnboundPodIsDeletedAtOnce() {
        api.createPod("a");
        WatchResponse watch = api.watch(
                PODS + "?watch=true&resourceVersion=" + ObjectMetaReader.resourceVersion(ok(api.get(PODS + "/a"))));

        ok(api.delete(PODS + "/a"));

        refused(404, api.get(PODS + "/a"));
        assertThat(eventSummaries(watch)).containsExactly("MODIFIED a", "DELETED a");
    }

    @Test
    void aDeletionFinishedByAnotherRequestSucceeds() {
        api.createPod("a");
        AtomicBoolean asked = new AtomicBoolean();
        WatchResponse watch = api.watch(PODS + "?watch=true");
        watch.onReady(() -> {
            // As the controller does that clears away pods which leave and never had a node.
            if (asked.compareAndSet(false, true)) {
                ok(api.delete(PODS + "/a"));
            }
        });

        ObjectNode last = ok(api.delete(PODS + "/a"));

        assertThat(asked).isTrue();
        assertThat(ObjectMetaReader.deletionTimestamp(last)).isPresent();
        refused(404, api.get(PODS + "/a"));
    }

    @Test
    void anObjectWithFinalizersStaysUntilTheyAreGone() {
        ok(api.post(MAPS, "metadata: {name: m, finalizers: [example.com/keep]}"));

        ObjectNode leaving = ok(api.delete(MAPS + "/m"));
        assertThat(ObjectMetaReader.deletionTimestamp(leaving)).contains(api.now());

        ObjectNode released = ok(api.get(MAPS + "/m")).deepCopy();
        ObjectMetaEditor.mutableMetadata(released).remove("finalizers");
        ok(api.put(MAPS + "/m", released));
        refused(404, api.get(MAPS + "/m"));
    }

    @Test
    void creatingATerminatingObjectFailsBecauseItIsBeingDeleted() {
        ok(api.post(MAPS, "metadata: {name: m, finalizers: [example.com/keep]}"));
        ok(api.delete(MAPS + "/m"));

        assertThat(message(refused(409, api.post(MAPS, "metadata: {name: m}"))))
                .isEqualTo("object is being deleted: configmaps \"m\" already exists");
    }

    @Test
    void propagationPoliciesAddTheirFinalizer() {
        createMap("f");
        createMap("o");

        assertThat(ObjectMetaReader.finalizers(ok(api.delete(MAPS + "/f", "propagationPolicy: Foreground"))))
                .containsExactly("foregroundDeletion");
        assertThat(ObjectMetaReader.finalizers(ok(api.delete(MAPS + "/o?propagationPolicy=Orphan"))))
                .containsExactly("orphan");
    }

    @Test
    void preconditionsMustHold() {
        ObjectNode map = createMap("m");

        assertThat(message(refused(409, api.delete(MAPS + "/m", "preconditions: {uid: other}"))))
                .isEqualTo("Operation cannot be fulfilled on ConfigMap \"m\": the UID in the precondition (other) does"
                        + " not match the UID in record (" + ObjectMetaReader.uid(map)
                        + "). The object might have been deleted and then recreated");
        refused(409, api.delete(MAPS + "/m", "preconditions: {resourceVersion: '1'}"));
        ok(api.delete(MAPS + "/m", "preconditions: {uid: " + ObjectMetaReader.uid(map) + "}"));
    }

    @Test
    void aCollectionIsDeletedBySelector() {
        ok(api.post(MAPS, "metadata: {name: a, labels: {x: y}}"));
        createMap("b");

        ok(api.delete(MAPS + "?labelSelector=x%3Dy"));

        refused(404, api.get(MAPS + "/a"));
        ok(api.get(MAPS + "/b"));
    }

    @Test
    void aDryRunDeletionChangesNothing() {
        createMap("m");

        ok(api.delete(MAPS + "/m?dryRun=All"));

        ok(api.get(MAPS + "/m"));
    }

    @Test
    void invalidDeleteOptionsAreNamed() {
        createMap("m");

        assertThat(message(refused(422, api.delete(MAPS + "/m?propagationPolicy=Sideways"))))
                .contains("propagationPolicy: Unsupported value: \"Sideways\"");
    }

    private ObjectNode createMap(String name) {
        return ok(api.post(MAPS, "{metadata: {name: " + name + "}, data: {k: v}}"));
    }
}
