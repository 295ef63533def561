package dev.berth.sandbox.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.admission.AdmissionRequest.Operation;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.storage.ResourceStorage;
import dev.berth.sandbox.storage.StorageKey;
import dev.berth.sandbox.storage.Store;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Sets the priority of pods from their priority class, or from the default class. */
final class PodPriorityAdmission implements AdmissionPlugin {

    private static final GroupResource PODS = new GroupResource("", "pods");
    private static final GroupResource PRIORITY_CLASSES = new GroupResource("scheduling.k8s.io", "priorityclasses");
    private static final String DEFAULT_PREEMPTION_POLICY = "PreemptLowerPriority";

    private final ResourceStorage classes;

    PodPriorityAdmission(Store store) {
        this.classes = store.resource(PRIORITY_CLASSES);
    }

    @Override
    public ObjectNode mutate(AdmissionRequest request) {
        ObjectNode object = request.requireObject();
        if (request.resource().storage().equals(PODS) && request.subresource().isEmpty()) {
            ObjectNode spec = NestedFields.getOrCreateObject(object, "spec");
            if (request.operation() == Operation.CREATE) {
                resolvePriority(request, spec);
            } else {
                request.oldObject().ifPresent(old -> keepOldPriority(old.path("spec"), spec));
            }
        }
        return object;
    }

    @Override
    public void validate(AdmissionRequest request) {
        if (!request.resource().storage().equals(PRIORITY_CLASSES) || request.operation() == Operation.DELETE) {
            return;
        }
        if (NestedFields.flag(request.requireObject(), "globalDefault")) {
            boolean creates = request.operation() == Operation.CREATE;
            defaultClass()
                    .filter(other -> creates
                            || !other.key().name().equals(request.targetName().name()))
                    .ifPresent(other -> {
                        throw request.forbidden("PriorityClass " + other.key().name()
                                + " is already marked as default. Only one default can exist");
                    });
        }
    }

    private void resolvePriority(AdmissionRequest request, ObjectNode spec) {
        String name = NestedFields.text(spec, "priorityClassName");
        Optional<StoredObject> found = name.isEmpty() ? defaultClass() : classes.get(new StorageKey("", name));
        if (!name.isEmpty() && found.isEmpty()) {
            throw request.forbidden("no PriorityClass with name " + name + " was found");
        }
        int priority = found.map(each -> (int) NestedFields.number(each.tree(), "value"))
                .orElse(0);
        String policy = found.map(each -> NestedFields.text(each.tree(), "preemptionPolicy"))
                .orElse(DEFAULT_PREEMPTION_POLICY);
        found.ifPresent(each -> spec.put("priorityClassName", each.key().name()));
        rejectDifferentPriority(request, spec, priority);
        spec.put("priority", priority);
        if (!policy.isEmpty()) {
            rejectDifferentPolicy(request, spec, policy);
            spec.put("preemptionPolicy", policy);
        }
    }

    private static void rejectDifferentPriority(AdmissionRequest request, ObjectNode spec, int priority) {
        JsonNode written = spec.path("priority");
        if (written.isNumber() && written.intValue() != priority) {
            throw request.forbidden("the integer value of priority (" + written.intValue()
                    + ") must not be provided in pod spec; priority admission controller computed " + priority
                    + " from the given PriorityClass name");
        }
    }

    private static void rejectDifferentPolicy(AdmissionRequest request, ObjectNode spec, String policy) {
        String written = NestedFields.text(spec, "preemptionPolicy");
        if (!written.isEmpty() && !written.equals(policy)) {
            throw request.forbidden("the string value of PreemptionPolicy (" + written
                    + ") must not be provided in pod spec; priority admission controller computed " + policy
                    + " from the given PriorityClass name");
        }
    }

    private static void keepOldPriority(JsonNode old, ObjectNode spec) {
        for (String field : List.of("priority", "preemptionPolicy")) {
            if (!spec.has(field) && old.has(field)) {
                spec.set(field, old.get(field));
            }
        }
    }

    /** If several classes are marked as default, the lowest value wins. */
    private Optional<StoredObject> defaultClass() {
        return classes.snapshot().list("").stream()
                .filter(each -> NestedFields.flag(each.tree(), "globalDefault"))
                .min(Comparator.comparingLong(each -> NestedFields.number(each.tree(), "value")));
    }
}
