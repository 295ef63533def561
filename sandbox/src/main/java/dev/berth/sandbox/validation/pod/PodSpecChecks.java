package dev.berth.sandbox.validation.pod;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.cluster.PolicyChecks;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.LabelChecks;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.pod.container.ContainerChecks;
import dev.berth.sandbox.validation.pod.container.ResourceChecks;
import dev.berth.sandbox.validation.pod.container.VolumeChecks;
import java.util.List;
import java.util.function.Function;

/**
 * Checks the fields of a pod spec that the scheduler, the controllers and the simulated kubelets read. Other fields,
 * such as probes and security contexts, are stored without checks.
 */
public final class PodSpecChecks {
    private final ObjectNode spec;
    private final FieldPath path;
    private final FieldErrorList errors;

    private PodSpecChecks(ObjectNode spec, FieldPath path, FieldErrorList errors) {
        this.spec = spec;
        this.path = path;
        this.errors = errors;
    }

    /**
     * Checks the spec of a pod or of a pod template.
     *
     * @param podName empty for a template
     */
    public static void check(ObjectNode spec, String podName, FieldPath path, FieldErrorList errors) {
        new PodSpecChecks(spec, path, errors).check(podName);
    }

    private void check(String podName) {
        new VolumeChecks(podName, errors).check(objects(spec, "volumes"), path.child("volumes"));
        ContainerChecks containers = new ContainerChecks(errors);
        List<ObjectNode> regular = objects(spec, "containers");
        containers.containers(regular, path.child("containers"));
        containers.initContainers(objects(spec, "initContainers"), regular, path.child("initContainers"));
        ResourceChecks.pod(spec, path.child("resources"), errors);
        hostNetwork(podName);
        policies();
        placement();
        names();
        rest();
    }

    private void hostNetwork(String podName) {
        if (!flag(spec, "hostNetwork")) {
            return;
        }
        path.child("containers")
                .forEachIndexed(
                        objects(spec, "containers"),
                        (container, here) -> here.child("ports")
                                .forEachIndexed(objects(container, "ports"), (port, at) -> {
                                    long host = number(port, "hostPort");
                                    boolean counts = !podName.isEmpty() || host != 0;
                                    if (counts && host != number(port, "containerPort")) {
                                        errors.invalid(
                                                at.child("hostPort"),
                                                host,
                                                "must match `containerPort` when `hostNetwork` is true");
                                    }
                                }));
    }

    private void policies() {
        errors.requireSupported(
                path.child("restartPolicy"), text(spec, "restartPolicy"), List.of("Always", "OnFailure", "Never"));
        errors.requireSupported(
                path.child("dnsPolicy"),
                text(spec, "dnsPolicy"),
                List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"));
        LabelChecks.check(at(spec, "nodeSelector"), path.child("nodeSelector"), errors);
    }

    private void placement() {
        object(spec, "affinity").ifPresent(found -> AffinityChecks.check(found, path.child("affinity"), errors));
        path.child("readinessGates").forEachIndexed(objects(spec, "readinessGates"), (gate, here) -> {
            String type = text(gate, "conditionType");
            errors.invalid(here.child("conditionType"), type, NameChecks.qualifiedName(type));
        });
        SchedulingChecks.gates(objects(spec, "schedulingGates"), path.child("schedulingGates"), errors);
        SchedulingChecks.topologySpreadConstraints(
                objects(spec, "topologySpreadConstraints"), path.child("topologySpreadConstraints"), errors);
    }

    private void names() {
        named("serviceAccountName", NameChecks::dnsSubdomain);
        named("nodeName", NameChecks::dnsSubdomain);
        long deadline = number(spec, "activeDeadlineSeconds");
        if (has(spec, "activeDeadlineSeconds") && (deadline < 1 || deadline > Integer.MAX_VALUE)) {
            errors.invalid(
                    path.child("activeDeadlineSeconds"), deadline, "must be between 1 and 2147483647, inclusive");
        }
        named("hostname", NameChecks::dnsLabel);
        named("subdomain", NameChecks::dnsLabel);
    }

    private void named(String field, Function<String, List<String>> check) {
        String value = text(spec, field);
        if (!value.isEmpty()) {
            errors.invalid(path.child(field), value, check.apply(value));
        }
    }

    private void rest() {
        SchedulingChecks.tolerations(objects(spec, "tolerations"), path.child("tolerations"), errors);
        named("priorityClassName", NameChecks::dnsSubdomain);
        named("runtimeClassName", NameChecks::dnsSubdomain);
        PolicyChecks.checkPreemption(text(spec, "preemptionPolicy"), path.child("preemptionPolicy"), errors);
        object(spec, "overhead").ifPresent(found -> ResourceChecks.overhead(found, path.child("overhead"), errors));
        if (has(spec, "os")) {
            if (text(spec, "os", "name").isEmpty()) {
                errors.required(path.child("os").child("name"), "cannot be empty");
            }
            errors.requireSupportedOrEmpty(path.child("os"), text(spec, "os", "name"), List.of("linux", "windows"));
        }
    }
}
