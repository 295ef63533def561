package dev.berth.embedded.rest.writing;

import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.kind.KindRules;
import dev.berth.embedded.rest.target.Asking;
import dev.berth.embedded.rest.target.Backend;
import dev.berth.embedded.rest.target.StorageWords;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.rest.target.WriteOptions;
import dev.berth.embedded.rest.wire.Look;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.validation.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Update by a whole object, of the object itself or of its status. */
public final class Updating {

    private final Backend backend;
    private final Editing editing;
    private final Creation creation;

    public Updating(Backend backend) {
        this.backend = backend;
        this.editing = new Editing(backend);
        this.creation = new Creation(backend);
    }

    public Answer update(Target target, Request request) {
        return update(target, request, UnaryOperator.identity());
    }

    /** Updates what the limits leave to be changed. */
    public Answer update(Target target, Request request, UnaryOperator<Edit> limits) {
        Look look = Look.of(request, target.kind());
        List<String> warnings = new ArrayList<>(target.kind().rules().warnings());
        Asking asking = new Asking(request.user(), WriteOptions.of(request.query(), "UpdateOptions"), warnings);
        ObjectNode sent = read(target, request, warnings);
        while (true) {
            Optional<Stored> present = backend.shelf(target).get(target.key());
            if (present.isEmpty()) {
                return backend.presenter()
                        .object(201, look, create(target, sent, asking))
                        .warning(warnings);
            }
            Optional<Stored> outcome =
                    editing.attempt(target, present.get(), limits.apply(whole(target, sent)), asking);
            if (outcome.isPresent()) {
                return backend.presenter().object(200, look, outcome.get()).warning(warnings);
            }
            // Another write was quicker: the tree was changed on the way, so it is read anew.
            sent = read(target, request, new ArrayList<>());
        }
    }

    private ObjectNode read(Target target, Request request, List<String> warnings) {
        ObjectNode sent = backend.bodies().read(request, target.kind(), warnings);
        Naming.check(target, sent);
        target.kind().rules().applyDefaults(sent);
        return sent;
    }

    private Stored create(Target target, ObjectNode sent, Asking asking) {
        if (!target.kind().rules().allowsCreateOnUpdate()
                || !target.subresource().isEmpty()) {
            throw new ApiFailure(ApiStatus.notFound(target.resource(), target.name()));
        }
        StorageWords.checkPreconditions(target, MissingNode.getInstance(), Meta.uid(sent), "");
        return creation.create(target, sent, asking);
    }

    private static Edit whole(Target target, ObjectNode sent) {
        return before -> {
            StorageWords.checkPreconditions(target, before, Meta.uid(sent), "");
            return sent;
        };
    }

    /** The same change, allowed to touch nothing but the status. */
    public static Edit ofStatus(Edit plain) {
        return new Edit() {
            @Override
            public ObjectNode wanted(ObjectNode before) {
                return plain.wanted(before);
            }

            @Override
            public void prepare(KindRules rules, ObjectNode before, ObjectNode own) {
                rules.prepareStatusUpdate(before, own);
            }

            @Override
            public List<FieldError> validate(KindRules rules, ObjectNode before, ObjectNode after) {
                return rules.validateStatusUpdate(before, after);
            }
        };
    }
}
