package dev.berth.kubernetes.door.globalreserve;

import static dev.berth.core.testing.Amounts.amounts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.globalreserve.ReservedPlace;
import dev.berth.core.door.globalreserve.StoredHoldFact;
import dev.berth.core.door.globalreserve.StoredHoldSpec;
import dev.berth.core.door.globalreserve.StoredHoldWrite;
import dev.berth.kubernetes.cursor.StringInterner;
import dev.berth.kubernetes.effects.WriteEncoders;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.json.JsonCursor;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class GlobalReserveApiTest {
    private static final Instant MADE = Instant.parse("2026-01-01T00:00:00.123Z");
    private static final ReservedPlace PLACE = new ReservedPlace(
            new ReservedPlace.PodIdentity(new PodUid("u-1"), "default", "web"),
            new ReservedPlace.NodeIdentity(new NodeUid("n-1"), "node-1"),
            amounts("1501m cpu", "1234567 memory", "1 pods"),
            List.of(new HostPort("UDP", "10.0.0.1", 53)));
    private static final StoredHoldSpec SPEC = new StoredHoldSpec("batch", MADE, MADE.plusSeconds(60), List.of(PLACE));

    private static StoredHoldFact read(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        try (JsonCursor in = new JsonCursor(new StringInterner(), bytes, 0, bytes.length)) {
            return new ReservedGroupProjection().read(in).view().orElseThrow();
        }
    }

    private static String written(StoredHoldWrite write) {
        WriteEncoders forms = new WriteEncoders();
        GlobalReserveApi.addEncoders(forms);
        WriteRequest request = forms.encode(write);
        return "%s %s %s"
                .formatted(
                        request.method(),
                        request.path(),
                        new String(request.body().toBytes(), StandardCharsets.UTF_8));
    }

    @Test
    void aWrittenObjectIsReadBackUnchanged() {
        String request = written(new StoredHoldWrite.Create("globalreserve-1", SPEC));

        assertThat(request).startsWith("POST /apis/berth.dev/v1alpha1/storedholds {");
        String object = request.substring(request.indexOf('{'))
                .replace(
                        "\"name\":\"globalreserve-1\"",
                        "\"name\":\"globalreserve-1\",\"uid\":\"u\",\"resourceVersion\":\"7\"");
        assertThat(read(object)).isEqualTo(new StoredHoldFact.Upserted("globalreserve-1", "u", SPEC));
    }

    @Test
    void updatesAndDeletesHaveTheUidAsPrecondition() {
        assertThat(written(new StoredHoldWrite.Update("globalreserve-1", "u", SPEC)))
                .startsWith("PATCH /apis/berth.dev/v1alpha1/storedholds/globalreserve-1 {\"metadata\":{\"uid\":\"u\"},"
                        + "\"spec\":{\"schedulerName\":")
                .contains("\"summary\":\"default/web on node-1\"", "\"requestedAt\":", "\"expiresAt\":", "\"holds\":[");
        assertThat(written(new StoredHoldWrite.Delete("globalreserve-1", "u")))
                .startsWith("DELETE /apis/berth.dev/v1alpha1/storedholds/globalreserve-1 ")
                .contains("\"preconditions\":{\"uid\":\"u\"}");
    }

    @Test
    void aMalformedObjectIsReadAsMalformed() {
        String meta = "{\"metadata\":{\"name\":\"odd\",\"uid\":\"u\"},\"spec\":";
        assertThat(read(meta + "{\"expiresAt\":\"2026-01-01T00:00:00Z\",\"holds\":[]}}"))
                .isEqualTo(new StoredHoldFact.Malformed("odd", "u", "spec.holds is empty: name at least one"));
        assertThat(read(meta + "{\"expiresAt\":\"soon\"}}"))
                .isInstanceOfSatisfying(
                        StoredHoldFact.Malformed.class,
                        fact -> assertThat(fact.problem()).contains("soon"));
        assertThat(
                        read(
                                meta
                                        + "{\"holds\":[{\"podRef\":{\"uid\":\"p\"},\"nodeRef\":{\"uid\":\"n\"},\"resources\":{\"cpu\":\"-1\"}}]}}"))
                .isInstanceOfSatisfying(
                        StoredHoldFact.Malformed.class,
                        fact -> assertThat(fact.problem()).contains("cpu").contains("negative"));
    }

    @Test
    void podsAreReadAsSchedulersSendThem() {
        JsonPodReader pods = new JsonPodReader();

        assertThat(pods.read("""
                        {"metadata":{"name":"a","namespace":"b","uid":"c"},
                         "spec":{"containers":[{"resources":{"requests":{"cpu":"1"}}}]}}""".getBytes(StandardCharsets.UTF_8)).spec().requests())
                .isEqualTo(amounts("1 cpu"));
        assertThatThrownBy(() -> pods.read("{\"metadata\":{\"name\":\"a\"}}".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("metadata.uid is empty: the UID identifies the pod");
        assertThatThrownBy(() -> pods.read("{\"metadata\":7}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
