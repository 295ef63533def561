package dev.berth.embedded.rest.verb;

import static dev.berth.embedded.InProcess.message;
import static dev.berth.embedded.InProcess.ok;
import static dev.berth.embedded.InProcess.refused;
import static dev.berth.embedded.InProcess.told;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.InProcess;
import dev.berth.embedded.rest.WatchStream;
import dev.berth.embedded.store.Meta;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class UpdateAndDeleteTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final InProcess api = new InProcess();

    @Test
    void anUpdateFromTheLatestVersionIsWritten() {
        ObjectNode map = createMap("m");
        ObjectNode next = map.deepCopy();
        next.withObjectProperty("data").put("k", "v2");

        ObjectNode updated = ok(api.put(MAPS + "/m", next));

        assertThat(updated.path("data").path("k").asText()).isEqualTo("v2");
        assertThat(Meta.resourceVersion(updated)).isNotEqualTo(Meta.resourceVersion(map));
        assertThat(Meta.uid(updated)).isEqualTo(Meta.uid(map));
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
        WatchStream watch = api.watch(MAPS + "?watch=true&resourceVersion=" + Meta.resourceVersion(map));

        assertThat(ok(api.put(MAPS + "/m", map))).isEqualTo(map);
        assertThat(told(watch)).isEmpty();
    }

    @Test
    void anUpdateMayLeaveOutTheVersion() {
        ObjectNode map = createMap("m");
        Meta.of(map.deepCopy());
        ObjectNode next = map.deepCopy();
        Meta.of(next).remove("resourceVersion");
        next.withObjectProperty("data").put("k", "v3");

        assertThat(ok(api.put(MAPS + "/m", next)).path("data").path("k").asText())
                .isEqualTo("v3");
    }

    @Test
    void anUpdateOfAnotherIdentityIsAConflict() {
        ObjectNode map = createMap("m").deepCopy();
        Meta.of(map).put("uid", "11111111-1111-4111-8111-111111111111").remove("resourceVersion");

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
    void anUpdateOfNothingIsNotFound() {
        ObjectNode map = createMap("m").deepCopy();
        ok(api.delete(MAPS + "/m"));

        refused(404, api.put(MAPS + "/m", map));
    }

    @Test
    void aDeletedObjectIsGoneAndToldOf() {
        ObjectNode map = createMap("m");
        WatchStream watch = api.watch(MAPS + "?watch=true&resourceVersion=" + Meta.resourceVersion(map));

        ObjectNode status = ok(api.delete(MAPS + "/m"));

        assertThat(status.path("status").asText()).isEqualTo("Success");
        assertThat(status.path("details").path("uid").asText()).isEqualTo(Meta.uid(map));
        assertThat(told(watch)).containsExactly("DELETED m");
        refused(404, api.delete(MAPS + "/m"));
    }

    @Test
    void aPodOnANodeIsGivenItsGrace() {
        api.createPod("a");
        ok(api.bind("a", "n1"));

        ObjectNode leaving = ok(api.delete(PODS + "/a", "gracePeriodSeconds: 20"));

        assertThat(Meta.deletionTimestamp(leaving)).contains(api.now().plusSeconds(20));
        assertThat(Meta.deletionGracePeriodSeconds(leaving)).hasValue(20);
        ok(api.get(PODS + "/a"));
        ok(api.delete(PODS + "/a", "gracePeriodSeconds: 0"));
        refused(404, api.get(PODS + "/a"));
    }

    @Test
    void aGraceCanBeShortenedAndNotProlonged() {
        api.createPod("a");
        ok(api.bind("a", "n1"));
        ok(api.delete(PODS + "/a", "gracePeriodSeconds: 20"));
        api.advance(Duration.ofSeconds(2));

        assertThat(Meta.deletionGracePeriodSeconds(ok(api.delete(PODS + "/a", "gracePeriodSeconds: 60"))))
                .hasValue(20);
        ObjectNode sooner = ok(api.delete(PODS + "/a", "gracePeriodSeconds: 5"));
        assertThat(Meta.deletionGracePeriodSeconds(sooner)).hasValue(5);
        assertThat(Meta.deletionTimestamp(sooner)).contains(api.now().plusSeconds(3));
    }

    @Test
    void aPodWithoutANodeGoesAtOnce() {
        api.createPod("a");
        WatchStream watch =
                api.watch(PODS + "?watch=true&resourceVersion=" + Meta.resourceVersion(ok(api.get(PODS + "/a"))));

        ok(api.delete(PODS + "/a"));

        refused(404, api.get(PODS + "/a"));
        assertThat(told(watch)).containsExactly("MODIFIED a", "DELETED a");
    }

    @Test
    void aDeletionThatAnotherFinishesMeanwhileWentWell() {
        api.createPod("a");
        AtomicBoolean asked = new AtomicBoolean();
        WatchStream watch = api.watch(PODS + "?watch=true");
        watch.onReady(() -> {
            // As the controller does that clears away pods which leave and never had a node.
            if (asked.compareAndSet(false, true)) {
                ok(api.delete(PODS + "/a"));
            }
        });

        ObjectNode last = ok(api.delete(PODS + "/a"));

        assertThat(asked).isTrue();
        assertThat(Meta.deletionTimestamp(last)).isPresent();
        refused(404, api.get(PODS + "/a"));
    }

    @Test
    void anObjectWithFinalizersStaysUntilTheyAreGone() {
        ok(api.post(MAPS, "metadata: {name: m, finalizers: [example.com/keep]}"));

        ObjectNode leaving = ok(api.delete(MAPS + "/m"));
        assertThat(Meta.deletionTimestamp(leaving)).contains(api.now());

        ObjectNode released = ok(api.get(MAPS + "/m")).deepCopy();
        Meta.of(released).remove("finalizers");
        ok(api.put(MAPS + "/m", released));
        refused(404, api.get(MAPS + "/m"));
    }

    @Test
    void creatingWhatIsLeavingSaysSo() {
        ok(api.post(MAPS, "metadata: {name: m, finalizers: [example.com/keep]}"));
        ok(api.delete(MAPS + "/m"));

        assertThat(message(refused(409, api.post(MAPS, "metadata: {name: m}"))))
                .isEqualTo("object is being deleted: configmaps \"m\" already exists");
    }

    @Test
    void propagationPoliciesLeaveTheirFinalizer() {
        createMap("f");
        createMap("o");

        assertThat(Meta.finalizers(ok(api.delete(MAPS + "/f", "propagationPolicy: Foreground"))))
                .containsExactly("foregroundDeletion");
        assertThat(Meta.finalizers(ok(api.delete(MAPS + "/o?propagationPolicy=Orphan"))))
                .containsExactly("orphan");
    }

    @Test
    void preconditionsMustHold() {
        ObjectNode map = createMap("m");

        assertThat(message(refused(409, api.delete(MAPS + "/m", "preconditions: {uid: other}"))))
                .isEqualTo("Operation cannot be fulfilled on ConfigMap \"m\": the UID in the precondition (other) does"
                        + " not match the UID in record (" + Meta.uid(map)
                        + "). The object might have been deleted and then recreated");
        refused(409, api.delete(MAPS + "/m", "preconditions: {resourceVersion: '1'}"));
        ok(api.delete(MAPS + "/m", "preconditions: {uid: " + Meta.uid(map) + "}"));
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
    void aDryDeletionLeavesEverything() {
        createMap("m");

        ok(api.delete(MAPS + "/m?dryRun=All"));

        ok(api.get(MAPS + "/m"));
    }

    @Test
    void nonsenseInDeleteOptionsIsNamed() {
        createMap("m");

        assertThat(message(refused(422, api.delete(MAPS + "/m?propagationPolicy=Sideways"))))
                .contains("propagationPolicy: Unsupported value: \"Sideways\"");
    }

    private ObjectNode createMap(String name) {
        return ok(api.post(MAPS, "{metadata: {name: " + name + "}, data: {k: v}}"));
    }
}
