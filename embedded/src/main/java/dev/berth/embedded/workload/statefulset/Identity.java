package dev.berth.embedded.workload.statefulset;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.workload.control.PodTemplate;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Who a pod of a StatefulSet is: its number, its name, its labels and the claims it mounts. */
final class Identity {
    private static final String POD_NAME = "statefulset.kubernetes.io/pod-name";
    private static final String POD_INDEX = "apps.kubernetes.io/pod-index";
    private static final String REVISION = "controller-revision-hash";

    private Identity() {}

    /** The number at the end of the pod's name; -1 when the pod is none of the set's. */
    static int ordinal(StatefulSetView set, ObjectNode pod) {
        String name = Meta.name(pod);
        int dash = name.lastIndexOf('-');
        if (dash < 0 || !name.substring(0, dash).equals(set.name())) {
            return -1;
        }
        try {
            return Integer.parseUnsignedInt(name.substring(dash + 1));
        } catch (NumberFormatException noNumber) {
            return -1;
        }
    }

    static String name(StatefulSetView set, int ordinal) {
        return set.name() + "-" + ordinal;
    }

    static String claimName(StatefulSetView set, ObjectNode template, int ordinal) {
        return Meta.name(template) + "-" + set.name() + "-" + ordinal;
    }

    static String revision(ObjectNode pod) {
        return Meta.labels(pod).getOrDefault(REVISION, "");
    }

    /** A new pod of that number at that revision. */
    static ObjectNode podOf(StatefulSetView set, Revision revision, int ordinal) {
        ObjectNode pod = PodTemplate.podOf(set.at(revision));
        String name = name(set, ordinal);
        ObjectNode metadata = Json.child(pod, "metadata").put("name", name);
        Json.child(metadata, "labels").put(REVISION, revision.name());
        label(pod, name, ordinal);
        ObjectNode spec = Json.child(pod, "spec").put("hostname", name);
        String service = Json.text(set.object(), "spec", "serviceName");
        if (!service.isEmpty()) {
            spec.put("subdomain", service);
        }
        mountClaims(set, spec, ordinal);
        return pod;
    }

    static void label(ObjectNode pod, String name, int ordinal) {
        Json.child(Json.child(pod, "metadata"), "labels").put(POD_NAME, name).put(POD_INDEX, Integer.toString(ordinal));
    }

    static boolean labelled(ObjectNode pod, int ordinal) {
        Map<String, String> labels = Meta.labels(pod);
        return Meta.name(pod).equals(labels.get(POD_NAME))
                && Integer.toString(ordinal).equals(labels.get(POD_INDEX));
    }

    private static void mountClaims(StatefulSetView set, ObjectNode spec, int ordinal) {
        if (set.claimTemplates().isEmpty()) {
            return;
        }
        ArrayNode volumes = Json.array();
        Set<String> claimed = new TreeSet<>();
        for (ObjectNode template : set.claimTemplates()) {
            claimed.add(Meta.name(template));
            volumes.addObject()
                    .put("name", Meta.name(template))
                    .putObject("persistentVolumeClaim")
                    .put("claimName", claimName(set, template, ordinal));
        }
        for (ObjectNode volume : Json.objects(spec, "volumes")) {
            if (!claimed.contains(Json.text(volume, "name"))) {
                volumes.add(volume);
            }
        }
        spec.set("volumes", volumes);
    }
}
