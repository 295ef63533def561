package dev.berth.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Admits or rejects a write. A rejection is thrown as {@link dev.berth.sandbox.apierrors.ApiStatusException}. */
public interface AdmissionPlugin {

    /** Mutates: returns the object of the request, changed in place, or a new object. Not called for deletions. */
    ObjectNode mutate(AdmissionRequest request);

    /** Validates the object as it would be stored. Called for deletions too. */
    void validate(AdmissionRequest request);
}
