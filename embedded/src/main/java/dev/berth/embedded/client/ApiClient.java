package dev.berth.embedded.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.transport.Call;
import dev.berth.embedded.client.transport.Call.Method;
import dev.berth.embedded.client.transport.Reply;
import dev.berth.embedded.client.transport.Transport;
import dev.berth.embedded.client.transport.WatchStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The verbs of the Kubernetes API over JSON trees. Every method waits for the answer; a refusal is an
 * {@link ApiException}, silence an {@link dev.berth.embedded.client.transport.UnreachableException}. Answers may be shared
 * with others and must not be changed. Safe for use by several threads.
 */
public final class ApiClient implements AutoCloseable {
    private final Transport transport;

    public ApiClient(Transport transport) {
        this.transport = transport;
    }

    public ObjectNode get(Address address) {
        return send(Call.get(address.path(), Map.of()));
    }

    /** The object, or empty when the server knows none by that name. */
    public Optional<ObjectNode> find(Address address) {
        Reply reply = transport.send(Call.get(address.path(), Map.of()));
        return reply.code() == 404 ? Optional.empty() : Optional.of(accepted(reply));
    }

    /** Reads any path, such as a discovery document. */
    public ObjectNode read(String path) {
        return send(Call.get(path, Map.of()));
    }

    /** One page of at most {@code limit} objects; {@code next} is that of the page before, empty for the first. */
    public Page list(Resource resource, Selection selection, int limit, String next) {
        SortedMap<String, String> query = selection.query();
        if (limit > 0) {
            query.put("limit", Integer.toString(limit));
        }
        if (!next.isEmpty()) {
            query.put("continue", next);
        }
        ObjectNode list = send(Call.get(resource.path(selection.namespace()), query));
        return new Page(typed(resource, list), Meta.resourceVersion(list), Json.text(list, "metadata", "continue"));
    }

    /** All objects of the selection, in one answer. */
    public List<ObjectNode> list(Resource resource, Selection selection) {
        return list(resource, selection, 0, "").items();
    }

    /** Lists leave out the kind of each item; readers want it, so copies carry it. */
    private static List<ObjectNode> typed(Resource resource, ObjectNode list) {
        List<ObjectNode> items = new ArrayList<>();
        for (ObjectNode item : Json.objects(list, "items")) {
            items.add(item.has("kind") ? item : withType(resource, item));
        }
        return items;
    }

    private static ObjectNode withType(Resource resource, ObjectNode item) {
        ObjectNode typed =
                Json.object().put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
        return typed.setAll(item);
    }

    /**
     * Watches the selection from just after {@code resourceVersion}, with bookmarks. The server ends the watch after
     * {@code life}. A refusal, such as 410 for a version too old, arrives as an error event.
     */
    public WatchStream watch(
            Resource resource, Selection selection, String resourceVersion, Duration life, Runnable arrived) {
        SortedMap<String, String> query = selection.query();
        query.put("watch", "true");
        query.put("allowWatchBookmarks", "true");
        query.put("resourceVersion", resourceVersion);
        query.put("timeoutSeconds", Long.toString(life.toSeconds()));
        return transport.watch(Call.get(resource.path(selection.namespace()), query), arrived);
    }

    /** Creates the object in the namespace it names. */
    public ObjectNode create(Resource resource, ObjectNode object) {
        return send(Call.of(Method.POST, resource.path(Meta.namespace(object)), object));
    }

    /** Posts to a subresource: a binding or an eviction of a pod. */
    public ObjectNode create(Address address, String subresource, ObjectNode body) {
        return send(Call.of(Method.POST, address.path(subresource), body));
    }

    /** Replaces the object; its resourceVersion, when it carries one, must be the current one. */
    public ObjectNode update(Resource resource, ObjectNode object) {
        return send(Call.of(Method.PUT, Address.of(resource, object).path(), object));
    }

    public ObjectNode updateStatus(Resource resource, ObjectNode object) {
        return update(Address.of(resource, object), "status", object);
    }

    /** Replaces a subresource, such as {@code finalize} of a namespace. */
    public ObjectNode update(Address address, String subresource, ObjectNode body) {
        return send(Call.of(Method.PUT, address.path(subresource), body));
    }

    public ObjectNode patch(Address address, Patch patch) {
        return send(Call.patch(address.path(patch.subresource()), patch.type().contentType(), patch.body()));
    }

    /** Deletes the object. The answer is a Status when it is gone, the object when it still terminates. */
    public ObjectNode delete(Address address, DeleteOptions options) {
        return send(Call.of(Method.DELETE, address.path(), options.toJson()));
    }

    private ObjectNode send(Call call) {
        return accepted(transport.send(call));
    }

    private static ObjectNode accepted(Reply reply) {
        if (reply.ok()) {
            return reply.body();
        }
        throw new ApiException(reply.code(), reply.body());
    }

    @Override
    public void close() {
        transport.close();
    }
}
