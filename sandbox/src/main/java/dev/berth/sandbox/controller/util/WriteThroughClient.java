package dev.berth.sandbox.controller.util;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.SharedInformerFactory;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;

/** Writes that the caches contain at once, so that no controller acts on state that it has already changed. */
public final class WriteThroughClient {
    private final DynamicClient client;
    private final SharedInformerFactory sharedInformerFactory;

    public WriteThroughClient(DynamicClient client, SharedInformerFactory sharedInformerFactory) {
        this.client = client;
        this.sharedInformerFactory = sharedInformerFactory;
    }

    public DynamicClient client() {
        return client;
    }

    public ObjectNode create(RestMapping restMapping, ObjectNode object) {
        return cacheWrite(restMapping, client.create(restMapping, object));
    }

    public ObjectNode update(RestMapping restMapping, ObjectNode object) {
        return cacheWrite(restMapping, client.update(restMapping, object));
    }

    public ObjectNode updateStatus(RestMapping restMapping, ObjectNode object) {
        return cacheWrite(restMapping, client.updateStatus(restMapping, object));
    }

    public ObjectNode patch(ObjectLocation objectLocation, Patch patch) {
        return cacheWrite(objectLocation.restMapping(), client.patch(objectLocation, patch));
    }

    /** Deletes the object unless it is gone already. */
    public void delete(RestMapping restMapping, ObjectNode object, DeleteOptions options) {
        try {
            ObjectNode answer = client.delete(ObjectLocation.of(restMapping, object), options);
            if (ObjectMetaReader.uid(answer).equals(ObjectMetaReader.uid(object)) && isTerminating(answer)) {
                cacheWrite(restMapping, answer);
            } else {
                sharedInformerFactory.findCache(restMapping).ifPresent(cache -> cache.applyDelete(object));
            }
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    /** A server answers a delete with the object as it was last; whether it is still there the object tells. */
    private static boolean isTerminating(ObjectNode answer) {
        return ObjectMetaReader.isTerminating(answer)
                && (!ObjectMetaReader.finalizers(answer).isEmpty()
                        || NestedFields.intValue(answer, 0, "metadata", "deletionGracePeriodSeconds") > 0);
    }

    private ObjectNode cacheWrite(RestMapping restMapping, ObjectNode object) {
        sharedInformerFactory.findCache(restMapping).ifPresent(cache -> cache.applyWrite(object));
        return object;
    }
}
