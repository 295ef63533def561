package dev.berth.embedded.rest.subresource;

import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.Response;
import dev.berth.embedded.rest.reading.Reading;
import dev.berth.embedded.rest.target.Backend;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.rest.writing.Edit;
import dev.berth.embedded.rest.writing.Patching;
import dev.berth.embedded.rest.writing.Updating;
import dev.berth.embedded.schema.Subresource;
import dev.berth.embedded.tree.Trees;
import java.util.function.UnaryOperator;

/** Leads a request for a subresource to whoever handles it. */
public final class Subresources {

    private final Backend backend;
    private final Reading reading;
    private final Updating updating;
    private final Patching patching;
    private final Binding binding;
    private final Eviction eviction;
    private final Scale scale;

    public Subresources(Backend backend) {
        this.backend = backend;
        this.reading = new Reading(backend);
        this.updating = new Updating(backend);
        this.patching = new Patching(backend);
        this.binding = new Binding(backend);
        this.eviction = new Eviction(backend);
        this.scale = new Scale(backend);
    }

    public Response handle(Target target, Request request) {
        Subresource subresource = target.kind()
                .subresource(target.subresource())
                .orElseThrow(() -> new ApiFailure(ApiStatus.noSuchResource()));
        if (!subresource.verbs().contains(verb(request))) {
            throw new ApiFailure(ApiStatus.methodNotAllowed());
        }
        return switch (subresource.name()) {
            case "binding" -> binding.bind(target, request);
            case "eviction" -> eviction.evict(target, request);
            case "scale" -> scale(target, request);
            case "log" -> log(target);
            case "status" -> part(target, request, Updating::ofStatus);
            case "resize" -> part(target, request, Limits::resources);
            case "ephemeralcontainers" -> part(target, request, Limits::ephemeralContainers);
            case "finalize" -> part(target, request, Limits::finalizers);
            default -> throw new ApiFailure(ApiStatus.noSuchResource());
        };
    }

    private Response part(Target target, Request request, UnaryOperator<Edit> limits) {
        return switch (verb(request)) {
            case "update" -> updating.update(target, request, limits);
            case "patch" -> patching.patch(target, request, limits);
            default -> reading.get(target, request);
        };
    }

    private Response scale(Target target, Request request) {
        return switch (verb(request)) {
            case "update" -> scale.update(target, request);
            case "patch" -> scale.patch(target, request);
            default -> scale.get(target, request);
        };
    }

    /** Simulated containers say nothing, so there is nothing to read. */
    private Response log(Target target) {
        if (Trees.text(backend.present(target).tree(), "spec", "nodeName").isEmpty()) {
            throw new ApiFailure(ApiStatus.badRequest("pod " + target.name() + " does not have a host assigned"));
        }
        return Answer.text(200, "");
    }

    private static String verb(Request request) {
        return switch (request.method()) {
            case "GET" -> "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            default -> "";
        };
    }
}
