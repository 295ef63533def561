package dev.berth.sandbox.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.testing.RandomHistories;
import dev.berth.core.testing.RandomSeeds;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.KindSchema;
import dev.berth.sandbox.schema.RandomObjects;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.schema.json.BodyDecoder;
import dev.berth.sandbox.schema.value.DecodingException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProtobufCodecTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final GroupVersionKind POD = GroupVersionKind.of("v1", "Pod");

    private final BuiltInSchemas schemas = BuiltInSchemas.load();
    private final ProtobufCodec codec = new ProtobufCodec(schemas);

    @Test
    void randomObjectsOfEveryKindSurviveARoundTrip() {
        RandomSeeds.forEach(0, 60, seed -> {
            for (KindSchema kind : schemas.kinds()) {
                ObjectNode object = new RandomObjects(seed).object(kind.gvk(), kind.object());
                ObjectNode back = codec.decode(codec.encode(kind.gvk(), object).envelope());
                assertThat(back).as("%s", kind).isEqualTo(object);
            }
        });
    }

    @Test
    void randomObjectsOfEveryKindAreDecodedUnchangedFromJson() {
        BodyDecoder decoder = new BodyDecoder(schemas);
        RandomSeeds.forEach(0, 20, seed -> {
            for (KindSchema kind : schemas.kinds()) {
                ObjectNode object = new RandomObjects(seed).object(kind.gvk(), kind.object());
                assertThat(decoder.decode(object, kind.gvk(), kind.object()).object())
                        .as("%s", kind)
                        .isEqualTo(object);
            }
        });
    }

    @Test
    void emptyStringsAndZeroesAreEncodedAsInGo() throws Exception {
        ObjectNode binding = object("{\"metadata\": {\"name\": \"p\", \"uid\": \"u\"}, \"target\": {\"name\": \"n\"}}");
        byte[] bytes =
                codec.encode(GroupVersionKind.of("v1", "Binding"), binding).envelope();
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("6b387300" + "0a0d" + "0a027631" + "120742696e64696e67"
                        + "1225" + "0a12" + "0a0170" + "1200" + "1a00" + "2200" + "2a0175" + "3200" + "3800" + "4200"
                        + "120f" + "0a00" + "1200" + "1a016e" + "2200" + "2a00" + "3200" + "3a00"
                        + "1a00" + "2200");
    }

    @Test
    void aListOfEncodedObjectsEqualsTheListEncodedAsAWhole() throws Exception {
        KindSchema kind = schemas.find(POD).orElseThrow();
        ObjectNode list =
                object("{\"metadata\": {\"resourceVersion\": \"77\", \"continue\": \"c\", \"remainingItemCount\": 5}}");
        List<EncodedProtobuf> encoded = new ArrayList<>();
        for (int seed = 0; seed < 30; seed++) {
            ObjectNode pod = new RandomObjects(seed).object(POD, kind.object());
            list.withArray("items").add(pod);
            encoded.add(codec.encode(POD, pod));
        }
        assertThat(codec.encodeList(kind.listGvk(), (ObjectNode) list.get("metadata"), encoded))
                .isEqualTo(codec.encode(kind.listGvk(), list).envelope());
        assertThat(codec.encodeList(kind.listGvk(), object("{}"), List.of()))
                .isEqualTo(codec.encode(kind.listGvk(), object("{}")).envelope());
    }

    @Test
    void aWatchFrameIsALengthAndAnEventWithoutEnvelope() throws Exception {
        ObjectNode pod = new RandomObjects(3).object(POD, schemas.structOf(POD).orElseThrow());
        EncodedProtobuf encoded = codec.encode(POD, pod);
        byte[] frame = ProtobufCodec.watchFrame("ADDED", encoded);
        assertThat(HexFormat.of().formatHex(frame, 0, 4)).isEqualTo("%08x".formatted(frame.length - 4));
        WireInput in = new WireInput(frame, 4);
        assertThat(in.tag()).isEqualTo(10);
        assertThat(in.string()).isEqualTo("ADDED");
        assertThat(in.tag()).isEqualTo(18);
        in.enter();
        assertThat(in.tag()).isEqualTo(10);
        assertThat(codec.decode(in.bytes())).isEqualTo(pod);
        assertThat(in.hasMore()).isFalse();
    }

    @Test
    void optionsAreDecodedInAnyApiVersion() throws Exception {
        GroupVersionKind given = GroupVersionKind.of("apps/v1", "DeleteOptions");
        ObjectNode options = object("{\"gracePeriodSeconds\": 0, \"preconditions\": {\"uid\": \"u\"}}");
        ObjectNode back =
                codec.decode(codec.encode(given, options).envelope(), GroupVersionKind.of("v1", "DeleteOptions"));
        assertThat(back.get("gracePeriodSeconds").asInt(-1)).isZero();
        assertThat(back.at("/preconditions/uid").asText()).isEqualTo("u");
    }

    @Test
    void unknownFieldsAreSkipped() throws Exception {
        byte[] message = HexFormat.of().parseHex("fa3f03616263" + "f83f05" + "fd3f00000000" + "f93f0000000000000000");
        ObjectNode pod = codec.decode(envelope("v1", "Pod", message));
        assertThat(pod.at("/status").isObject()).isTrue();
    }

    @Test
    void packedNumbersAreDecoded() throws Exception {
        byte[] packed = HexFormat.of().parseHex("1206" + "7204" + "2202" + "0105");
        ObjectNode pod = codec.decode(envelope("v1", "Pod", packed));
        assertThat(pod.at("/spec/securityContext/supplementalGroups").toString())
                .isEqualTo("[1,5]");
    }

    @Test
    void aBodyWithoutEnvelopeIsRejectedWithAnExcerpt() {
        assertThatThrownBy(() -> codec.decode(new byte[] {'k', '8', 's'}, POD))
                .isInstanceOf(DecodingException.class)
                .hasMessage(
                        "the object provided is unrecognized (must be of type Pod): provided data does not appear to"
                                + " be a protobuf message, expected prefix [107 56 115 0] (6b3873)");
    }

    @Test
    void anUnexpectedOrUnknownKindIsRejected() {
        byte[] node = envelope("v1", "Node", new byte[0]);
        assertThatThrownBy(() -> codec.decode(node, POD))
                .hasMessageStartingWith("Node in version \"v1\" cannot be handled as a Pod");
        byte[] thing = envelope("example.com/v1", "Thing", new byte[0]);
        assertThatThrownBy(() -> codec.decode(thing))
                .hasMessage("no kind \"Thing\" is registered for version \"example.com/v1\"");
        byte[] nameless = envelope("", "", new byte[0]);
        assertThatThrownBy(() -> codec.decode(nameless)).isInstanceOf(DecodingException.class);
        assertThat(codec.supports(GroupVersionKind.of("example.com/v1", "Thing")))
                .isFalse();
    }

    @RandomHistories(count = 1, first = 11)
    void corruptBytesCauseOnlyDecodingExceptions(long seed) {
        StructSchema struct = schemas.structOf(POD).orElseThrow();
        Random random = new Random(seed);
        int rejected = 0;
        for (int round = 0; round < 3000; round++) {
            byte[] bytes = codec.encode(POD, new RandomObjects(round % 50).object(POD, struct))
                    .envelope();
            byte[] broken = Arrays.copyOf(bytes, 4 + random.nextInt(bytes.length - 4));
            for (int i = 0; i < 3 && broken.length > 4; i++) {
                broken[4 + random.nextInt(broken.length - 4)] = (byte) random.nextInt();
            }
            try {
                codec.decode(broken, POD);
            } catch (DecodingException e) {
                rejected++;
                assertThat(e.message()).isNotEmpty();
            }
        }
        assertThat(rejected).isGreaterThan(2000);
    }

    @Test
    void aTooDeeplyNestedMessageIsRejected() {
        WireOutput out = new WireOutput(64);
        for (int i = 0; i < 5000; i++) {
            out.lengthSince(0);
            out.tag(WrappedCodec.tag(28, ValueCodec.BYTES));
        }
        out.lengthSince(0);
        out.tag(10);
        for (int number : new int[] {4, 7, 2}) {
            out.lengthSince(0);
            out.tag(WrappedCodec.tag(number, ValueCodec.BYTES));
        }
        byte[] crd = envelope("apiextensions.k8s.io/v1", "CustomResourceDefinition", out.toBytes());
        assertThatThrownBy(() -> codec.decode(crd)).hasMessageContaining("nested deeper than (1000)");
    }

    @Test
    void theEncoderRejectsAWrongTypeAndAnUnknownKind() {
        assertThatThrownBy(() -> codec.encode(POD, object("{\"spec\": \"x\"}")))
                .hasMessage("(\"x\") cannot be sent as a PodSpec: it is not an object");
        assertThatThrownBy(() -> codec.encode(GroupVersionKind.of("a/v1", "B"), object("{}")))
                .hasMessage("kind (a/v1 B) has no protobuf form");
    }

    private static byte[] envelope(String apiVersion, String kind, byte[] message) {
        WireOutput out = new WireOutput(64);
        out.bytes(message);
        out.tag(18);
        int before = out.size();
        out.string(kind);
        out.tag(18);
        out.string(apiVersion);
        out.tag(10);
        out.lengthSince(before);
        out.tag(10);
        out.raw(new byte[] {'k', '8', 's', 0});
        return out.toBytes();
    }

    private static ObjectNode object(String text) throws IOException {
        return (ObjectNode) JSON.readTree(text);
    }
}
