package dev.berth.sandbox.endpoints.serializer;

import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.printers.IncludeObject;
import dev.berth.sandbox.registry.ServedKind;

/** The negotiated output format of one request. */
public record NegotiatedOutput(ServedKind kind, ResponseFormat format, IncludeObject includeObject) {

    /** The format that the request accepts; an error when the server does not support it. */
    public static NegotiatedOutput of(RestRequest request, ServedKind kind) {
        String include = request.queryParameters().first("includeObject");
        ResponseFormat format = ResponseFormat.negotiate(
                request, kind.strategy().protobufEncoding().isPresent());
        return new NegotiatedOutput(
                kind,
                format,
                IncludeObject.of(include)
                        .orElseThrow(() -> new ApiStatusException(
                                ApiStatus.badRequest("unrecognized includeObject value: \"" + include + "\""))));
    }
}
