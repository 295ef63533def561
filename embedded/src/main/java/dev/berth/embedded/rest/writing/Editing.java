package dev.berth.embedded.rest.writing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.admission.AdmissionRequest;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.kind.KindRules;
import dev.berth.embedded.rest.kind.ServedKind;
import dev.berth.embedded.rest.target.Asking;
import dev.berth.embedded.rest.target.Backend;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.GoText;
import dev.berth.embedded.validation.Path;
import java.util.List;
import java.util.Optional;

/**
 * The change of an object that is there, common to update, patch and most subresources. A change that loses the race
 * against another is made anew from the newer state, unless its sender insisted on a version.
 */
public final class Editing {

    private final Backend backend;

    public Editing(Backend backend) {
        this.backend = backend;
    }

    /** The object after the edit; for one whose last finalizer goes, its last state. */
    public Stored apply(Target target, Edit edit, Asking asking) {
        while (true) {
            Optional<Stored> outcome = attempt(target, backend.present(target), edit, asking);
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
    }

    /** Empty when the present version was replaced meanwhile. */
    Optional<Stored> attempt(Target target, Stored present, Edit edit, Asking asking) {
        ServedKind kind = target.kind();
        KindRules rules = kind.rules();
        ObjectNode before = rules.served(present.tree());
        ObjectNode own = edit.wanted(before);
        checkVersion(target, before, own);
        AdmissionRequest admission =
                asking.admission(AdmissionRequest.Operation.UPDATE, target).from(edit.shown(before));
        if (!edit.isAdmitted()) {
            own = backend.admission().mutate(admission.with(own));
        }
        Naming.settle(target, own);
        keepGeneration(before, own);
        edit.prepare(rules, before, own);
        keepIdentity(before, own);
        List<FieldError> errors = edit.validate(rules, before, own);
        if (!errors.isEmpty()) {
            throw new ApiFailure(
                    ApiStatus.invalid(kind.gvk().group(), kind.gvk().kind(), target.name(), errors));
        }
        backend.extras().complete(kind, own);
        backend.admission().validate(admission.with(edit.shown(own)));
        asking.warn(rules.warningsFor(own));
        return write(target, present, own, asking);
    }

    private Optional<Stored> write(Target target, Stored present, ObjectNode own, Asking asking) {
        KindRules rules = target.kind().rules();
        ObjectNode before = rules.served(present.tree());
        if (asking.options().dryRun()) {
            return Optional.of(Stored.unsaved(present.key(), rules.stored(own), present.revision()));
        }
        if (isReleased(target.kind(), before, own)) {
            Optional<Stored> last = backend.shelf(target).remove(present);
            last.ifPresent(stored -> backend.extras().afterRemoval(target.kind(), stored));
            return last.map(stored -> Stored.unsaved(present.key(), rules.stored(own), stored.revision()));
        }
        if (own.equals(before)) {
            return Optional.of(present);
        }
        Optional<Stored> written = backend.shelf(target).replace(present, rules.stored(own));
        written.ifPresent(stored -> backend.extras().afterWrite(target.kind(), stored));
        return written;
    }

    /** Whether this change takes away the last thing that kept a leaving object. */
    private static boolean isReleased(ServedKind kind, ObjectNode before, ObjectNode own) {
        boolean keptByNamespace = kind.storage().plural().equals("namespaces")
                && kind.storage().group().isEmpty()
                && !own.path("spec").path("finalizers").isEmpty();
        return !keptByNamespace
                && Meta.finalizers(own).isEmpty()
                && Meta.deletionTimestamp(before).isPresent()
                && Meta.deletionGracePeriodSeconds(before).orElse(0) == 0;
    }

    private static void checkVersion(Target target, ObjectNode before, ObjectNode own) {
        String version = Meta.resourceVersion(own);
        String present = Meta.resourceVersion(before);
        if (version.isEmpty() || version.equals("0")) {
            if (!target.kind().rules().allowsUnconditionalUpdate()) {
                FieldError missing = FieldError.invalid(
                        Path.of("metadata", "resourceVersion"), GoText.node(0), "must be specified for an update");
                throw new ApiFailure(ApiStatus.invalid(
                        target.resource().group(), target.resource().plural(), target.name(), List.of(missing)));
            }
            Meta.of(own).put("resourceVersion", present);
        } else if (!version.equals(present)) {
            throw new ApiFailure(ApiStatus.conflict(target.resource(), target.name(), ApiStatus.OUTDATED));
        }
    }

    private static void keepGeneration(ObjectNode before, ObjectNode own) {
        copy("generation", before, own);
        Meta.of(own).remove("managedFields");
    }

    private static void keepIdentity(ObjectNode before, ObjectNode own) {
        if (Meta.uid(own).isEmpty()) {
            copy("uid", before, own);
        }
        copy("creationTimestamp", before, own);
        if (Meta.deletionTimestamp(before).isPresent()) {
            copy("deletionTimestamp", before, own);
        }
        if (Meta.deletionGracePeriodSeconds(own).isEmpty()) {
            copy("deletionGracePeriodSeconds", before, own);
        }
    }

    private static void copy(String field, ObjectNode before, ObjectNode own) {
        JsonNode value = before.path("metadata").get(field);
        if (value == null) {
            Meta.of(own).remove(field);
        } else {
            Meta.of(own).set(field, value);
        }
    }
}
