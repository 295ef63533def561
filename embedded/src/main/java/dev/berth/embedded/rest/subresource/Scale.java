package dev.berth.embedded.rest.subresource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.admission.AdmissionRequest;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.kind.ServedKind;
import dev.berth.embedded.rest.target.Asking;
import dev.berth.embedded.rest.target.Backend;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.rest.target.WriteOptions;
import dev.berth.embedded.rest.wire.Format;
import dev.berth.embedded.rest.wire.Patch;
import dev.berth.embedded.rest.writing.Edit;
import dev.berth.embedded.rest.writing.Editing;
import dev.berth.embedded.schema.BuiltInSchemas;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.Validation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The number of replicas of whatever has one, the same way for all. */
final class Scale {

    private final Backend backend;
    private final Editing editing;

    Scale(Backend backend) {
        this.backend = backend;
        this.editing = new Editing(backend);
    }

    Answer get(Target target, Request request) {
        ServedKind kind = target.kind();
        ObjectNode object = kind.rules().served(backend.present(target).tree());
        return backend.presenter()
                .tree(200, Format.negotiate(request, true), view(kind).of(object));
    }

    Answer update(Target target, Request request) {
        List<String> warnings = new ArrayList<>();
        return change(target, request, "UpdateOptions", warnings, old -> {
            ObjectNode sent = backend.bodies().read(request, ScaleView.KIND, warnings);
            if (!Meta.name(sent).equals(target.name())) {
                throw new ApiFailure(ApiStatus.badRequest("the name of the object (" + Meta.name(sent)
                        + ") does not match the name on the URL (" + target.name() + ")"));
            }
            return sent;
        });
    }

    Answer patch(Target target, Request request) {
        Patch patch = Patch.of(request, BuiltInSchemas.load().structOf(ScaleView.KIND));
        List<String> warnings = new ArrayList<>();
        return change(
                target,
                request,
                "PatchOptions",
                warnings,
                old -> backend.bodies().patched(request, ScaleView.KIND, patch, old, warnings));
    }

    private Answer change(
            Target target, Request request, String options, List<String> warnings, UnaryOperator<ObjectNode> wanted) {
        Format format = Format.negotiate(request, true);
        Asking asking = new Asking(request.user(), WriteOptions.of(request.query(), options), warnings);
        ServedKind kind = target.kind();
        ScaleView view = view(kind);
        ObjectNode outcome = editing.apply(target, new ScaleEdit(target, view, wanted, asking), asking)
                .tree();
        return backend.presenter()
                .tree(200, format, view.of(kind.rules().served(outcome)))
                .warning(warnings);
    }

    private static ScaleView view(ServedKind kind) {
        return kind.rules().scale().map(ScaleView::ofCustom).orElseGet(ScaleView::ofBuiltIn);
    }

    /** A change of a Scale, carried over to the object behind it; admission sees Scales only. */
    private final class ScaleEdit implements Edit {

        private final Target target;
        private final ScaleView view;
        private final UnaryOperator<ObjectNode> wanted;
        private final Asking asking;

        ScaleEdit(Target target, ScaleView view, UnaryOperator<ObjectNode> wanted, Asking asking) {
            this.target = target;
            this.view = view;
            this.wanted = wanted;
            this.asking = asking;
        }

        @Override
        public ObjectNode wanted(ObjectNode before) {
            ObjectNode old = view.of(before);
            ObjectNode scale = backend.admission()
                    .mutate(asking.admission(AdmissionRequest.Operation.UPDATE, target)
                            .from(old)
                            .with(wanted.apply(old)));
            List<FieldError> errors =
                    Validation.onCreate(ScaleView.KIND.group(), ScaleView.KIND.version(), ScaleView.KIND.kind(), scale);
            if (!errors.isEmpty()) {
                throw new ApiFailure(
                        ApiStatus.invalid(ScaleView.KIND.group(), ScaleView.KIND.kind(), target.name(), errors));
            }
            checkUid(scale, before);
            ObjectNode own = before.deepCopy();
            view.write(scale, own);
            return own;
        }

        @Override
        public boolean isAdmitted() {
            return true;
        }

        @Override
        public ObjectNode shown(ObjectNode object) {
            return view.of(object);
        }

        private void checkUid(ObjectNode scale, ObjectNode before) {
            String uid = Meta.uid(scale);
            if (!uid.isEmpty() && !uid.equals(Meta.uid(before))) {
                ResourceId resource = new ResourceId(
                        target.resource().group(), target.resource().plural() + "/scale");
                throw new ApiFailure(ApiStatus.conflict(
                        resource,
                        target.name(),
                        "Precondition failed: UID in precondition: " + uid + ", UID in object meta: "
                                + Meta.uid(before)));
            }
        }
    }
}
