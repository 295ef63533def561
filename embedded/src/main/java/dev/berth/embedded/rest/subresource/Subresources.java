package dev.berth.embedded.rest.subresource;

import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.Response;
import dev.berth.embedded.rest.verb.Backend;
import dev.berth.embedded.rest.verb.Reading;
import dev.berth.embedded.rest.verb.Target;
import dev.berth.embedded.rest.verb.Updating;
import dev.berth.embedded.schema.Subresource;

/** Leads a request for a subresource to whoever handles it. */
public final class Subresources {

    private final Reading reading;
    private final Updating updating;
    private final Binding binding;

    public Subresources(Backend backend) {
        this.reading = new Reading(backend);
        this.updating = new Updating(backend);
        this.binding = new Binding(backend);
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
            case "status" -> object(target, request);
            default -> throw new ApiFailure(ApiStatus.noSuchResource());
        };
    }

    private Response object(Target target, Request request) {
        return verb(request).equals("get") ? reading.get(target, request) : updating.update(target, request);
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
