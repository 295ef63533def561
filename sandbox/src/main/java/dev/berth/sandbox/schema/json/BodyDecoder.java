package dev.berth.sandbox.schema.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.schema.value.DecodingException;
import dev.berth.sandbox.schema.value.DecodingMessages;
import dev.berth.sandbox.schema.value.ExpectedKindCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.UnaryOperator;

/**
 * Decodes a request body as the real server does: fields by the schema, values in canonical form, and zero values for
 * fields that are always present. Thread-safe.
 */
public final class BodyDecoder {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonFactory YAML = new YAMLFactory();

    private final ExpectedKindCheck expectation;

    public BodyDecoder(BuiltInSchemas schemas) {
        this.expectation = new ExpectedKindCheck(schemas);
    }

    /**
     * Decodes an object of the expected kind. The body may omit {@code apiVersion} and {@code kind}.
     *
     * @param struct the struct of the expected kind, see {@link BuiltInSchemas#structOf}
     * @throws DecodingException with the real server's message for a bad request
     */
    public DecodedObject decode(byte[] body, BodyFormat format, GroupVersionKind expected, StructSchema struct)
            throws DecodingException {
        try (JsonParser parser = parser(body, format)) {
            requireObject(parser, expected, body);
            DecodedObject decodedObject = decode(
                    parser,
                    expected,
                    struct,
                    () -> requireKind(body, format, expected),
                    why -> DecodingMessages.cannotHandle(expected.kind(), expected.version(), expected.kind(), why));
            if (format == BodyFormat.JSON && parser.nextToken() != null) {
                throw syntax(expected, "json parse error: invalid character after top-level value", body);
            }
            return decodedObject;
        } catch (JsonProcessingException e) {
            throw syntax(expected, errorLocation(format, e), body);
        } catch (IOException e) {
            throw syntax(expected, "the text is not encoded in UTF-8", body);
        }
    }

    /** Decodes a JSON tree, for example the result of a patch. Decoding errors have no prefix with the kind. */
    public DecodedObject decode(JsonNode tree, GroupVersionKind expected, StructSchema struct)
            throws DecodingException {
        if (!tree.isObject()) {
            throw new DecodingException("it is not a JSON object");
        }
        try (JsonParser parser = tree.traverse(JSON)) {
            parser.nextToken();
            return decode(parser, expected, struct, () -> requireKind(tree, expected), UnaryOperator.identity());
        } catch (IOException e) {
            throw new UncheckedIOException("a tree in memory cannot be read", e);
        }
    }

    private static DecodedObject decode(
            JsonParser parser,
            GroupVersionKind expected,
            StructSchema struct,
            KindCheck kindCheck,
            UnaryOperator<String> wrapMessage)
            throws IOException, DecodingException {
        TypedReader reader = new TypedReader(parser, struct);
        ObjectNode object;
        try {
            object = reader.read();
        } catch (DecodingException e) {
            kindCheck.run();
            throw new DecodingException(wrapMessage.apply(e.message()));
        }
        if (isDifferentKind(object, expected)) {
            kindCheck.run();
        }
        object.put("apiVersion", expected.apiVersion());
        object.put("kind", expected.kind());
        return new DecodedObject(object, reader.problems());
    }

    private static boolean isDifferentKind(JsonNode object, GroupVersionKind expected) {
        String kind = object.path("kind").asText();
        String apiVersion = object.path("apiVersion").asText();
        return !(kind.isEmpty() || kind.equals(expected.kind()))
                || !(apiVersion.isEmpty() || apiVersion.equals(expected.apiVersion()));
    }

    private void requireKind(byte[] body, BodyFormat format, GroupVersionKind expected)
            throws IOException, DecodingException {
        try (JsonParser parser = parser(body, format)) {
            JsonNode tree = JSON.readTree(parser);
            requireKind(tree, expected);
        }
    }

    private void requireKind(JsonNode tree, GroupVersionKind expected) throws DecodingException {
        expectation.check(tree.path("apiVersion").asText(), tree.path("kind").asText(), expected);
    }

    private static void requireObject(JsonParser parser, GroupVersionKind expected, byte[] body)
            throws IOException, DecodingException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            throw syntax(expected, "json parse error: unexpected end of JSON input", body);
        }
        if (first != JsonToken.START_OBJECT) {
            throw syntax(
                    expected,
                    "json parse error: cannot unmarshal %s, an object is expected"
                            .formatted(TypedReader.goTypeName(first)),
                    body);
        }
    }

    private static DecodingException syntax(GroupVersionKind expected, String why, byte[] body) {
        return new DecodingException(
                DecodingMessages.unrecognized(expected.kind(), "couldn't get version/kind; " + why, body));
    }

    private static String errorLocation(BodyFormat format, JsonProcessingException e) {
        String where = e.getLocation() == null
                ? ""
                : " line %d, column %d:"
                        .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
        String first = e.getOriginalMessage().lines().findFirst().orElse("malformed");
        if (format == BodyFormat.JSON && first.startsWith("Unexpected end-of-input")) {
            return "json parse error: unexpected end of JSON input";
        }
        return (format == BodyFormat.JSON ? "json parse error:" : "yaml:") + where + " " + first;
    }

    private static JsonParser parser(byte[] body, BodyFormat format) throws IOException {
        return switch (format) {
            case JSON -> JSON.createParser(body);
            case YAML -> {
                JsonParser parser = YAML.createParser(body);
                parser.setCodec(JSON);
                yield parser;
            }
        };
    }

    /** After an error, checks whether the kind is the cause. */
    private interface KindCheck {
        void run() throws IOException, DecodingException;
    }
}
