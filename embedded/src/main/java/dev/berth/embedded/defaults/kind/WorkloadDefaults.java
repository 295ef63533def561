package dev.berth.embedded.defaults.kind;

import static dev.berth.embedded.tree.Trees.child;
import static dev.berth.embedded.tree.Trees.fillFlag;
import static dev.berth.embedded.tree.Trees.fillNumber;
import static dev.berth.embedded.tree.Trees.fillObject;
import static dev.berth.embedded.tree.Trees.fillText;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The defaults of what makes pods: deployments, replica sets, stateful sets, daemon sets, jobs. */
public final class WorkloadDefaults {
    private static final String ROLLING = "RollingUpdate";

    private WorkloadDefaults() {}

    public static void deployment(ObjectNode deployment) {
        ObjectNode spec = child(deployment, "spec");
        fillNumber(spec, "replicas", 1);
        ObjectNode strategy = child(spec, "strategy");
        fillText(strategy, "type", ROLLING);
        if (text(strategy, "type").equals(ROLLING)) {
            ObjectNode rolling = child(strategy, "rollingUpdate");
            fillQuarter(rolling, "maxUnavailable");
            fillQuarter(rolling, "maxSurge");
        }
        fillNumber(spec, "revisionHistoryLimit", 10);
        fillNumber(spec, "progressDeadlineSeconds", 600);
        PodDefaults.template(child(spec, "template"));
    }

    private static void fillQuarter(ObjectNode rolling, String name) {
        if (!has(rolling, name)) {
            rolling.put(name, "25%");
        }
    }

    public static void replicaSet(ObjectNode set) {
        ObjectNode spec = child(set, "spec");
        fillNumber(spec, "replicas", 1);
        PodDefaults.template(child(spec, "template"));
    }

    public static void replicationController(ObjectNode controller) {
        ObjectNode spec = child(controller, "spec");
        object(spec, "template", "metadata", "labels").filter(l -> !l.isEmpty()).ifPresent(labels -> {
            copyWhereEmpty(labels, spec, "selector");
            copyWhereEmpty(labels, child(controller, "metadata"), "labels");
        });
        fillNumber(spec, "replicas", 1);
        object(spec, "template").ifPresent(PodDefaults::template);
    }

    private static void copyWhereEmpty(ObjectNode labels, ObjectNode holder, String name) {
        if (object(holder, name).filter(found -> !found.isEmpty()).isEmpty()) {
            holder.set(name, labels.deepCopy());
        }
    }

    public static void daemonSet(ObjectNode set) {
        ObjectNode spec = child(set, "spec");
        ObjectNode strategy = child(spec, "updateStrategy");
        fillText(strategy, "type", ROLLING);
        if (text(strategy, "type").equals(ROLLING)) {
            ObjectNode rolling = child(strategy, "rollingUpdate");
            fillNumber(rolling, "maxUnavailable", 1);
            fillNumber(rolling, "maxSurge", 0);
        }
        fillNumber(spec, "revisionHistoryLimit", 10);
        PodDefaults.template(child(spec, "template"));
    }

    public static void statefulSet(ObjectNode set) {
        ObjectNode spec = child(set, "spec");
        fillText(spec, "podManagementPolicy", "OrderedReady");
        ObjectNode strategy = child(spec, "updateStrategy");
        if (text(strategy, "type").isEmpty()) {
            strategy.put("type", ROLLING);
            fillObject(strategy, "rollingUpdate");
        }
        if (text(strategy, "type").equals(ROLLING)) {
            object(strategy, "rollingUpdate").ifPresent(rolling -> fillNumber(rolling, "partition", 0));
        }
        ObjectNode retention = child(spec, "persistentVolumeClaimRetentionPolicy");
        fillText(retention, "whenDeleted", "Retain");
        fillText(retention, "whenScaled", "Retain");
        fillNumber(spec, "replicas", 1);
        fillNumber(spec, "revisionHistoryLimit", 10);
        PodDefaults.template(child(spec, "template"));
        objects(spec, "volumeClaimTemplates").forEach(WorkloadDefaults::claimTemplate);
    }

    private static void claimTemplate(ObjectNode claim) {
        claim.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
        StorageDefaults.claim(claim);
    }

    public static void job(ObjectNode job) {
        ObjectNode spec = child(job, "spec");
        object(spec, "template", "metadata", "labels")
                .filter(labels -> !labels.isEmpty())
                .ifPresent(labels -> copyWhereEmpty(labels, child(job, "metadata"), "labels"));
        if (!has(spec, "parallelism")) {
            fillNumber(spec, "completions", 1);
            spec.put("parallelism", 1);
        }
        fillNumber(spec, "backoffLimit", has(spec, "backoffLimitPerIndex") ? Integer.MAX_VALUE : 6);
        fillText(spec, "completionMode", "NonIndexed");
        fillFlag(spec, "suspend", false);
        fillText(spec, "podReplacementPolicy", has(spec, "podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
        fillFlag(spec, "manualSelector", false);
        jobSpec(spec);
    }

    private static void jobSpec(ObjectNode spec) {
        for (ObjectNode rule : objects(spec, "podFailurePolicy", "rules")) {
            objects(rule, "onPodConditions").forEach(pattern -> fillText(pattern, "status", "True"));
        }
        PodDefaults.template(child(spec, "template"));
    }

    public static void cronJob(ObjectNode job) {
        ObjectNode spec = child(job, "spec");
        fillText(spec, "concurrencyPolicy", "Allow");
        fillFlag(spec, "suspend", false);
        fillNumber(spec, "successfulJobsHistoryLimit", 3);
        fillNumber(spec, "failedJobsHistoryLimit", 1);
        jobSpec(child(child(spec, "jobTemplate"), "spec"));
    }
}
