package dev.berth.sandbox.endpoints.handlers.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.admission.AdmissionRequest;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.request.HandlerContext;
import dev.berth.sandbox.endpoints.request.RequestInfo;
import dev.berth.sandbox.endpoints.request.WriteContext;
import dev.berth.sandbox.endpoints.request.WriteOptions;
import dev.berth.sandbox.endpoints.serializer.NegotiatedOutput;
import dev.berth.sandbox.registry.RestStrategy;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.storage.StorageKey;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.validation.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Handles create. */
public final class CreateHandler {

    private static final int NAME_ATTEMPTS = 8;

    private final HandlerContext handlerContext;

    public CreateHandler(HandlerContext handlerContext) {
        this.handlerContext = handlerContext;
    }

    public BodyResponse create(RequestInfo requestInfo, RestRequest request) {
        NegotiatedOutput negotiatedOutput = NegotiatedOutput.of(request, requestInfo.kind());
        WriteOptions options = WriteOptions.of(request.queryParameters(), "CreateOptions");
        List<String> warnings = new ArrayList<>(requestInfo.kind().strategy().warnings());
        ObjectNode mutable = handlerContext.bodyDecoder().decode(request, requestInfo.kind(), warnings);
        StoredObject created = create(requestInfo, mutable, new WriteContext(request.userInfo(), options, warnings));
        return handlerContext
                .responseWriter()
                .object(201, negotiatedOutput, created)
                .withWarnings(warnings);
    }

    /** Creates an object that was decoded and pruned. */
    StoredObject create(RequestInfo requestInfo, ObjectNode sent, WriteContext writeContext) {
        RequestMetadata.wipeSystemFields(sent);
        RequestMetadata.ensureNamespace(requestInfo, sent);
        requestInfo.kind().strategy().applyDefaults(sent);
        AdmissionRequest admission = writeContext
                .toAdmissionRequest(
                        AdmissionRequest.Operation.CREATE, requestInfo.withName(ObjectMetaReader.name(sent)))
                .withObject(sent);
        ObjectNode admitted = handlerContext.admissionPlugin().mutate(admission);
        if (!ObjectMetaReader.name(admitted).isEmpty()
                || NestedFields.text(admitted, "metadata", "generateName").isEmpty()) {
            return insert(requestInfo, admitted, admission, writeContext)
                    .orElseThrow(() -> alreadyExists(requestInfo, ObjectMetaReader.name(admitted)));
        }
        String tried = "";
        for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
            ObjectNode named = admitted.deepCopy();
            tried = handlerContext
                    .systemFieldGenerator()
                    .generateName(NestedFields.text(named, "metadata", "generateName"));
            ObjectMetaEditor.mutableMetadata(named).put("name", tried);
            Optional<StoredObject> created = insert(requestInfo, named, admission, writeContext);
            if (created.isPresent()) {
                return created.get();
            }
        }
        throw new ApiStatusException(ApiStatus.generatedNameTaken(requestInfo.groupResource(), tried));
    }

    /** Empty when the name is in use. */
    private Optional<StoredObject> insert(
            RequestInfo requestInfo, ObjectNode mutable, AdmissionRequest admission, WriteContext writeContext) {
        RestStrategy rules = requestInfo.kind().strategy();
        handlerContext.systemFieldGenerator().fillSystemFields(mutable);
        rules.prepareForCreate(mutable);
        List<FieldError> errors = rules.validateCreate(mutable);
        String name = ObjectMetaReader.name(mutable);
        if (!errors.isEmpty()) {
            throw new ApiStatusException(ApiStatus.invalid(
                    requestInfo.kind().gvk().group(), requestInfo.kind().gvk().kind(), name, errors));
        }
        if (name.isEmpty()) {
            throw new ApiStatusException(ApiStatus.badRequest("name or generateName is required"));
        }
        handlerContext.storageHooks().beforeWrite(requestInfo.kind(), mutable);
        handlerContext
                .admissionPlugin()
                .validate(admission
                        .withObject(mutable)
                        .withTargetName(new AdmissionRequest.TargetName(requestInfo.namespace(), name)));
        writeContext.addWarnings(rules.warningsOnWrite(mutable));
        if (!ObjectMetaReader.resourceVersion(mutable).isEmpty()) {
            throw new ApiStatusException(
                    ApiStatus.unknownError("resourceVersion should not be set on objects to be created"));
        }
        StorageKey key = new StorageKey(requestInfo.kind().namespaced() ? requestInfo.namespace() : "", name);
        if (writeContext.options().dryRun()) {
            return handlerContext.storage(requestInfo).get(key).isPresent()
                    ? Optional.empty()
                    : Optional.of(StoredObject.notStored(key, rules.toStored(mutable), 0));
        }
        Optional<StoredObject> created = handlerContext.storage(requestInfo).insert(key, rules.toStored(mutable));
        created.ifPresent(storedObject -> handlerContext.storageHooks().afterWrite(requestInfo.kind(), storedObject));
        return created;
    }

    private ApiStatusException alreadyExists(RequestInfo requestInfo, String name) {
        ApiStatus status = ApiStatus.alreadyExists(requestInfo.groupResource(), name);
        boolean leaving = handlerContext
                .storage(requestInfo)
                .get(requestInfo.withName(name).key())
                .filter(there ->
                        ObjectMetaReader.deletionTimestamp(there.tree()).isPresent())
                .isPresent();
        if (leaving) {
            status.tree().put("message", "object is being deleted: " + status.message());
        }
        return new ApiStatusException(status);
    }
}
