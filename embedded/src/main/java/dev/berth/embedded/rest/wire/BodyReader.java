package dev.berth.embedded.rest.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.kind.Protobuf;
import dev.berth.embedded.rest.kind.ServedKind;
import dev.berth.embedded.schema.BuiltInSchemas;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.schema.StructSchema;
import dev.berth.embedded.schema.json.BodyDecoder;
import dev.berth.embedded.schema.json.BodyFormat;
import dev.berth.embedded.schema.json.Decoded;
import dev.berth.embedded.schema.value.DecodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
            Optional<BodyFormat> text =
                    textFormat(request, kind.rules().protobuf().isPresent());
            return text.isPresent()
                    ? accept(request, kind.rules().decode(request.body(), text.get()), warnings)
                    : kind.rules().decodeProtobuf(request.body());
        } catch (DecodingException malformed) {
            throw new ApiFailure(ApiStatus.badRequest(malformed.refusal()), malformed);
        }
    }

    /** What a patch makes of an object of the kind, without what the kind does not know; not defaulted. */
    public ObjectNode patched(Request request, ServedKind kind, Patch patch, ObjectNode before, List<String> warnings) {
        return patched(request, patch, patch.apply(before), warnings, kind.rules()::decode);
    }

    /** An object of a kind that is only sent and never stored. */
    public ObjectNode read(Request request, GroupVersionKind expected, List<String> warnings) {
        StructSchema struct = schemas.structOf(expected)
                .orElseThrow(() -> new IllegalStateException("kind (" + expected + ") has no schema"));
        try {
            Optional<BodyFormat> text = textFormat(request, true);
            return text.isPresent()
                    ? accept(request, decoder.decode(request.body(), text.get(), expected, struct), warnings)
                    : Protobuf.CODEC.decode(request.body(), expected);
        } catch (DecodingException malformed) {
            throw new ApiFailure(ApiStatus.badRequest(malformed.refusal()), malformed);
        }
    }

    /** What a patch makes of an object of a kind that is only sent and never stored. */
    public ObjectNode patched(
            Request request, GroupVersionKind expected, Patch patch, ObjectNode before, List<String> warnings) {
        StructSchema struct = schemas.structOf(expected)
                .orElseThrow(() -> new IllegalStateException("kind (" + expected + ") has no schema"));
        return patched(request, patch, patch.apply(before), warnings, tree -> decoder.decode(tree, expected, struct));
    }

    /** The patch rather than the object is what is refused then. */
    private static ObjectNode patched(
            Request request, Patch patch, JsonNode patched, List<String> warnings, TreeDecoder decoder) {
        Decoded decoded;
        try {
            decoded = decoder.decode(patched);
        } catch (DecodingException malformed) {
            throw patch.refusal(patched, malformed.refusal());
        }
        List<String> problems = new ArrayList<>(patch.duplicates());
        decoded.problems().stream().sorted().forEach(problems::add);
        if (!problems.isEmpty() && isStrict(request)) {
            throw patch.refusal(patched, "strict decoding error: " + String.join(", ", problems));
        }
        warn(request, problems, warnings);
        return decoded.object();
    }

    private static boolean isStrict(Request request) {
        return request.query().text("fieldValidation").equals("Strict");
    }

    /** A change that is made anew after a lost race is read again, and tells the same again. */
    private static void warn(Request request, List<String> problems, List<String> warnings) {
        if (!request.query().text("fieldValidation").equals("Ignore")) {
            problems.stream().filter(each -> !warnings.contains(each)).forEach(warnings::add);
        }
    }

    private static ObjectNode accept(Request request, Decoded decoded, List<String> warnings) {
        if (!decoded.problems().isEmpty() && isStrict(request)) {
            throw new ApiFailure(ApiStatus.badRequest(decoded.strictRefusal()));
        }
        warn(request, decoded.problems(), warnings);
        return decoded.object();
    }

    /** The text format of the body; empty when it is protobuf. */
    private static Optional<BodyFormat> textFormat(Request request, boolean hasProtobuf) {
        String contentType = request.header("content-type");
        Media media = contentType.isBlank()
                ? Media.JSON
                : Media.of(contentType)
                        .filter(each -> each != Media.PROTOBUF || hasProtobuf)
                        .orElseThrow(() -> new ApiFailure(ApiStatus.unsupportedMediaType(Media.names(hasProtobuf))));
        return switch (media) {
            case JSON -> Optional.of(BodyFormat.JSON);
            case YAML -> Optional.of(BodyFormat.YAML);
            case PROTOBUF -> Optional.empty();
        };
    }

    /** Reads a tree as an object of one kind. */
    private interface TreeDecoder {
        Decoded decode(JsonNode tree) throws DecodingException;
    }
}
