package dev.berth.sandbox.endpoints.request;

import dev.berth.sandbox.admission.AdmissionPlugin;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.serializer.RequestBodyDecoder;
import dev.berth.sandbox.endpoints.serializer.ResponseWriter;
import dev.berth.sandbox.storage.ResourceStorage;
import dev.berth.sandbox.storage.Store;
import dev.berth.sandbox.storage.StoredObject;

/** What the handlers work with. */
public record HandlerContext(
        Store store,
        SystemFieldGenerator systemFieldGenerator,
        AdmissionPlugin admissionPlugin,
        StorageHooks storageHooks,
        RequestBodyDecoder bodyDecoder,
        ResponseWriter responseWriter) {

    public ResourceStorage storage(RequestInfo requestInfo) {
        return store.resource(requestInfo.kind().storage());
    }

    /** The object of the request; the error is 404 when there is none. */
    public StoredObject getOrNotFound(RequestInfo requestInfo) {
        return storage(requestInfo)
                .get(requestInfo.key())
                .orElseThrow(() ->
                        new ApiStatusException(ApiStatus.notFound(requestInfo.groupResource(), requestInfo.name())));
    }
}
