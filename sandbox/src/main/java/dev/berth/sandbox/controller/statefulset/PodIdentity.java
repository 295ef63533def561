package dev.berth.sandbox.controller.statefulset;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.controller.util.PodFactory;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The identity of a pod of a StatefulSet: ordinal, name, labels and volume claims. */
final class PodIdentity {
    private static final String POD_NAME = "statefulset.kubernetes.io/pod-name";
    private static final String POD_INDEX = "apps.kubernetes.io/pod-index";
    private static final String REVISION = "controller-revision-hash";

    private PodIdentity() {}

    /** The ordinal at the end of the pod name; -1 when the pod does not belong to the set. */
    static int ordinal(StatefulSetView set, ObjectNode pod) {
        String name = ObjectMetaReader.name(pod);
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
        return ObjectMetaReader.name(template) + "-" + set.name() + "-" + ordinal;
    }

    static String revision(ObjectNode pod) {
        return ObjectMetaReader.labels(pod).getOrDefault(REVISION, "");
    }

    /** A new pod with that ordinal at that revision. */
    static ObjectNode newPod(StatefulSetView set, ControllerRevision revision, int ordinal) {
        ObjectNode pod = PodFactory.podFromTemplate(set.atRevision(revision));
        String name = name(set, ordinal);
        ObjectNode metadata = NestedFields.getOrCreateObject(pod, "metadata").put("name", name);
        NestedFields.getOrCreateObject(metadata, "labels").put(REVISION, revision.name());
        setIdentityLabels(pod, name, ordinal);
        ObjectNode spec = NestedFields.getOrCreateObject(pod, "spec").put("hostname", name);
        String service = NestedFields.text(set.object(), "spec", "serviceName");
        if (!service.isEmpty()) {
            spec.put("subdomain", service);
        }
        mountClaims(set, spec, ordinal);
        return pod;
    }

    static void setIdentityLabels(ObjectNode pod, String name, int ordinal) {
        NestedFields.getOrCreateObject(NestedFields.getOrCreateObject(pod, "metadata"), "labels")
                .put(POD_NAME, name)
                .put(POD_INDEX, Integer.toString(ordinal));
    }

    static boolean hasIdentityLabels(ObjectNode pod, int ordinal) {
        Map<String, String> labels = ObjectMetaReader.labels(pod);
        return ObjectMetaReader.name(pod).equals(labels.get(POD_NAME))
                && Integer.toString(ordinal).equals(labels.get(POD_INDEX));
    }

    private static void mountClaims(StatefulSetView set, ObjectNode spec, int ordinal) {
        if (set.claimTemplates().isEmpty()) {
            return;
        }
        ArrayNode volumes = NestedFields.newArray();
        Set<String> claimed = new TreeSet<>();
        for (ObjectNode template : set.claimTemplates()) {
            claimed.add(ObjectMetaReader.name(template));
            volumes.addObject()
                    .put("name", ObjectMetaReader.name(template))
                    .putObject("persistentVolumeClaim")
                    .put("claimName", claimName(set, template, ordinal));
        }
        for (ObjectNode volume : NestedFields.objects(spec, "volumes")) {
            if (!claimed.contains(NestedFields.text(volume, "name"))) {
                volumes.add(volume);
            }
        }
        spec.set("volumes", volumes);
    }
}
