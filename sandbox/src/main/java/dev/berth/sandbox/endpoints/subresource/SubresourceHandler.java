package dev.berth.sandbox.endpoints.subresource;

import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.RestResponse;
import dev.berth.sandbox.endpoints.handlers.read.ReadHandler;
import dev.berth.sandbox.endpoints.handlers.write.ObjectEdit;
import dev.berth.sandbox.endpoints.handlers.write.PatchHandler;
import dev.berth.sandbox.endpoints.handlers.write.UpdateHandler;
import dev.berth.sandbox.endpoints.request.HandlerContext;
import dev.berth.sandbox.endpoints.request.RequestInfo;
import dev.berth.sandbox.schema.Subresource;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.function.UnaryOperator;

/** Dispatches a request for a subresource to its handler. */
public final class SubresourceHandler {

    private final HandlerContext handlerContext;
    private final ReadHandler readHandler;
    private final UpdateHandler updateHandler;
    private final PatchHandler patchHandler;
    private final BindingHandler bindingHandler;
    private final EvictionHandler evictionHandler;
    private final ScaleHandler scaleHandler;

    public SubresourceHandler(HandlerContext handlerContext) {
        this.handlerContext = handlerContext;
        this.readHandler = new ReadHandler(handlerContext);
        this.updateHandler = new UpdateHandler(handlerContext);
        this.patchHandler = new PatchHandler(handlerContext);
        this.bindingHandler = new BindingHandler(handlerContext);
        this.evictionHandler = new EvictionHandler(handlerContext);
        this.scaleHandler = new ScaleHandler(handlerContext);
    }

    public RestResponse handle(RequestInfo requestInfo, RestRequest request) {
        Subresource subresource = requestInfo
                .kind()
                .subresource(requestInfo.subresource())
                .orElseThrow(() -> new ApiStatusException(ApiStatus.noSuchResource()));
        if (!subresource.verbs().contains(verb(request))) {
            throw new ApiStatusException(ApiStatus.methodNotAllowed());
        }
        return switch (subresource.name()) {
            case "binding" -> bindingHandler.bind(requestInfo, request);
            case "eviction" -> evictionHandler.evict(requestInfo, request);
            case "scale" -> scale(requestInfo, request);
            case "log" -> log(requestInfo);
            case "status" -> handleRestricted(requestInfo, request, UpdateHandler::statusEdit);
            case "resize" -> handleRestricted(requestInfo, request, RestrictedEdits::resourcesOnly);
            case "finalize" -> handleRestricted(requestInfo, request, RestrictedEdits::finalizersOnly);
            default -> throw new ApiStatusException(ApiStatus.noSuchResource());
        };
    }

    private RestResponse handleRestricted(
            RequestInfo requestInfo, RestRequest request, UnaryOperator<ObjectEdit> restriction) {
        return switch (verb(request)) {
            case "update" -> updateHandler.update(requestInfo, request, restriction);
            case "patch" -> patchHandler.patch(requestInfo, request, restriction);
            default -> readHandler.get(requestInfo, request);
        };
    }

    private RestResponse scale(RequestInfo requestInfo, RestRequest request) {
        return switch (verb(request)) {
            case "update" -> scaleHandler.update(requestInfo, request);
            case "patch" -> scaleHandler.patch(requestInfo, request);
            default -> scaleHandler.get(requestInfo, request);
        };
    }

    /** Simulated containers have no output, so the log is empty. */
    private RestResponse log(RequestInfo requestInfo) {
        if (NestedFields.text(handlerContext.getOrNotFound(requestInfo).tree(), "spec", "nodeName")
                .isEmpty()) {
            throw new ApiStatusException(
                    ApiStatus.badRequest("pod " + requestInfo.name() + " does not have a host assigned"));
        }
        return BodyResponse.text(200, "");
    }

    private static String verb(RestRequest request) {
        return switch (request.method()) {
            case "GET" -> "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            default -> "";
        };
    }
}
