package dev.berth.embedded.defaults.kind;

import static dev.berth.embedded.tree.Trees.child;
import static dev.berth.embedded.tree.Trees.fillFlag;
import static dev.berth.embedded.tree.Trees.fillNumber;
import static dev.berth.embedded.tree.Trees.fillObject;
import static dev.berth.embedded.tree.Trees.fillText;
import static dev.berth.embedded.tree.Trees.flag;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.putNumber;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The defaults of pods, and of the pod specs inside templates, which get fewer. */
public final class PodDefaults {
    private static final List<String> CONTAINERS = List.of("initContainers", "containers", "ephemeralContainers");

    private PodDefaults() {}

    public static void pod(ObjectNode pod) {
        ObjectNode spec = child(pod, "spec");
        objects(spec, "containers").forEach(ResourceDefaults::requestLimits);
        objects(spec, "initContainers").forEach(ResourceDefaults::requestLimits);
        PodLevelResources.fill(spec);
        fillFlag(spec, "enableServiceLinks", true);
        if (flag(spec, "hostNetwork")) {
            objects(spec, "containers").forEach(PodDefaults::hostPorts);
            objects(spec, "initContainers").forEach(PodDefaults::hostPorts);
        }
        spec(spec);
        object(pod, "status").ifPresent(PodDefaults::addresses);
    }

    private static void hostPorts(ObjectNode container) {
        for (ObjectNode port : objects(container, "ports")) {
            if (number(port, "hostPort") == 0) {
                putNumber(port, "hostPort", number(port, "containerPort"));
            }
        }
    }

    /** A pod's address is the first of its addresses; the single one wins where they differ. */
    private static void addresses(ObjectNode status) {
        List<ObjectNode> all = objects(status, "podIPs");
        String single = text(status, "podIP");
        String first = all.isEmpty() ? "" : text(all.get(0), "ip");
        if (single.isEmpty() && !first.isEmpty()) {
            status.put("podIP", first);
        } else if (!single.equals(first)) {
            status.putArray("podIPs").addObject().put("ip", single);
        }
    }

    public static void template(ObjectNode template) {
        fillObject(template, "metadata");
        spec(child(template, "spec"));
    }

    private static void spec(ObjectNode spec) {
        fillText(spec, "dnsPolicy", "ClusterFirst");
        fillText(spec, "restartPolicy", "Always");
        fillObject(spec, "securityContext");
        fillNumber(spec, "terminationGracePeriodSeconds", 30);
        fillText(spec, "schedulerName", "default-scheduler");
        serviceAccount(spec);
        objects(spec, "volumes").forEach(VolumeDefaults::apply);
        for (String list : CONTAINERS) {
            objects(spec, list).forEach(ContainerDefaults::apply);
        }
        object(spec, "overhead").ifPresent(ResourceDefaults::roundList);
        object(spec, "resources").ifPresent(ResourceDefaults::round);
    }

    /** The older name of the field says the same as the newer one, which wins. */
    private static void serviceAccount(ObjectNode spec) {
        String name = text(spec, "serviceAccountName");
        String account = name.isEmpty() ? text(spec, "serviceAccount") : name;
        if (!account.isEmpty()) {
            spec.put("serviceAccountName", account).put("serviceAccount", account);
        } else if (has(spec, "serviceAccount")) {
            spec.remove("serviceAccount");
        }
    }
}
