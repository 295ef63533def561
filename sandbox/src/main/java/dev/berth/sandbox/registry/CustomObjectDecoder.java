package dev.berth.sandbox.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.json.BodyFormat;
import dev.berth.sandbox.schema.value.DecodingException;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Decodes objects of custom kinds, whose fields are in their definition only. */
final class CustomObjectDecoder {

    private CustomObjectDecoder() {}

    static ObjectNode decode(byte[] body, BodyFormat format, GroupVersionKind expected) throws DecodingException {
        try {
            return check(format == BodyFormat.YAML ? Yaml.MAPPER.readTree(body) : JsonText.read(body), expected);
        } catch (JsonProcessingException malformed) {
            throw new DecodingException("error decoding: " + malformed.getOriginalMessage());
        } catch (IOException impossible) {
            throw new UncheckedIOException("a body in memory cannot be read", impossible);
        }
    }

    /** The tree as an object of the kind. Unlike a built-in object it must have apiVersion and kind. */
    static ObjectNode check(JsonNode tree, GroupVersionKind expected) throws DecodingException {
        if (!(tree instanceof ObjectNode object)) {
            throw new DecodingException("the object provided is unrecognized (must be of type " + expected.kind()
                    + "): it is not an object");
        }
        String kind = NestedFields.text(tree, "kind");
        String apiVersion = NestedFields.text(tree, "apiVersion");
        if (kind.isEmpty()) {
            throw new DecodingException("Object 'Kind' is missing in '" + shortened(tree) + "'");
        }
        if (!apiVersion.equals(expected.apiVersion())) {
            throw new DecodingException("the API version in the data (" + apiVersion
                    + ") does not match the expected API version (" + expected.apiVersion() + ")");
        }
        if (!kind.equals(expected.kind())) {
            throw new DecodingException(kind + " in version \"" + expected.version() + "\" cannot be handled as a "
                    + expected.kind() + ": the kind in the data (" + kind + ") is not the expected one");
        }
        return object;
    }

    private static String shortened(JsonNode tree) {
        String text = tree.toString();
        return text.length() > 100 ? text.substring(0, 100) + "..." : text;
    }

    /** Loaded on the first request with YAML. */
    private static final class Yaml {
        static final YAMLMapper MAPPER = new YAMLMapper();
    }
}
