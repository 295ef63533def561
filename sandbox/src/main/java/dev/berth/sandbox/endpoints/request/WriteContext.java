package dev.berth.sandbox.endpoints.request;

import dev.berth.sandbox.admission.AdmissionRequest;
import dev.berth.sandbox.admission.AdmissionRequest.Operation;
import dev.berth.sandbox.admission.AdmissionRequest.RequestAttributes;
import dev.berth.sandbox.admission.AdmissionRequest.TargetName;
import dev.berth.sandbox.authentication.UserInfo;
import dev.berth.sandbox.schema.GroupVersionKind;
import java.util.List;
import java.util.Optional;

/** The user and the options of a write, and its warnings. */
public record WriteContext(UserInfo userInfo, WriteOptions options, List<String> warnings) {

    /** Adds warnings without duplicates: a change that lost a race is repeated, with the same warnings. */
    public void addWarnings(List<String> more) {
        more.stream().filter(each -> !warnings.contains(each)).forEach(warnings::add);
    }

    /** The admission request, still without objects. */
    public AdmissionRequest toAdmissionRequest(Operation operation, RequestInfo requestInfo) {
        GroupVersionKind kind = requestInfo.subresource().isEmpty()
                ? requestInfo.kind().gvk()
                : requestInfo
                        .kind()
                        .subresource(requestInfo.subresource())
                        .orElseThrow()
                        .gvk();
        return new AdmissionRequest(
                operation,
                requestInfo.kind(),
                requestInfo.subresource(),
                kind,
                new TargetName(requestInfo.namespace(), requestInfo.name()),
                Optional.empty(),
                Optional.empty(),
                new RequestAttributes(userInfo, options.tree(), options.dryRun()),
                warnings);
    }
}
