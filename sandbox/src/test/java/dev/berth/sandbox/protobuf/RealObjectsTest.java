package dev.berth.sandbox.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.json.BodyDecoder;
import dev.berth.sandbox.schema.json.DecodedObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the codecs with objects that kube-apiserver 1.36.4 returned in protobuf and in JSON. */
class RealObjectsTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final BuiltInSchemas schemas = BuiltInSchemas.load();
    private final ProtobufCodec codec = new ProtobufCodec(schemas);

    @ParameterizedTest
    @MethodSource("realObjects")
    void theProtobufOfTheRealServerIsDecodedToItsJson(RealObject real) throws Exception {
        assertThat(codec.decode(real.protobuf())).isEqualTo(real.json());
    }

    @ParameterizedTest
    @MethodSource("realObjects")
    void theJsonOfTheRealServerIsEncodedToItsProtobuf(RealObject real) {
        assertThat(codec.encode(real.gvk(), real.json()).envelope()).isEqualTo(real.protobuf());
    }

    @ParameterizedTest
    @MethodSource("realObjects")
    void theJsonOfTheRealServerIsDecodedUnchanged(RealObject real) throws Exception {
        DecodedObject decodedObject = new BodyDecoder(schemas)
                .decode(real.json(), real.gvk(), schemas.structOf(real.gvk()).orElseThrow());
        assertThat(decodedObject.object()).isEqualTo(real.json());
        assertThat(decodedObject.problems()).isEmpty();
    }

    static Stream<RealObject> realObjects() throws IOException {
        try (InputStream in = Objects.requireNonNull(RealObjectsTest.class.getResourceAsStream("real-objects.tsv"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().map(RealObject::of).toList().stream();
        }
    }

    record RealObject(String name, String base64, ObjectNode json) {

        static RealObject of(String line) {
            List<String> parts = List.of(line.split("\t", 3));
            try {
                return new RealObject(parts.get(0), parts.get(1), (ObjectNode) JSON.readTree(parts.get(2)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        byte[] protobuf() {
            return Base64.getDecoder().decode(base64);
        }

        GroupVersionKind gvk() {
            return GroupVersionKind.of(
                    json.get("apiVersion").asText(), json.get("kind").asText());
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
