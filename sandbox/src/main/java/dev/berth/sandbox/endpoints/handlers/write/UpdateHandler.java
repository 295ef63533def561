package dev.berth.sandbox.endpoints.handlers.write;

import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.request.HandlerContext;
import dev.berth.sandbox.endpoints.request.RequestInfo;
import dev.berth.sandbox.endpoints.request.StoragePreconditions;
import dev.berth.sandbox.endpoints.request.WriteContext;
import dev.berth.sandbox.endpoints.request.WriteOptions;
import dev.berth.sandbox.endpoints.serializer.NegotiatedOutput;
import dev.berth.sandbox.registry.RestStrategy;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.validation.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Handles update, of the object or of its status. */
public final class UpdateHandler {

    private final HandlerContext handlerContext;
    private final ObjectUpdater objectUpdater;
    private final CreateHandler createHandler;

    public UpdateHandler(HandlerContext handlerContext) {
        this.handlerContext = handlerContext;
        this.objectUpdater = new ObjectUpdater(handlerContext);
        this.createHandler = new CreateHandler(handlerContext);
    }

    public BodyResponse update(RequestInfo requestInfo, RestRequest request) {
        return update(requestInfo, request, UnaryOperator.identity());
    }

    /** Updates the part that the restriction allows. */
    public BodyResponse update(RequestInfo requestInfo, RestRequest request, UnaryOperator<ObjectEdit> restriction) {
        NegotiatedOutput negotiatedOutput = NegotiatedOutput.of(request, requestInfo.kind());
        List<String> warnings = new ArrayList<>(requestInfo.kind().strategy().warnings());
        WriteContext writeContext = new WriteContext(
                request.userInfo(), WriteOptions.of(request.queryParameters(), "UpdateOptions"), warnings);
        ObjectNode sent = read(requestInfo, request, warnings);
        while (true) {
            Optional<StoredObject> present = handlerContext.storage(requestInfo).get(requestInfo.key());
            if (present.isEmpty()) {
                return handlerContext
                        .responseWriter()
                        .object(201, negotiatedOutput, create(requestInfo, sent, writeContext))
                        .withWarnings(warnings);
            }
            Optional<StoredObject> outcome = objectUpdater.tryUpdate(
                    requestInfo, present.get(), restriction.apply(wholeObjectEdit(requestInfo, sent)), writeContext);
            if (outcome.isPresent()) {
                return handlerContext
                        .responseWriter()
                        .object(200, negotiatedOutput, outcome.get())
                        .withWarnings(warnings);
            }
            // Another write came first. The tree was changed on the way, so the body is decoded again.
            sent = read(requestInfo, request, new ArrayList<>());
        }
    }

    private ObjectNode read(RequestInfo requestInfo, RestRequest request, List<String> warnings) {
        ObjectNode sent = handlerContext.bodyDecoder().decode(request, requestInfo.kind(), warnings);
        RequestMetadata.requireMatchingName(requestInfo, sent);
        requestInfo.kind().strategy().applyDefaults(sent);
        return sent;
    }

    private StoredObject create(RequestInfo requestInfo, ObjectNode sent, WriteContext writeContext) {
        if (!requestInfo.kind().strategy().allowsCreateOnUpdate()
                || !requestInfo.subresource().isEmpty()) {
            throw new ApiStatusException(ApiStatus.notFound(requestInfo.groupResource(), requestInfo.name()));
        }
        StoragePreconditions.check(requestInfo, MissingNode.getInstance(), ObjectMetaReader.uid(sent), "");
        return createHandler.create(requestInfo, sent, writeContext);
    }

    private static ObjectEdit wholeObjectEdit(RequestInfo requestInfo, ObjectNode sent) {
        return before -> {
            StoragePreconditions.check(requestInfo, before, ObjectMetaReader.uid(sent), "");
            return sent;
        };
    }

    /** The same edit, restricted to the status. */
    public static ObjectEdit statusEdit(ObjectEdit plain) {
        return new ObjectEdit() {
            @Override
            public ObjectNode updatedObject(ObjectNode before) {
                return plain.updatedObject(before);
            }

            @Override
            public void prepare(RestStrategy rules, ObjectNode before, ObjectNode mutable) {
                rules.prepareForStatusUpdate(before, mutable);
            }

            @Override
            public List<FieldError> validate(RestStrategy rules, ObjectNode before, ObjectNode after) {
                return rules.validateStatusUpdate(before, after);
            }
        };
    }
}
