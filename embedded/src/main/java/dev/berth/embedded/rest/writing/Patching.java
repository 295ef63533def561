package dev.berth.embedded.rest.writing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.target.Asking;
import dev.berth.embedded.rest.target.Backend;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.rest.target.WriteOptions;
import dev.berth.embedded.rest.wire.Look;
import dev.berth.embedded.rest.wire.Patch;
import dev.berth.embedded.store.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Patch, of the object itself or of a part of it that a subresource may change. */
public final class Patching {

    private final Backend backend;
    private final Editing editing;

    public Patching(Backend backend) {
        this.backend = backend;
        this.editing = new Editing(backend);
    }

    public Answer patch(Target target, Request request) {
        return patch(target, request, UnaryOperator.identity());
    }

    /** Patches what the limits leave to be changed. */
    public Answer patch(Target target, Request request, UnaryOperator<Edit> limits) {
        Look look = Look.of(request, target.kind());
        Patch patch = Patch.of(request, target.kind().rules().struct());
        List<String> warnings = new ArrayList<>(target.kind().rules().warnings());
        Asking asking = new Asking(request.user(), WriteOptions.of(request.query(), "PatchOptions"), warnings);
        Edit edit = limits.apply(before -> wanted(target, request, patch, before, warnings));
        Stored outcome = editing.apply(target, edit, asking);
        return backend.presenter().object(200, look, outcome).warning(warnings);
    }

    private ObjectNode wanted(Target target, Request request, Patch patch, ObjectNode before, List<String> warnings) {
        ObjectNode own = backend.bodies().patched(request, target.kind(), patch, before, warnings);
        Naming.check(target, own);
        target.kind().rules().applyDefaults(own);
        return own;
    }
}
