package dev.berth.embedded.rest.writing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.admission.AdmissionRequest;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.kind.KindRules;
import dev.berth.embedded.rest.target.Asking;
import dev.berth.embedded.rest.target.Backend;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.rest.target.WriteOptions;
import dev.berth.embedded.rest.wire.Look;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.ObjectKey;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.validation.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Create. */
public final class Creation {

    private static final int NAME_ATTEMPTS = 8;

    private final Backend backend;

    public Creation(Backend backend) {
        this.backend = backend;
    }

    public Answer create(Target target, Request request) {
        Look look = Look.of(request, target.kind());
        WriteOptions options = WriteOptions.of(request.query(), "CreateOptions");
        List<String> warnings = new ArrayList<>(target.kind().rules().warnings());
        ObjectNode own = backend.bodies().read(request, target.kind(), warnings);
        Stored created = create(target, own, new Asking(request.user(), options, warnings));
        return backend.presenter().object(201, look, created).warning(warnings);
    }

    /** Creates an object that was read and pruned. */
    Stored create(Target target, ObjectNode sent, Asking asking) {
        Naming.wipeSystemFields(sent);
        Naming.settle(target, sent);
        target.kind().rules().applyDefaults(sent);
        AdmissionRequest admission = asking.admission(AdmissionRequest.Operation.CREATE, target.named(Meta.name(sent)))
                .with(sent);
        ObjectNode admitted = backend.admission().mutate(admission);
        if (!Meta.name(admitted).isEmpty()
                || Meta.text(admitted, "generateName").isEmpty()) {
            return insert(target, admitted, admission, asking).orElseThrow(() -> exists(target, Meta.name(admitted)));
        }
        String tried = "";
        for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
            ObjectNode named = admitted.deepCopy();
            tried = backend.births().name(Meta.text(named, "generateName"));
            Meta.of(named).put("name", tried);
            Optional<Stored> created = insert(target, named, admission, asking);
            if (created.isPresent()) {
                return created.get();
            }
        }
        throw new ApiFailure(ApiStatus.generatedNameTaken(target.resource(), tried));
    }

    /** Empty when the name is taken. */
    private Optional<Stored> insert(Target target, ObjectNode own, AdmissionRequest admission, Asking asking) {
        KindRules rules = target.kind().rules();
        backend.births().register(own);
        rules.prepareCreate(own);
        List<FieldError> errors = rules.validateCreate(own);
        String name = Meta.name(own);
        if (!errors.isEmpty()) {
            throw new ApiFailure(ApiStatus.invalid(
                    target.kind().gvk().group(), target.kind().gvk().kind(), name, errors));
        }
        if (name.isEmpty()) {
            throw new ApiFailure(ApiStatus.badRequest("name or generateName is required"));
        }
        backend.extras().complete(target.kind(), own);
        backend.admission().validate(admission.with(own).at(new AdmissionRequest.Place(target.namespace(), name)));
        asking.warn(rules.warningsFor(own));
        if (!Meta.resourceVersion(own).isEmpty()) {
            throw new ApiFailure(ApiStatus.unexplained("resourceVersion should not be set on objects to be created"));
        }
        ObjectKey key = new ObjectKey(target.kind().namespaced() ? target.namespace() : "", name);
        if (asking.options().dryRun()) {
            return backend.shelf(target).get(key).isPresent()
                    ? Optional.empty()
                    : Optional.of(Stored.unsaved(key, rules.stored(own), 0));
        }
        Optional<Stored> created = backend.shelf(target).insert(key, rules.stored(own));
        created.ifPresent(stored -> backend.extras().afterWrite(target.kind(), stored));
        return created;
    }

    private ApiFailure exists(Target target, String name) {
        ApiStatus status = ApiStatus.alreadyExists(target.resource(), name);
        boolean leaving = backend.shelf(target)
                .get(target.named(name).key())
                .filter(there -> Meta.deletionTimestamp(there.tree()).isPresent())
                .isPresent();
        if (leaving) {
            status.tree().put("message", "object is being deleted: " + status.message());
        }
        return new ApiFailure(status);
    }
}
