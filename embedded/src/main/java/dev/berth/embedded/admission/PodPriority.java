package dev.berth.embedded.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.admission.AdmissionRequest.Operation;
import dev.berth.embedded.store.ObjectKey;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.store.Shelf;
import dev.berth.embedded.store.Store;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.tree.Trees;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Gives pods the number behind the name of their priority class, or that of the class marked as default. */
final class PodPriority implements Admission {

    private static final ResourceId PODS = new ResourceId("", "pods");
    private static final ResourceId CLASSES = new ResourceId("scheduling.k8s.io", "priorityclasses");
    private static final String USUAL_POLICY = "PreemptLowerPriority";

    private final Shelf classes;

    PodPriority(Store store) {
        this.classes = store.shelf(CLASSES);
    }

    @Override
    public ObjectNode mutate(AdmissionRequest request) {
        ObjectNode object = request.theObject();
        if (request.resource().storage().equals(PODS) && request.subresource().isEmpty()) {
            ObjectNode spec = Trees.child(object, "spec");
            if (request.operation() == Operation.CREATE) {
                prioritise(request, spec);
            } else {
                request.oldObject().ifPresent(old -> preserve(old.path("spec"), spec));
            }
        }
        return object;
    }

    @Override
    public void validate(AdmissionRequest request) {
        if (!request.resource().storage().equals(CLASSES) || request.operation() == Operation.DELETE) {
            return;
        }
        if (Trees.flag(request.theObject(), "globalDefault")) {
            boolean creates = request.operation() == Operation.CREATE;
            defaultClass()
                    .filter(other -> creates
                            || !other.key().name().equals(request.place().name()))
                    .ifPresent(other -> {
                        throw request.refusal("PriorityClass " + other.key().name()
                                + " is already marked as default. Only one default can exist");
                    });
        }
    }

    private void prioritise(AdmissionRequest request, ObjectNode spec) {
        String name = Trees.text(spec, "priorityClassName");
        Optional<Stored> found = name.isEmpty() ? defaultClass() : classes.get(new ObjectKey("", name));
        if (!name.isEmpty() && found.isEmpty()) {
            throw request.refusal("no PriorityClass with name " + name + " was found");
        }
        int priority =
                found.map(each -> (int) Trees.number(each.tree(), "value")).orElse(0);
        String policy =
                found.map(each -> Trees.text(each.tree(), "preemptionPolicy")).orElse(USUAL_POLICY);
        found.ifPresent(each -> spec.put("priorityClassName", each.key().name()));
        refuseOtherPriority(request, spec, priority);
        spec.put("priority", priority);
        if (!policy.isEmpty()) {
            refuseOtherPolicy(request, spec, policy);
            spec.put("preemptionPolicy", policy);
        }
    }

    private static void refuseOtherPriority(AdmissionRequest request, ObjectNode spec, int priority) {
        JsonNode written = spec.path("priority");
        if (written.isNumber() && written.intValue() != priority) {
            throw request.refusal("the integer value of priority (" + written.intValue()
                    + ") must not be provided in pod spec; priority admission controller computed " + priority
                    + " from the given PriorityClass name");
        }
    }

    private static void refuseOtherPolicy(AdmissionRequest request, ObjectNode spec, String policy) {
        String written = Trees.text(spec, "preemptionPolicy");
        if (!written.isEmpty() && !written.equals(policy)) {
            throw request.refusal("the string value of PreemptionPolicy (" + written
                    + ") must not be provided in pod spec; priority admission controller computed " + policy
                    + " from the given PriorityClass name");
        }
    }

    private static void preserve(JsonNode old, ObjectNode spec) {
        for (String field : List.of("priority", "preemptionPolicy")) {
            if (!spec.has(field) && old.has(field)) {
                spec.set(field, old.get(field));
            }
        }
    }

    /** Where several are marked, the lowest wins. */
    private Optional<Stored> defaultClass() {
        return classes.snapshot().list("").stream()
                .filter(each -> Trees.flag(each.tree(), "globalDefault"))
                .min(Comparator.comparingLong(each -> Trees.number(each.tree(), "value")));
    }
}
