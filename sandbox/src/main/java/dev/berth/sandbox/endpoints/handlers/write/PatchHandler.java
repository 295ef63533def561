package dev.berth.sandbox.endpoints.handlers.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.request.HandlerContext;
import dev.berth.sandbox.endpoints.request.RequestInfo;
import dev.berth.sandbox.endpoints.request.WriteContext;
import dev.berth.sandbox.endpoints.request.WriteOptions;
import dev.berth.sandbox.endpoints.serializer.NegotiatedOutput;
import dev.berth.sandbox.endpoints.serializer.PatchRequest;
import dev.berth.sandbox.storage.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Handles patch, of the object or of a subresource. */
public final class PatchHandler {

    private final HandlerContext handlerContext;
    private final ObjectUpdater objectUpdater;

    public PatchHandler(HandlerContext handlerContext) {
        this.handlerContext = handlerContext;
        this.objectUpdater = new ObjectUpdater(handlerContext);
    }

    public BodyResponse patch(RequestInfo requestInfo, RestRequest request) {
        return patch(requestInfo, request, UnaryOperator.identity());
    }

    /** Patches the part that the restriction allows. */
    public BodyResponse patch(RequestInfo requestInfo, RestRequest request, UnaryOperator<ObjectEdit> restriction) {
        NegotiatedOutput negotiatedOutput = NegotiatedOutput.of(request, requestInfo.kind());
        PatchRequest patchRequest =
                PatchRequest.of(request, requestInfo.kind().strategy().struct());
        List<String> warnings = new ArrayList<>(requestInfo.kind().strategy().warnings());
        WriteContext writeContext = new WriteContext(
                request.userInfo(), WriteOptions.of(request.queryParameters(), "PatchOptions"), warnings);
        ObjectEdit edit = restriction.apply(before -> applyPatch(requestInfo, request, patchRequest, before, warnings));
        StoredObject outcome = objectUpdater.update(requestInfo, edit, writeContext);
        return handlerContext
                .responseWriter()
                .object(200, negotiatedOutput, outcome)
                .withWarnings(warnings);
    }

    private ObjectNode applyPatch(
            RequestInfo requestInfo,
            RestRequest request,
            PatchRequest patchRequest,
            ObjectNode before,
            List<String> warnings) {
        ObjectNode mutable =
                handlerContext.bodyDecoder().decodePatched(request, requestInfo.kind(), patchRequest, before, warnings);
        RequestMetadata.requireMatchingName(requestInfo, mutable);
        requestInfo.kind().strategy().applyDefaults(mutable);
        return mutable;
    }
}
