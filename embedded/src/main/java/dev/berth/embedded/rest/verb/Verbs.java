package dev.berth.embedded.rest.verb;

import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.Response;
import dev.berth.embedded.rest.reading.Reading;
import dev.berth.embedded.rest.reading.Watching;
import dev.berth.embedded.rest.target.Backend;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.rest.writing.Creation;
import dev.berth.embedded.rest.writing.Deletion;
import dev.berth.embedded.rest.writing.Patching;
import dev.berth.embedded.rest.writing.Updating;

/** Leads a request for a resource to the verb it means. */
public final class Verbs {

    private final Reading reading;
    private final Watching watching;
    private final Creation creation;
    private final Updating updating;
    private final Patching patching;
    private final Deletion deletion;
    private final SelfReviews selfReviews;

    public Verbs(Backend backend) {
        this.reading = new Reading(backend);
        this.watching = new Watching(backend);
        this.creation = new Creation(backend);
        this.updating = new Updating(backend);
        this.patching = new Patching(backend);
        this.deletion = new Deletion(backend);
        this.selfReviews = new SelfReviews(backend);
    }

    /** Answers a request for objects themselves, not for a subresource. */
    public Response handle(Target target, Request request) {
        return target.name().isEmpty() ? collection(target, request) : object(target, request);
    }

    private Response collection(Target target, Request request) {
        return switch (request.method()) {
            case "GET" -> {
                if (request.query().flag("watch")) {
                    demand(target, "watch");
                    yield watching.watch(target, request);
                }
                demand(target, "list");
                yield reading.list(target, request);
            }
            case "POST" -> {
                demand(target, "create");
                if (target.kind().namespaced() && target.namespace().isEmpty()) {
                    throw new ApiFailure(ApiStatus.methodNotAllowed());
                }
                yield SelfReviews.concerns(target)
                        ? selfReviews.answer(target, request)
                        : creation.create(target, request);
            }
            case "DELETE" -> {
                demand(target, "deletecollection");
                yield deletion.deleteCollection(target, request);
            }
            default -> throw new ApiFailure(ApiStatus.methodNotAllowed());
        };
    }

    private Response object(Target target, Request request) {
        return switch (request.method()) {
            case "GET" -> {
                if (request.query().flag("watch")) {
                    demand(target, "watch");
                    yield watching.watch(target, request);
                }
                demand(target, "get");
                yield reading.get(target, request);
            }
            case "PUT" -> {
                demand(target, "update");
                yield updating.update(target, request);
            }
            case "PATCH" -> {
                demand(target, "patch");
                yield patching.patch(target, request);
            }
            case "DELETE" -> {
                demand(target, "delete");
                yield deletion.delete(target, request);
            }
            default -> throw new ApiFailure(ApiStatus.methodNotAllowed());
        };
    }

    private static void demand(Target target, String verb) {
        if (!target.kind().supports(verb)) {
            throw new ApiFailure(ApiStatus.methodNotAllowed());
        }
    }
}
