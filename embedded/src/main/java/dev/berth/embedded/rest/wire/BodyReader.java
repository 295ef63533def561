package dev.berth.embedded.rest.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.kind.ServedKind;
import dev.berth.embedded.schema.BuiltInSchemas;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.schema.StructSchema;
import dev.berth.embedded.schema.json.BodyDecoder;
import dev.berth.embedded.schema.json.BodyFormat;
import dev.berth.embedded.schema.json.Decoded;
import dev.berth.embedded.schema.value.DecodingException;
import java.util.List;

/** Reads the objects clients send. Every tree it gives is the caller's own. */
public final class BodyReader {

    private final BuiltInSchemas schemas;
    private final BodyDecoder decoder;

    public BodyReader(BuiltInSchemas schemas) {
        this.schemas = schemas;
        this.decoder = new BodyDecoder(schemas);
    }

    /** An object of the kind, without what the kind does not know, of which the warnings tell; not defaulted. */
    public ObjectNode read(Request request, ServedKind kind, List<String> warnings) {
        try {
            BodyFormat format = format(request, kind.rules().protobuf().isPresent());
            return accept(request, kind.rules().decode(request.body(), format), warnings);
        } catch (DecodingException malformed) {
            throw new ApiFailure(ApiStatus.badRequest(malformed.refusal()), malformed);
        }
    }

    /** The same for a tree that was made here, such as the outcome of a patch. */
    public ObjectNode read(Request request, ServedKind kind, JsonNode tree, List<String> warnings) {
        try {
            return accept(request, kind.rules().decode(tree), warnings);
        } catch (DecodingException malformed) {
            throw new ApiFailure(ApiStatus.badRequest(malformed.refusal()), malformed);
        }
    }

    /** An object of a kind that is only sent and never stored. */
    public ObjectNode read(Request request, GroupVersionKind expected, List<String> warnings) {
        StructSchema struct = schemas.structOf(expected)
                .orElseThrow(() -> new IllegalStateException("kind (" + expected + ") has no schema"));
        try {
            Decoded decoded = decoder.decode(request.body(), format(request, true), expected, struct);
            return accept(request, decoded, warnings);
        } catch (DecodingException malformed) {
            throw new ApiFailure(ApiStatus.badRequest(malformed.refusal()), malformed);
        }
    }

    private static ObjectNode accept(Request request, Decoded decoded, List<String> warnings) {
        if (!decoded.problems().isEmpty()) {
            String level = request.query().text("fieldValidation");
            if (level.equals("Strict")) {
                throw new ApiFailure(ApiStatus.badRequest(decoded.strictRefusal()));
            }
            if (!level.equals("Ignore")) {
                warnings.addAll(decoded.problems());
            }
        }
        return decoded.object();
    }

    private static BodyFormat format(Request request, boolean hasProtobuf) {
        String contentType = request.header("content-type");
        Media media = contentType.isBlank() ? Media.JSON : Media.of(contentType).orElse(Media.PROTOBUF);
        return switch (media) {
            case JSON -> BodyFormat.JSON;
            case YAML -> BodyFormat.YAML;
            case PROTOBUF -> throw new ApiFailure(ApiStatus.unsupportedMediaType(Media.names(hasProtobuf)));
        };
    }
}
