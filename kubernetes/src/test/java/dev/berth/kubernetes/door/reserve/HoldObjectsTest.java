package dev.berth.kubernetes.door.reserve;

import static dev.berth.core.testing.Amounts.amounts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.reserve.HoldFact;
import dev.berth.core.door.reserve.HoldSpec;
import dev.berth.core.door.reserve.HoldWrite;
import dev.berth.core.door.reserve.Place;
import dev.berth.kubernetes.cursor.Strings;
import dev.berth.kubernetes.effects.ObjectForms;
import dev.berth.kubernetes.effects.ObjectRequest;
import dev.berth.kubernetes.json.JsonCursor;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class HoldObjectsTest {
    private static final Instant MADE = Instant.parse("2026-01-01T00:00:00.123Z");
    private static final Place PLACE = new Place(
            new Place.Guest(new PodUid("u-1"), "default", "web"),
            new Place.Host(new NodeUid("n-1"), "node-1"),
            amounts("1501m cpu", "1234567 memory", "1 pods"),
            List.of(new HostPort("UDP", "10.0.0.1", 53)));
    private static final HoldSpec SPEC = new HoldSpec("batch", MADE, MADE.plusSeconds(60), List.of(PLACE));

    private static HoldFact read(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        try (JsonCursor in = new JsonCursor(new Strings(), bytes, 0, bytes.length)) {
            return new HoldProjection().read(in).view().orElseThrow();
        }
    }

    private static String written(HoldWrite write) {
        ObjectForms forms = new ObjectForms();
        HoldObjects.addForms(forms);
        ObjectRequest request = forms.of(write);
        return "%s %s %s"
                .formatted(
                        request.method(),
                        request.path(),
                        new String(request.body().write(), StandardCharsets.UTF_8));
    }

    @Test
    void whatIsWrittenIsReadAgain() {
        String request = written(new HoldWrite.Create("reserve-1", SPEC));

        assertThat(request).startsWith("POST /apis/berth.dev/v1alpha1/holds {");
        String object = request.substring(request.indexOf('{'))
                .replace("\"name\":\"reserve-1\"", "\"name\":\"reserve-1\",\"uid\":\"u\",\"resourceVersion\":\"7\"");
        assertThat(read(object)).isEqualTo(new HoldFact.Seen("reserve-1", "u", SPEC));
    }

    @Test
    void theUidIsAPreconditionOfWhatFollows() {
        assertThat(written(new HoldWrite.Shrink("reserve-1", "u", SPEC)))
                .startsWith("PATCH /apis/berth.dev/v1alpha1/holds/reserve-1 {\"metadata\":{\"uid\":\"u\"},"
                        + "\"spec\":{\"scheduler\":")
                .contains("\"words\":\"default/web on node-1\"", "\"made\":", "\"deadline\":", "\"places\":[");
        assertThat(written(new HoldWrite.Delete("reserve-1", "u")))
                .startsWith("DELETE /apis/berth.dev/v1alpha1/holds/reserve-1 ")
                .contains("\"preconditions\":{\"uid\":\"u\"}");
    }

    @Test
    void anObjectThatMakesNoSenseIsAFactToo() {
        String meta = "{\"metadata\":{\"name\":\"odd\",\"uid\":\"u\"},\"spec\":";
        assertThat(read(meta + "{\"deadline\":\"2026-01-01T00:00:00Z\",\"places\":[]}}"))
                .isEqualTo(new HoldFact.Malformed("odd", "u", "spec.places is empty: name at least one"));
        assertThat(read(meta + "{\"deadline\":\"soon\"}}"))
                .isInstanceOfSatisfying(
                        HoldFact.Malformed.class,
                        fact -> assertThat(fact.problem()).contains("soon"));
        assertThat(
                        read(
                                meta
                                        + "{\"places\":[{\"pod\":{\"uid\":\"p\"},\"node\":{\"uid\":\"n\"},\"size\":{\"cpu\":\"-1\"}}]}}"))
                .isInstanceOfSatisfying(
                        HoldFact.Malformed.class,
                        fact -> assertThat(fact.problem()).contains("cpu").contains("negative"));
    }

    @Test
    void podsAreReadAsSchedulersSendThem() {
        JsonPods pods = new JsonPods();

        assertThat(pods.read("""
                        {"metadata":{"name":"a","namespace":"b","uid":"c"},
                         "spec":{"containers":[{"resources":{"requests":{"cpu":"1"}}}]}}""".getBytes(StandardCharsets.UTF_8)).shape().requests())
                .isEqualTo(amounts("1 cpu"));
        assertThatThrownBy(() -> pods.read("{\"metadata\":{\"name\":\"a\"}}".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("metadata.uid is empty, and a pod is known by nothing else");
        assertThatThrownBy(() -> pods.read("{\"metadata\":7}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
