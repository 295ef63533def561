package dev.berth.sandbox.endpoints.handlers;

import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.RestResponse;
import dev.berth.sandbox.endpoints.handlers.read.ReadHandler;
import dev.berth.sandbox.endpoints.handlers.read.WatchHandler;
import dev.berth.sandbox.endpoints.handlers.write.CreateHandler;
import dev.berth.sandbox.endpoints.handlers.write.DeleteHandler;
import dev.berth.sandbox.endpoints.handlers.write.PatchHandler;
import dev.berth.sandbox.endpoints.handlers.write.UpdateHandler;
import dev.berth.sandbox.endpoints.request.HandlerContext;
import dev.berth.sandbox.endpoints.request.RequestInfo;

/** Dispatches a request for a resource to the handler of its verb. */
public final class ResourceHandler {

    private final ReadHandler readHandler;
    private final WatchHandler watchHandler;
    private final CreateHandler createHandler;
    private final UpdateHandler updateHandler;
    private final PatchHandler patchHandler;
    private final DeleteHandler deleteHandler;
    private final SelfReviewHandler selfReviewHandler;

    public ResourceHandler(HandlerContext handlerContext) {
        this.readHandler = new ReadHandler(handlerContext);
        this.watchHandler = new WatchHandler(handlerContext);
        this.createHandler = new CreateHandler(handlerContext);
        this.updateHandler = new UpdateHandler(handlerContext);
        this.patchHandler = new PatchHandler(handlerContext);
        this.deleteHandler = new DeleteHandler(handlerContext);
        this.selfReviewHandler = new SelfReviewHandler(handlerContext);
    }

    /** Handles a request for objects, not for a subresource. */
    public RestResponse handle(RequestInfo requestInfo, RestRequest request) {
        return requestInfo.name().isEmpty()
                ? handleCollection(requestInfo, request)
                : handleObject(requestInfo, request);
    }

    private RestResponse handleCollection(RequestInfo requestInfo, RestRequest request) {
        return switch (request.method()) {
            case "GET" -> {
                if (request.queryParameters().flag("watch")) {
                    requireVerb(requestInfo, "watch");
                    yield watchHandler.watch(requestInfo, request);
                }
                requireVerb(requestInfo, "list");
                yield readHandler.list(requestInfo, request);
            }
            case "POST" -> {
                requireVerb(requestInfo, "create");
                if (requestInfo.kind().namespaced() && requestInfo.namespace().isEmpty()) {
                    throw new ApiStatusException(ApiStatus.methodNotAllowed());
                }
                yield SelfReviewHandler.isSelfReview(requestInfo)
                        ? selfReviewHandler.review(requestInfo, request)
                        : createHandler.create(requestInfo, request);
            }
            case "DELETE" -> {
                requireVerb(requestInfo, "deletecollection");
                yield deleteHandler.deleteCollection(requestInfo, request);
            }
            default -> throw new ApiStatusException(ApiStatus.methodNotAllowed());
        };
    }

    private RestResponse handleObject(RequestInfo requestInfo, RestRequest request) {
        return switch (request.method()) {
            case "GET" -> {
                if (request.queryParameters().flag("watch")) {
                    requireVerb(requestInfo, "watch");
                    yield watchHandler.watch(requestInfo, request);
                }
                requireVerb(requestInfo, "get");
                yield readHandler.get(requestInfo, request);
            }
            case "PUT" -> {
                requireVerb(requestInfo, "update");
                yield updateHandler.update(requestInfo, request);
            }
            case "PATCH" -> {
                requireVerb(requestInfo, "patch");
                yield patchHandler.patch(requestInfo, request);
            }
            case "DELETE" -> {
                requireVerb(requestInfo, "delete");
                yield deleteHandler.delete(requestInfo, request);
            }
            default -> throw new ApiStatusException(ApiStatus.methodNotAllowed());
        };
    }

    private static void requireVerb(RequestInfo requestInfo, String verb) {
        if (!requestInfo.kind().supports(verb)) {
            throw new ApiStatusException(ApiStatus.methodNotAllowed());
        }
    }
}
