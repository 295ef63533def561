package dev.berth.embedded.rest.target;

import dev.berth.embedded.admission.Admission;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.wire.BodyReader;
import dev.berth.embedded.rest.wire.Presenter;
import dev.berth.embedded.store.Shelf;
import dev.berth.embedded.store.Store;
import dev.berth.embedded.store.Stored;

/** What the verbs work with. */
public record Backend(
        Store store, Births births, Admission admission, Extras extras, BodyReader bodies, Presenter presenter) {

    public Shelf shelf(Target target) {
        return store.shelf(target.kind().storage());
    }

    /** The object a target points at; refused with 404 when there is none. */
    public Stored present(Target target) {
        return shelf(target)
                .get(target.key())
                .orElseThrow(() -> new ApiFailure(ApiStatus.notFound(target.resource(), target.name())));
    }
}
