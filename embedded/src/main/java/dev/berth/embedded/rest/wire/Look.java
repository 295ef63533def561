package dev.berth.embedded.rest.wire;

import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.kind.ServedKind;
import dev.berth.embedded.table.IncludeObject;

/** How one request wants objects of a kind to look. */
public record Look(ServedKind kind, Format format, IncludeObject include) {

    /** What the request accepts, refused where the server cannot give it. */
    public static Look of(Request request, ServedKind kind) {
        String include = request.query().text("includeObject");
        Format format = Format.negotiate(request, kind.rules().protobuf().isPresent());
        return new Look(
                kind,
                format,
                IncludeObject.of(include)
                        .orElseThrow(() -> new ApiFailure(
                                ApiStatus.badRequest("unrecognized includeObject value: \"" + include + "\""))));
    }
}
