package dev.berth.sandbox.endpoints.serializer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.registry.SharedProtobufCodec;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.schema.json.BodyDecoder;
import dev.berth.sandbox.schema.json.BodyFormat;
import dev.berth.sandbox.schema.json.DecodedObject;
import dev.berth.sandbox.schema.value.DecodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decodes the objects that clients send. The caller owns the returned trees. */
public final class RequestBodyDecoder {

    private final BuiltInSchemas schemas;
    private final BodyDecoder decoder;

    public RequestBodyDecoder(BuiltInSchemas schemas) {
        this.schemas = schemas;
        this.decoder = new BodyDecoder(schemas);
    }

    /** An object of the kind without its unknown fields, which become warnings; not defaulted. */
    public ObjectNode decode(RestRequest request, ServedKind kind, List<String> warnings) {
        try {
            Optional<BodyFormat> text =
                    textFormat(request, kind.strategy().protobufEncoding().isPresent());
            return text.isPresent()
                    ? requireValidFields(request, kind.strategy().decode(request.body(), text.get()), warnings)
                    : kind.strategy().decodeProtobuf(request.body());
        } catch (DecodingException malformed) {
            throw new ApiStatusException(ApiStatus.badRequest(malformed.message()), malformed);
        }
    }

    /** A patched object of the kind without its unknown fields; not defaulted. */
    public ObjectNode decodePatched(
            RestRequest request, ServedKind kind, PatchRequest patchRequest, ObjectNode before, List<String> warnings) {
        return decodePatched(request, patchRequest, patchRequest.apply(before), warnings, kind.strategy()::decode);
    }

    /** An object of a kind that is never stored. */
    public ObjectNode decode(RestRequest request, GroupVersionKind expected, List<String> warnings) {
        StructSchema struct = schemas.structOf(expected)
                .orElseThrow(() -> new IllegalStateException("kind (" + expected + ") has no schema"));
        try {
            Optional<BodyFormat> text = textFormat(request, true);
            return text.isPresent()
                    ? requireValidFields(
                            request, decoder.decode(request.body(), text.get(), expected, struct), warnings)
                    : SharedProtobufCodec.CODEC.decode(request.body(), expected);
        } catch (DecodingException malformed) {
            throw new ApiStatusException(ApiStatus.badRequest(malformed.message()), malformed);
        }
    }

    /** A patched object of a kind that is never stored. */
    public ObjectNode decodePatched(
            RestRequest request,
            GroupVersionKind expected,
            PatchRequest patchRequest,
            ObjectNode before,
            List<String> warnings) {
        StructSchema struct = schemas.structOf(expected)
                .orElseThrow(() -> new IllegalStateException("kind (" + expected + ") has no schema"));
        return decodePatched(
                request,
                patchRequest,
                patchRequest.apply(before),
                warnings,
                tree -> decoder.decode(tree, expected, struct));
    }

    /** Then the error is about the patch, not about the object. */
    private static ObjectNode decodePatched(
            RestRequest request,
            PatchRequest patchRequest,
            JsonNode patched,
            List<String> warnings,
            TreeDecoder decoder) {
        DecodedObject decodedObject;
        try {
            decodedObject = decoder.decode(patched);
        } catch (DecodingException malformed) {
            throw patchRequest.invalidResult(patched, malformed.message());
        }
        List<String> problems = new ArrayList<>(patchRequest.duplicateFields());
        decodedObject.problems().stream().sorted().forEach(problems::add);
        if (!problems.isEmpty() && isStrict(request)) {
            throw patchRequest.invalidResult(patched, "strict decoding error: " + String.join(", ", problems));
        }
        warn(request, problems, warnings);
        return decodedObject.object();
    }

    private static boolean isStrict(RestRequest request) {
        return request.queryParameters().first("fieldValidation").equals("Strict");
    }

    /** A change that is repeated after a lost race is decoded again, with the same warnings. */
    private static void warn(RestRequest request, List<String> problems, List<String> warnings) {
        if (!request.queryParameters().first("fieldValidation").equals("Ignore")) {
            problems.stream().filter(each -> !warnings.contains(each)).forEach(warnings::add);
        }
    }

    private static ObjectNode requireValidFields(
            RestRequest request, DecodedObject decodedObject, List<String> warnings) {
        if (!decodedObject.problems().isEmpty() && isStrict(request)) {
            throw new ApiStatusException(ApiStatus.badRequest(decodedObject.strictErrorMessage()));
        }
        warn(request, decodedObject.problems(), warnings);
        return decodedObject.object();
    }

    /** The text format of the body; empty when it is protobuf. */
    private static Optional<BodyFormat> textFormat(RestRequest request, boolean hasProtobuf) {
        String contentType = request.header("content-type");
        MediaType mediaType = contentType.isBlank()
                ? MediaType.JSON
                : MediaType.find(contentType)
                        .filter(each -> each != MediaType.PROTOBUF || hasProtobuf)
                        .orElseThrow(() ->
                                new ApiStatusException(ApiStatus.unsupportedMediaType(MediaType.names(hasProtobuf))));
        return switch (mediaType) {
            case JSON -> Optional.of(BodyFormat.JSON);
            case YAML -> Optional.of(BodyFormat.YAML);
            case PROTOBUF -> Optional.empty();
        };
    }

    /** Reads a tree as an object of one kind. */
    private interface TreeDecoder {
        DecodedObject decode(JsonNode tree) throws DecodingException;
    }
}
