package dev.berth.sandbox.endpoints.handlers.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.admission.AdmissionRequest;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.handlers.read.ListOptions;
import dev.berth.sandbox.endpoints.handlers.read.ReadHandler;
import dev.berth.sandbox.endpoints.request.HandlerContext;
import dev.berth.sandbox.endpoints.request.RequestInfo;
import dev.berth.sandbox.endpoints.request.WriteContext;
import dev.berth.sandbox.endpoints.request.WriteOptions;
import dev.berth.sandbox.endpoints.serializer.NegotiatedOutput;
import dev.berth.sandbox.endpoints.serializer.ObjectList;
import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.storage.ResourceStorage;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Handles delete and deletecollection. */
public final class DeleteHandler {

    /** The finalizer that keeps a CustomResourceDefinition until its objects are deleted. */
    public static final String CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

    private final HandlerContext handlerContext;

    public DeleteHandler(HandlerContext handlerContext) {
        this.handlerContext = handlerContext;
    }

    public BodyResponse delete(RequestInfo requestInfo, RestRequest request) {
        NegotiatedOutput negotiatedOutput = NegotiatedOutput.of(request, requestInfo.kind());
        DeletionOptions options = DeletionOptions.of(request, handlerContext.bodyDecoder());
        WriteContext writeContext = newWriteContext(request, options);
        DeletionResult deletionResult = delete(requestInfo, options, writeContext);
        // 202 if the deletion continues after the response and the client set a propagation policy.
        int code = deletionResult.gone() || options.orphanDependents().orElse(true) ? 200 : 202;
        BodyResponse bodyResponse = deletionResult.gone()
                        && !requestInfo.kind().strategy().returnsDeletedObject()
                ? handlerContext
                        .responseWriter()
                        .tree(
                                200,
                                negotiatedOutput.format(),
                                success(requestInfo, deletionResult.object().tree()))
                : handlerContext.responseWriter().object(code, negotiatedOutput, deletionResult.object());
        return bodyResponse.withWarnings(writeContext.warnings());
    }

    public BodyResponse deleteCollection(RequestInfo requestInfo, RestRequest request) {
        NegotiatedOutput negotiatedOutput = NegotiatedOutput.of(request, requestInfo.kind());
        DeletionOptions options = DeletionOptions.of(request, handlerContext.bodyDecoder());
        WriteContext writeContext = newWriteContext(request, options);
        ObjectList list = new ReadHandler(handlerContext)
                .selectObjects(requestInfo, ListOptions.of(requestInfo, request.queryParameters()));
        for (StoredObject each : list.items()) {
            RequestInfo one = new RequestInfo(
                    requestInfo.kind(), each.key().namespace(), each.key().name(), "");
            if (handlerContext.storage(one).get(each.key()).isPresent()) {
                deleteIfPresent(one, options, writeContext);
            }
        }
        return handlerContext.responseWriter().list(negotiatedOutput, list).withWarnings(writeContext.warnings());
    }

    private void deleteIfPresent(RequestInfo requestInfo, DeletionOptions options, WriteContext writeContext) {
        try {
            delete(requestInfo, options, writeContext);
        } catch (ApiStatusException failure) {
            if (failure.status().code() != 404) {
                throw failure;
            }
        }
    }

    /** The result of a deletion: the last state of the object, and whether it is deleted or still terminating. */
    public record DeletionResult(StoredObject object, boolean gone) {}

    /** Deletes an object, or marks it as terminating. */
    public DeletionResult delete(RequestInfo requestInfo, DeletionOptions options, WriteContext writeContext) {
        while (true) {
            StoredObject present = handlerContext.getOrNotFound(requestInfo);
            checkPreconditions(requestInfo, present, options);
            handlerContext
                    .admissionPlugin()
                    .validate(writeContext
                            .toAdmissionRequest(AdmissionRequest.Operation.DELETE, requestInfo)
                            .withOldObject(requestInfo.kind().strategy().toServed(present.tree())));
            Optional<DeletionResult> deletionResult = tryDelete(requestInfo, present, options);
            if (deletionResult.isPresent()) {
                return deletionResult.get();
            }
        }
    }

    /** The same without admission, for deletions that follow from another write. */
    public DeletionResult deleteWithoutAdmission(RequestInfo requestInfo, DeletionOptions options) {
        while (true) {
            StoredObject present = handlerContext.getOrNotFound(requestInfo);
            // The version precondition was checked before the server's own writes; the UID must still match.
            checkUid(requestInfo, present, options);
            Optional<DeletionResult> deletionResult = tryDelete(requestInfo, present, options);
            if (deletionResult.isPresent()) {
                return deletionResult.get();
            }
        }
    }

    private Optional<DeletionResult> tryDelete(RequestInfo requestInfo, StoredObject present, DeletionOptions options) {
        return isNamespace(requestInfo.kind())
                ? terminateNamespace(requestInfo, present, options)
                : tryRemove(requestInfo, present, options);
    }

    private Optional<DeletionResult> tryRemove(RequestInfo requestInfo, StoredObject present, DeletionOptions options) {
        DeletionPlan deletionPlan = DeletionPlan.of(
                requestInfo.kind(),
                present.tree(),
                options,
                handlerContext.systemFieldGenerator().now());
        if (deletionPlan.alreadyTerminating()) {
            return Optional.of(new DeletionResult(present, false));
        }
        if (options.dryRun()) {
            return Optional.of(new DeletionResult(present, true));
        }
        if (deletionPlan.updatedObject().isEmpty()) {
            return deletionPlan.deletesImmediately()
                    ? handlerContext.storage(requestInfo).remove(present).map(gone -> onRemoved(requestInfo, gone))
                    : Optional.of(new DeletionResult(present, false));
        }
        Optional<StoredObject> marked = handlerContext
                .storage(requestInfo)
                .replace(present, deletionPlan.updatedObject().get());
        marked.ifPresent(written -> handlerContext.storageHooks().afterWrite(requestInfo.kind(), written));
        return marked.map(written -> deletionPlan.deletesImmediately()
                ? removeMarked(requestInfo, written)
                : new DeletionResult(written, false));
    }

    /** If another request has removed the marked object, the deletion is complete. */
    private DeletionResult removeMarked(RequestInfo requestInfo, StoredObject marked) {
        ResourceStorage resourceStorage = handlerContext.storage(requestInfo);
        StoredObject last = marked;
        while (true) {
            Optional<StoredObject> removed = resourceStorage.remove(last);
            if (removed.isPresent()) {
                return onRemoved(requestInfo, removed.get());
            }
            Optional<StoredObject> changed = resourceStorage
                    .get(marked.key())
                    .filter(present ->
                            ObjectMetaReader.uid(present.tree()).equals(ObjectMetaReader.uid(marked.tree())));
            if (changed.isEmpty()) {
                return new DeletionResult(last, true);
            }
            last = changed.get();
        }
    }

    private DeletionResult onRemoved(RequestInfo requestInfo, StoredObject last) {
        handlerContext.storageHooks().afterDelete(requestInfo.kind(), last);
        return new DeletionResult(last, true);
    }

    private Optional<DeletionResult> terminateNamespace(
            RequestInfo requestInfo, StoredObject present, DeletionOptions options) {
        ObjectNode before = present.tree();
        if (ObjectMetaReader.deletionTimestamp(before).isPresent()) {
            return before.path("spec").path("finalizers").isEmpty()
                    ? tryRemove(requestInfo, present, options)
                    : Optional.of(new DeletionResult(present, false));
        }
        ObjectNode mutable = ObjectMetaEditor.shallowCopy(before);
        ObjectMetaEditor.mutableMetadata(mutable)
                .put(
                        "deletionTimestamp",
                        TimestampFormat.formatTime(
                                handlerContext.systemFieldGenerator().now()));
        mutable.set("status", before.path("status").deepCopy());
        mutable.withObjectProperty("status").put("phase", "Terminating");
        ObjectMetaEditor.setFinalizers(mutable, DeletionPlan.finalizers(requestInfo.kind(), before, options));
        if (options.dryRun()) {
            return Optional.of(
                    new DeletionResult(StoredObject.notStored(present.key(), mutable, present.revision()), false));
        }
        return handlerContext
                .storage(requestInfo)
                .replace(present, mutable)
                .map(storedObject -> new DeletionResult(storedObject, false));
    }

    private static boolean isNamespace(ServedKind kind) {
        return kind.storage().equals(new GroupResource("", "namespaces"));
    }

    /** Rejects the deletion if the preconditions do not match. */
    public void checkPreconditions(RequestInfo requestInfo, StoredObject present, DeletionOptions options) {
        checkUid(requestInfo, present, options);
        String version = ObjectMetaReader.resourceVersion(present.tree());
        options.resourceVersionPrecondition()
                .filter(wanted -> !wanted.equals(version))
                .ifPresent(wanted -> {
                    throw conflict(
                            requestInfo,
                            "the ResourceVersion in the precondition (" + wanted
                                    + ") does not match the ResourceVersion in record (" + version
                                    + "). The object might have been modified");
                });
    }

    private static void checkUid(RequestInfo requestInfo, StoredObject present, DeletionOptions options) {
        String uid = ObjectMetaReader.uid(present.tree());
        options.uidPrecondition().filter(wanted -> !wanted.equals(uid)).ifPresent(wanted -> {
            throw conflict(
                    requestInfo,
                    "the UID in the precondition (" + wanted + ") does not match the UID in record (" + uid
                            + "). The object might have been deleted and then recreated");
        });
    }

    /** The real server names the kind here, and the resource elsewhere. */
    private static ApiStatusException conflict(RequestInfo requestInfo, String why) {
        GroupResource kind = new GroupResource(
                requestInfo.kind().gvk().group(), requestInfo.kind().gvk().kind());
        return new ApiStatusException(ApiStatus.conflict(kind, requestInfo.name(), why));
    }

    private static ObjectNode success(RequestInfo requestInfo, ObjectNode tree) {
        ObjectNode status = ApiStatus.success();
        ObjectNode details = status.putObject("details");
        details.put("name", requestInfo.name());
        if (!requestInfo.groupResource().group().isEmpty()) {
            details.put("group", requestInfo.groupResource().group());
        }
        details.put("kind", requestInfo.groupResource().plural());
        details.put("uid", ObjectMetaReader.uid(tree));
        return status;
    }

    private static WriteContext newWriteContext(RestRequest request, DeletionOptions options) {
        List<String> warnings = new ArrayList<>();
        return new WriteContext(request.userInfo(), new WriteOptions(options.dryRun(), options.tree()), warnings);
    }
}
