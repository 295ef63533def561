package dev.berth.sandbox.endpoints.handlers.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.admission.AdmissionRequest;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.request.HandlerContext;
import dev.berth.sandbox.endpoints.request.RequestInfo;
import dev.berth.sandbox.endpoints.request.WriteContext;
import dev.berth.sandbox.registry.RestStrategy;
import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import java.util.List;
import java.util.Optional;

/**
 * Updates an existing object, for update, patch and most subresources. A change that loses a race is
 * applied again to the newer state, unless the client sent a resource version.
 */
public final class ObjectUpdater {

    private final HandlerContext handlerContext;

    public ObjectUpdater(HandlerContext handlerContext) {
        this.handlerContext = handlerContext;
    }

    /** The object after the edit; if the edit removes the last finalizer, the last state of the object. */
    public StoredObject update(RequestInfo requestInfo, ObjectEdit edit, WriteContext writeContext) {
        while (true) {
            Optional<StoredObject> outcome =
                    tryUpdate(requestInfo, handlerContext.getOrNotFound(requestInfo), edit, writeContext);
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
    }

    /** Empty when another write came first. */
    Optional<StoredObject> tryUpdate(
            RequestInfo requestInfo, StoredObject present, ObjectEdit edit, WriteContext writeContext) {
        ServedKind kind = requestInfo.kind();
        RestStrategy rules = kind.strategy();
        ObjectNode before = rules.toServed(present.tree());
        ObjectNode mutable = edit.updatedObject(before);
        checkVersion(requestInfo, before, mutable);
        AdmissionRequest admission = writeContext
                .toAdmissionRequest(AdmissionRequest.Operation.UPDATE, requestInfo)
                .withOldObject(edit.admissionView(before));
        if (!edit.isAlreadyAdmitted()) {
            mutable = handlerContext.admissionPlugin().mutate(admission.withObject(mutable));
        }
        RequestMetadata.ensureNamespace(requestInfo, mutable);
        keepGeneration(before, mutable);
        edit.prepare(rules, before, mutable);
        keepIdentity(before, mutable);
        List<FieldError> errors = edit.validate(rules, before, mutable);
        if (!errors.isEmpty()) {
            throw new ApiStatusException(
                    ApiStatus.invalid(kind.gvk().group(), kind.gvk().kind(), requestInfo.name(), errors));
        }
        handlerContext.storageHooks().beforeWrite(kind, mutable);
        handlerContext.admissionPlugin().validate(admission.withObject(edit.admissionView(mutable)));
        writeContext.addWarnings(rules.warningsOnWrite(mutable));
        return write(requestInfo, present, mutable, writeContext);
    }

    private Optional<StoredObject> write(
            RequestInfo requestInfo, StoredObject present, ObjectNode mutable, WriteContext writeContext) {
        RestStrategy rules = requestInfo.kind().strategy();
        ObjectNode before = rules.toServed(present.tree());
        if (writeContext.options().dryRun()) {
            return Optional.of(StoredObject.notStored(present.key(), rules.toStored(mutable), present.revision()));
        }
        if (removesLastFinalizer(requestInfo.kind(), before, mutable)) {
            Optional<StoredObject> last = handlerContext.storage(requestInfo).remove(present);
            last.ifPresent(storedObject -> handlerContext.storageHooks().afterDelete(requestInfo.kind(), storedObject));
            return last.map(
                    stored -> StoredObject.notStored(present.key(), rules.toStored(mutable), stored.revision()));
        }
        if (mutable.equals(before)) {
            return Optional.of(present);
        }
        Optional<StoredObject> written = handlerContext.storage(requestInfo).replace(present, rules.toStored(mutable));
        written.ifPresent(stored -> handlerContext.storageHooks().afterWrite(requestInfo.kind(), stored));
        return written;
    }

    /** Whether this change removes the last finalizer of a terminating object. */
    private static boolean removesLastFinalizer(ServedKind kind, ObjectNode before, ObjectNode mutable) {
        boolean keptByNamespace = kind.storage().plural().equals("namespaces")
                && kind.storage().group().isEmpty()
                && !mutable.path("spec").path("finalizers").isEmpty();
        return !keptByNamespace
                && ObjectMetaReader.finalizers(mutable).isEmpty()
                && ObjectMetaReader.deletionTimestamp(before).isPresent()
                && ObjectMetaReader.deletionGracePeriodSeconds(before).orElse(0) == 0;
    }

    private static void checkVersion(RequestInfo requestInfo, ObjectNode before, ObjectNode mutable) {
        String version = ObjectMetaReader.resourceVersion(mutable);
        String present = ObjectMetaReader.resourceVersion(before);
        if (version.isEmpty() || version.equals("0")) {
            if (!requestInfo.kind().strategy().allowsUnconditionalUpdate()) {
                FieldError missing = FieldError.invalid(
                        FieldPath.of("metadata", "resourceVersion"),
                        GoFormat.node(0),
                        "must be specified for an update");
                throw new ApiStatusException(ApiStatus.invalid(
                        requestInfo.groupResource().group(),
                        requestInfo.groupResource().plural(),
                        requestInfo.name(),
                        List.of(missing)));
            }
            ObjectMetaEditor.mutableMetadata(mutable).put("resourceVersion", present);
        } else if (!version.equals(present)) {
            throw new ApiStatusException(
                    ApiStatus.conflict(requestInfo.groupResource(), requestInfo.name(), ApiStatus.CONFLICT_MESSAGE));
        }
    }

    private static void keepGeneration(ObjectNode before, ObjectNode mutable) {
        copy("generation", before, mutable);
        ObjectMetaEditor.mutableMetadata(mutable).remove("managedFields");
    }

    private static void keepIdentity(ObjectNode before, ObjectNode mutable) {
        if (ObjectMetaReader.uid(mutable).isEmpty()) {
            copy("uid", before, mutable);
        }
        copy("creationTimestamp", before, mutable);
        if (ObjectMetaReader.deletionTimestamp(before).isPresent()) {
            copy("deletionTimestamp", before, mutable);
        }
        if (ObjectMetaReader.deletionGracePeriodSeconds(mutable).isEmpty()) {
            copy("deletionGracePeriodSeconds", before, mutable);
        }
    }

    private static void copy(String field, ObjectNode before, ObjectNode mutable) {
        JsonNode value = before.path("metadata").get(field);
        if (value == null) {
            ObjectMetaEditor.mutableMetadata(mutable).remove(field);
        } else {
            ObjectMetaEditor.mutableMetadata(mutable).set(field, value);
        }
    }
}
