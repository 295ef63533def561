package dev.berth.sandbox.endpoints.request;

import dev.berth.sandbox.admission.AdmissionRequest;
import dev.berth.sandbox.admission.AdmissionRequest.Operation;
import dev.berth.sandbox.admission.AdmissionRequest.RequestAttributes;
import dev.berth.sandbox.admission.AdmissionRequest.TargetName;
import dev.berth.sandbox.authentication.UserInfo;
import dev.berth.sandbox.schema.GroupVersionKind;
import java.util.List;
import java.util.Optional;

/** Who writes, with which options, and where warnings for them are collected. */
public record WriteContext(UserInfo userInfo, WriteOptions options, List<String> warnings) {

    /** Collects what was not told already: a change that lost a race is made, and tells the same, once more. */
    public void addWarnings(List<String> more) {
        more.stream().filter(each -> !warnings.contains(each)).forEach(warnings::add);
    }

    /** The question to admission, still without objects. */
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
