package dev.berth.embedded.workload.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.Patch;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Mirrors;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;

/** Writes that the mirrors know of as soon as they are done, so that no controller acts on a past it made itself. */
public final class Writes {
    private final ApiClient client;
    private final Mirrors mirrors;

    public Writes(ApiClient client, Mirrors mirrors) {
        this.client = client;
        this.mirrors = mirrors;
    }

    public ApiClient client() {
        return client;
    }

    public ObjectNode create(Resource resource, ObjectNode object) {
        return seen(resource, client.create(resource, object));
    }

    public ObjectNode update(Resource resource, ObjectNode object) {
        return seen(resource, client.update(resource, object));
    }

    public ObjectNode updateStatus(Resource resource, ObjectNode object) {
        return seen(resource, client.updateStatus(resource, object));
    }

    public ObjectNode patch(Address address, Patch patch) {
        return seen(address.resource(), client.patch(address, patch));
    }

    /** Deletes the object unless it is gone already. */
    public void delete(Resource resource, ObjectNode object, DeleteOptions options) {
        try {
            ObjectNode answer = client.delete(Address.of(resource, object), options);
            if (Meta.uid(answer).equals(Meta.uid(object)) && stays(answer)) {
                seen(resource, answer);
            } else {
                mirrors.followed(resource).ifPresent(cache -> cache.deleted(object));
            }
        } catch (ApiException e) {
            if (!e.notFound()) {
                throw e;
            }
        }
    }

    /** A server answers a delete with the object as it was last; whether it is still there the object tells. */
    private static boolean stays(ObjectNode answer) {
        return Meta.terminating(answer)
                && (!Meta.finalizers(answer).isEmpty()
                        || Json.number(answer, 0, "metadata", "deletionGracePeriodSeconds") > 0);
    }

    private ObjectNode seen(Resource resource, ObjectNode object) {
        mirrors.followed(resource).ifPresent(cache -> cache.wrote(object));
        return object;
    }
}
