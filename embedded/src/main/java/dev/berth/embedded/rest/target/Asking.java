package dev.berth.embedded.rest.target;

import dev.berth.embedded.admission.AdmissionRequest;
import dev.berth.embedded.admission.AdmissionRequest.Circumstances;
import dev.berth.embedded.admission.AdmissionRequest.Operation;
import dev.berth.embedded.admission.AdmissionRequest.Place;
import dev.berth.embedded.auth.User;
import dev.berth.embedded.schema.GroupVersionKind;
import java.util.List;
import java.util.Optional;

/** Who writes, with which options, and where warnings for them are collected. */
public record Asking(User user, WriteOptions options, List<String> warnings) {

    /** Collects what was not told already: a change that lost a race is made, and tells the same, once more. */
    public void warn(List<String> more) {
        more.stream().filter(each -> !warnings.contains(each)).forEach(warnings::add);
    }

    /** The question to admission, still without objects. */
    public AdmissionRequest admission(Operation operation, Target target) {
        GroupVersionKind kind = target.subresource().isEmpty()
                ? target.kind().gvk()
                : target.kind().subresource(target.subresource()).orElseThrow().gvk();
        return new AdmissionRequest(
                operation,
                target.kind(),
                target.subresource(),
                kind,
                new Place(target.namespace(), target.name()),
                Optional.empty(),
                Optional.empty(),
                new Circumstances(user, options.tree(), options.dryRun()),
                warnings);
    }
}
