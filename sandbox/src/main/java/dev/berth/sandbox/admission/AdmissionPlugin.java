package dev.berth.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Decides whether a write is let in. A refusal is thrown as {@link dev.berth.sandbox.apierrors.ApiStatusException}. */
public interface AdmissionPlugin {

    /** The object to go on with: the request's own, changed in place, or another one. Not called for deletions. */
    ObjectNode mutate(AdmissionRequest request);

    /** The last word on the object as it would be stored. Called for deletions too. */
    void validate(AdmissionRequest request);
}
