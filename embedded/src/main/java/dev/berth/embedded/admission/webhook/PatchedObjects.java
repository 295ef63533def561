package dev.berth.embedded.admission.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.admission.AdmissionRequest;
import dev.berth.embedded.defaults.Defaults;
import dev.berth.embedded.schema.BuiltInSchemas;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.schema.StructSchema;
import dev.berth.embedded.schema.json.BodyDecoder;
import dev.berth.embedded.schema.value.DecodingException;
import java.io.IOException;

/** Reads what webhooks made of an object as strictly as what clients send, and fills what they left open. */
final class PatchedObjects {

    private final BuiltInSchemas schemas = BuiltInSchemas.load();
    private final BodyDecoder decoder = new BodyDecoder(schemas);

    ObjectNode read(AdmissionRequest request, JsonNode tree) throws IOException {
        try {
            return request.kind().equals(request.resource().gvk()) ? stored(request, tree) : sent(request.kind(), tree);
        } catch (DecodingException unreadable) {
            throw new IOException(unreadable.refusal(), unreadable);
        }
    }

    private static ObjectNode stored(AdmissionRequest request, JsonNode tree) throws DecodingException {
        ObjectNode object = request.resource().rules().decode(tree).object();
        request.resource().rules().applyDefaults(object);
        return object;
    }

    /** A Binding, an Eviction or a Scale, which are not the kind of the path they are sent to. */
    private ObjectNode sent(GroupVersionKind gvk, JsonNode tree) throws DecodingException {
        StructSchema struct =
                schemas.structOf(gvk).orElseThrow(() -> new IllegalStateException("kind (" + gvk + ") has no schema"));
        ObjectNode object = decoder.decode(tree, gvk, struct).object();
        Defaults.apply(gvk, object);
        return object;
    }
}
