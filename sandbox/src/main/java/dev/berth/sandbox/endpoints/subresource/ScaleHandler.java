package dev.berth.sandbox.endpoints.subresource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.admission.AdmissionRequest;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.handlers.write.ObjectEdit;
import dev.berth.sandbox.endpoints.handlers.write.ObjectUpdater;
import dev.berth.sandbox.endpoints.request.HandlerContext;
import dev.berth.sandbox.endpoints.request.RequestInfo;
import dev.berth.sandbox.endpoints.request.WriteContext;
import dev.berth.sandbox.endpoints.request.WriteOptions;
import dev.berth.sandbox.endpoints.serializer.PatchRequest;
import dev.berth.sandbox.endpoints.serializer.ResponseFormat;
import dev.berth.sandbox.registry.BuiltInValidation;
import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.validation.field.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Handles the scale subresource of all kinds. */
final class ScaleHandler {

    private final HandlerContext handlerContext;
    private final ObjectUpdater objectUpdater;

    ScaleHandler(HandlerContext handlerContext) {
        this.handlerContext = handlerContext;
        this.objectUpdater = new ObjectUpdater(handlerContext);
    }

    BodyResponse get(RequestInfo requestInfo, RestRequest request) {
        ServedKind kind = requestInfo.kind();
        ObjectNode object = kind.strategy()
                .toServed(handlerContext.getOrNotFound(requestInfo).tree());
        return handlerContext
                .responseWriter()
                .tree(200, ResponseFormat.negotiate(request, true), view(kind).toScale(object));
    }

    BodyResponse update(RequestInfo requestInfo, RestRequest request) {
        List<String> warnings = new ArrayList<>();
        return updateScale(requestInfo, request, "UpdateOptions", warnings, old -> {
            ObjectNode sent = handlerContext.bodyDecoder().decode(request, ScaleConversion.KIND, warnings);
            if (!ObjectMetaReader.name(sent).equals(requestInfo.name())) {
                throw new ApiStatusException(
                        ApiStatus.badRequest("the name of the object (" + ObjectMetaReader.name(sent)
                                + ") does not match the name on the URL (" + requestInfo.name() + ")"));
            }
            return sent;
        });
    }

    BodyResponse patch(RequestInfo requestInfo, RestRequest request) {
        PatchRequest patchRequest =
                PatchRequest.of(request, BuiltInSchemas.load().structOf(ScaleConversion.KIND));
        List<String> warnings = new ArrayList<>();
        return updateScale(
                requestInfo,
                request,
                "PatchOptions",
                warnings,
                old -> handlerContext
                        .bodyDecoder()
                        .decodePatched(request, ScaleConversion.KIND, patchRequest, old, warnings));
    }

    private BodyResponse updateScale(
            RequestInfo requestInfo,
            RestRequest request,
            String options,
            List<String> warnings,
            UnaryOperator<ObjectNode> wanted) {
        ResponseFormat format = ResponseFormat.negotiate(request, true);
        WriteContext writeContext =
                new WriteContext(request.userInfo(), WriteOptions.of(request.queryParameters(), options), warnings);
        ServedKind kind = requestInfo.kind();
        ScaleConversion view = view(kind);
        ObjectNode outcome = objectUpdater
                .update(requestInfo, new ScaleEdit(requestInfo, view, wanted, writeContext), writeContext)
                .tree();
        return handlerContext
                .responseWriter()
                .tree(200, format, view.toScale(kind.strategy().toServed(outcome)))
                .withWarnings(warnings);
    }

    private static ScaleConversion view(ServedKind kind) {
        return kind.strategy().scalePaths().map(ScaleConversion::forCustomKind).orElseGet(ScaleConversion::forBuiltIn);
    }

    /** An edit of a Scale, applied to its object. Admission sees the Scale only. */
    private final class ScaleEdit implements ObjectEdit {

        private final RequestInfo requestInfo;
        private final ScaleConversion view;
        private final UnaryOperator<ObjectNode> wanted;
        private final WriteContext writeContext;

        ScaleEdit(
                RequestInfo requestInfo,
                ScaleConversion view,
                UnaryOperator<ObjectNode> wanted,
                WriteContext writeContext) {
            this.requestInfo = requestInfo;
            this.view = view;
            this.wanted = wanted;
            this.writeContext = writeContext;
        }

        @Override
        public ObjectNode updatedObject(ObjectNode before) {
            ObjectNode old = view.toScale(before);
            ObjectNode scale = handlerContext
                    .admissionPlugin()
                    .mutate(writeContext
                            .toAdmissionRequest(AdmissionRequest.Operation.UPDATE, requestInfo)
                            .withOldObject(old)
                            .withObject(wanted.apply(old)));
            List<FieldError> errors = BuiltInValidation.validateCreate(
                    ScaleConversion.KIND.group(), ScaleConversion.KIND.version(), ScaleConversion.KIND.kind(), scale);
            if (!errors.isEmpty()) {
                throw new ApiStatusException(ApiStatus.invalid(
                        ScaleConversion.KIND.group(), ScaleConversion.KIND.kind(), requestInfo.name(), errors));
            }
            checkUid(scale, before);
            ObjectNode mutable = before.deepCopy();
            view.applyReplicas(scale, mutable);
            return mutable;
        }

        @Override
        public boolean isAlreadyAdmitted() {
            return true;
        }

        @Override
        public ObjectNode admissionView(ObjectNode object) {
            return view.toScale(object);
        }

        private void checkUid(ObjectNode scale, ObjectNode before) {
            String uid = ObjectMetaReader.uid(scale);
            if (!uid.isEmpty() && !uid.equals(ObjectMetaReader.uid(before))) {
                GroupResource resource = new GroupResource(
                        requestInfo.groupResource().group(),
                        requestInfo.groupResource().plural() + "/scale");
                throw new ApiStatusException(ApiStatus.conflict(
                        resource,
                        requestInfo.name(),
                        "Precondition failed: UID in precondition: " + uid + ", UID in object meta: "
                                + ObjectMetaReader.uid(before)));
            }
        }
    }
}
