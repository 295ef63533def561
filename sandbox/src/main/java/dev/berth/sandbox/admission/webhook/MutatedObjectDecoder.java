package dev.berth.sandbox.admission.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.admission.AdmissionRequest;
import dev.berth.sandbox.defaulting.Defaults;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.schema.json.BodyDecoder;
import dev.berth.sandbox.schema.value.DecodingException;
import java.io.IOException;

/** Decodes the object that a webhook returned, as strictly as a request of a client, and applies defaults. */
final class MutatedObjectDecoder {

    private final BuiltInSchemas schemas = BuiltInSchemas.load();
    private final BodyDecoder decoder = new BodyDecoder(schemas);

    ObjectNode decode(AdmissionRequest request, JsonNode tree) throws IOException {
        try {
            return request.kind().equals(request.resource().gvk())
                    ? decodeResource(request, tree)
                    : decodeSubresourceBody(request.kind(), tree);
        } catch (DecodingException unreadable) {
            throw new IOException(unreadable.message(), unreadable);
        }
    }

    private static ObjectNode decodeResource(AdmissionRequest request, JsonNode tree) throws DecodingException {
        ObjectNode object = request.resource().strategy().decode(tree).object();
        request.resource().strategy().applyDefaults(object);
        return object;
    }

    /** A Binding, an Eviction or a Scale: kinds that differ from the kind of the path. */
    private ObjectNode decodeSubresourceBody(GroupVersionKind gvk, JsonNode tree) throws DecodingException {
        StructSchema struct =
                schemas.structOf(gvk).orElseThrow(() -> new IllegalStateException("kind (" + gvk + ") has no schema"));
        ObjectNode object = decoder.decode(tree, gvk, struct).object();
        Defaults.apply(gvk, object);
        return object;
    }
}
