package dev.berth.sandbox.defaulting.kind;

import static dev.berth.sandbox.unstructured.NestedFields.getOrCreateObject;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultFlag;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultNumber;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultObject;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultText;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The defaults of workloads: Deployments, ReplicaSets, StatefulSets, DaemonSets and Jobs. */
public final class WorkloadDefaults {
    private static final String ROLLING = "RollingUpdate";

    private WorkloadDefaults() {}

    public static void deployment(ObjectNode deployment) {
        ObjectNode spec = getOrCreateObject(deployment, "spec");
        setDefaultNumber(spec, "replicas", 1);
        ObjectNode strategy = getOrCreateObject(spec, "strategy");
        setDefaultText(strategy, "type", ROLLING);
        if (text(strategy, "type").equals(ROLLING)) {
            ObjectNode rolling = getOrCreateObject(strategy, "rollingUpdate");
            setDefault25Percent(rolling, "maxUnavailable");
            setDefault25Percent(rolling, "maxSurge");
        }
        setDefaultNumber(spec, "revisionHistoryLimit", 10);
        setDefaultNumber(spec, "progressDeadlineSeconds", 600);
        PodDefaults.template(getOrCreateObject(spec, "template"));
    }

    private static void setDefault25Percent(ObjectNode rolling, String name) {
        if (!has(rolling, name)) {
            rolling.put(name, "25%");
        }
    }

    public static void replicaSet(ObjectNode set) {
        ObjectNode spec = getOrCreateObject(set, "spec");
        setDefaultNumber(spec, "replicas", 1);
        PodDefaults.template(getOrCreateObject(spec, "template"));
    }

    public static void replicationController(ObjectNode controller) {
        ObjectNode spec = getOrCreateObject(controller, "spec");
        object(spec, "template", "metadata", "labels").filter(l -> !l.isEmpty()).ifPresent(labels -> {
            copyWhereEmpty(labels, spec, "selector");
            copyWhereEmpty(labels, getOrCreateObject(controller, "metadata"), "labels");
        });
        setDefaultNumber(spec, "replicas", 1);
        object(spec, "template").ifPresent(PodDefaults::template);
    }

    private static void copyWhereEmpty(ObjectNode labels, ObjectNode holder, String name) {
        if (object(holder, name).filter(found -> !found.isEmpty()).isEmpty()) {
            holder.set(name, labels.deepCopy());
        }
    }

    public static void daemonSet(ObjectNode set) {
        ObjectNode spec = getOrCreateObject(set, "spec");
        ObjectNode strategy = getOrCreateObject(spec, "updateStrategy");
        setDefaultText(strategy, "type", ROLLING);
        if (text(strategy, "type").equals(ROLLING)) {
            ObjectNode rolling = getOrCreateObject(strategy, "rollingUpdate");
            setDefaultNumber(rolling, "maxUnavailable", 1);
            setDefaultNumber(rolling, "maxSurge", 0);
        }
        setDefaultNumber(spec, "revisionHistoryLimit", 10);
        PodDefaults.template(getOrCreateObject(spec, "template"));
    }

    public static void statefulSet(ObjectNode set) {
        ObjectNode spec = getOrCreateObject(set, "spec");
        setDefaultText(spec, "podManagementPolicy", "OrderedReady");
        ObjectNode strategy = getOrCreateObject(spec, "updateStrategy");
        if (text(strategy, "type").isEmpty()) {
            strategy.put("type", ROLLING);
            setDefaultObject(strategy, "rollingUpdate");
        }
        if (text(strategy, "type").equals(ROLLING)) {
            object(strategy, "rollingUpdate").ifPresent(rolling -> setDefaultNumber(rolling, "partition", 0));
        }
        ObjectNode retention = getOrCreateObject(spec, "persistentVolumeClaimRetentionPolicy");
        setDefaultText(retention, "whenDeleted", "Retain");
        setDefaultText(retention, "whenScaled", "Retain");
        setDefaultNumber(spec, "replicas", 1);
        setDefaultNumber(spec, "revisionHistoryLimit", 10);
        PodDefaults.template(getOrCreateObject(spec, "template"));
        objects(spec, "volumeClaimTemplates").forEach(WorkloadDefaults::claimTemplate);
    }

    private static void claimTemplate(ObjectNode claim) {
        claim.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
        StorageDefaults.claim(claim);
    }

    public static void job(ObjectNode job) {
        ObjectNode spec = getOrCreateObject(job, "spec");
        object(spec, "template", "metadata", "labels")
                .filter(labels -> !labels.isEmpty())
                .ifPresent(labels -> copyWhereEmpty(labels, getOrCreateObject(job, "metadata"), "labels"));
        if (!has(spec, "parallelism")) {
            setDefaultNumber(spec, "completions", 1);
            spec.put("parallelism", 1);
        }
        setDefaultNumber(spec, "backoffLimit", has(spec, "backoffLimitPerIndex") ? Integer.MAX_VALUE : 6);
        setDefaultText(spec, "completionMode", "NonIndexed");
        setDefaultFlag(spec, "suspend", false);
        setDefaultText(spec, "podReplacementPolicy", has(spec, "podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
        setDefaultFlag(spec, "manualSelector", false);
        jobSpec(spec);
    }

    private static void jobSpec(ObjectNode spec) {
        for (ObjectNode rule : objects(spec, "podFailurePolicy", "rules")) {
            objects(rule, "onPodConditions").forEach(pattern -> setDefaultText(pattern, "status", "True"));
        }
        PodDefaults.template(getOrCreateObject(spec, "template"));
    }
}
