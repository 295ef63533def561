package dev.berth.sandbox.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.transport.ClientRequest;
import dev.berth.sandbox.client.transport.ClientRequest.Method;
import dev.berth.sandbox.client.transport.ClientResponse;
import dev.berth.sandbox.client.transport.Transport;
import dev.berth.sandbox.client.transport.WatchStream;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The verbs of the Kubernetes API over JSON trees. Every method waits for the response. A rejection is an
 * {@link ApiException}, no response an {@link dev.berth.sandbox.client.transport.UnreachableException}. Responses may be
 * shared and must not be changed. Safe for use by several threads.
 */
public final class DynamicClient implements AutoCloseable {
    private final Transport transport;

    public DynamicClient(Transport transport) {
        this.transport = transport;
    }

    public ObjectNode get(ObjectLocation objectLocation) {
        return send(ClientRequest.get(objectLocation.path(), Map.of()));
    }

    /** The object, or empty when the server knows none by that name. */
    public Optional<ObjectNode> find(ObjectLocation objectLocation) {
        ClientResponse clientResponse = transport.send(ClientRequest.get(objectLocation.path(), Map.of()));
        return clientResponse.code() == 404 ? Optional.empty() : Optional.of(requireSuccess(clientResponse));
    }

    /** Reads any path, such as a discovery document. */
    public ObjectNode getPath(String path) {
        return send(ClientRequest.get(path, Map.of()));
    }

    /** One page of at most {@code limit} objects; {@code next} is that of the page before, empty for the first. */
    public ListPage list(RestMapping restMapping, ListScope listScope, int limit, String next) {
        SortedMap<String, String> query = listScope.toQuery();
        if (limit > 0) {
            query.put("limit", Integer.toString(limit));
        }
        if (!next.isEmpty()) {
            query.put("continue", next);
        }
        ObjectNode list = send(ClientRequest.get(restMapping.path(listScope.namespace()), query));
        return new ListPage(
                withTypes(restMapping, list),
                ObjectMetaReader.resourceVersion(list),
                NestedFields.text(list, "metadata", "continue"));
    }

    /** All objects of the selection, in one answer. */
    public List<ObjectNode> list(RestMapping restMapping, ListScope listScope) {
        return list(restMapping, listScope, 0, "").items();
    }

    /** Lists omit the kind of each item. The returned copies have it. */
    private static List<ObjectNode> withTypes(RestMapping restMapping, ObjectNode list) {
        List<ObjectNode> items = new ArrayList<>();
        for (ObjectNode item : NestedFields.objects(list, "items")) {
            items.add(item.has("kind") ? item : withType(restMapping, item));
        }
        return items;
    }

    private static ObjectNode withType(RestMapping restMapping, ObjectNode item) {
        ObjectNode typed = NestedFields.newObject()
                .put("apiVersion", restMapping.apiVersion())
                .put("kind", restMapping.kind());
        return typed.setAll(item);
    }

    /**
     * Watches the selection from just after {@code resourceVersion}, with bookmarks. The server ends the watch after
     * {@code timeout}. A rejection, for example 410 for an old version, arrives as an error event.
     */
    public WatchStream watch(
            RestMapping restMapping,
            ListScope listScope,
            String resourceVersion,
            Duration timeout,
            Runnable onAvailable) {
        SortedMap<String, String> query = listScope.toQuery();
        query.put("watch", "true");
        query.put("allowWatchBookmarks", "true");
        query.put("resourceVersion", resourceVersion);
        query.put("timeoutSeconds", Long.toString(timeout.toSeconds()));
        return transport.watch(ClientRequest.get(restMapping.path(listScope.namespace()), query), onAvailable);
    }

    /** Creates the object in the namespace it names. */
    public ObjectNode create(RestMapping restMapping, ObjectNode object) {
        return send(ClientRequest.of(Method.POST, restMapping.path(ObjectMetaReader.namespace(object)), object));
    }

    /** Posts to a subresource: a binding or an eviction of a pod. */
    public ObjectNode create(ObjectLocation objectLocation, String subresource, ObjectNode body) {
        return send(ClientRequest.of(Method.POST, objectLocation.path(subresource), body));
    }

    /** Replaces the object; its resourceVersion, when it carries one, must be the current one. */
    public ObjectNode update(RestMapping restMapping, ObjectNode object) {
        return send(ClientRequest.of(
                Method.PUT, ObjectLocation.of(restMapping, object).path(), object));
    }

    public ObjectNode updateStatus(RestMapping restMapping, ObjectNode object) {
        return update(ObjectLocation.of(restMapping, object), "status", object);
    }

    /** Replaces a subresource, such as {@code finalize} of a namespace. */
    public ObjectNode update(ObjectLocation objectLocation, String subresource, ObjectNode body) {
        return send(ClientRequest.of(Method.PUT, objectLocation.path(subresource), body));
    }

    public ObjectNode patch(ObjectLocation objectLocation, Patch patch) {
        return send(ClientRequest.patch(
                objectLocation.path(patch.subresource()), patch.type().contentType(), patch.body()));
    }

    /** Deletes the object. The answer is a Status when it is gone, the object when it still terminates. */
    public ObjectNode delete(ObjectLocation objectLocation, DeleteOptions options) {
        return send(ClientRequest.of(Method.DELETE, objectLocation.path(), options.toJson()));
    }

    private ObjectNode send(ClientRequest clientRequest) {
        return requireSuccess(transport.send(clientRequest));
    }

    private static ObjectNode requireSuccess(ClientResponse clientResponse) {
        if (clientResponse.isSuccess()) {
            return clientResponse.body();
        }
        throw new ApiException(clientResponse.code(), clientResponse.body());
    }

    @Override
    public void close() {
        transport.close();
    }
}
