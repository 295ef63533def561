package dev.berth.kubernetes.projection;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.random.RandomGenerator;

/** Pods as a server might send them, with and without each of the things that matter, and many that do not. */
final class RandomPods {
    private static final List<String> QUANTITIES =
            List.of("0", "1", "100m", "1500m", "2Gi", "64Mi", "1e3", "0.5", "12345678", "1k", "250u", "3.7Gi");
    private static final List<String> RESOURCES =
            List.of("cpu", "memory", "ephemeral-storage", "example.com/gpu", "hugepages-2Mi");
    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt");

    private final RandomGenerator random;

    RandomPods(RandomGenerator random) {
        this.random = random;
    }

    ObjectNode next() {
        ObjectNode pod = object().put("apiVersion", "v1").put("kind", "Pod");
        metadata(pod.putObject("metadata"));
        spec(pod.putObject("spec"));
        status(pod.putObject("status"));
        return pod;
    }

    private void metadata(ObjectNode meta) {
        meta.put("name", "pod-" + random.nextInt(1000)).put("namespace", "ns-" + random.nextInt(5));
        meta.put("uid", "uid-" + random.nextInt(1_000_000));
        meta.put("resourceVersion", Long.toString(random.nextLong(1, 1L << 40)));
        meta.put("creationTimestamp", "2026-01-0%dT00:00:0%dZ".formatted(1 + random.nextInt(9), random.nextInt(10)));
        if (chance()) {
            meta.put("generation", random.nextInt(1, 5));
        }
        if (chance()) {
            meta.put("deletionTimestamp", "2026-02-01T00:00:00Z");
            meta.put("deletionGracePeriodSeconds", random.nextInt(60));
        }
        if (chance()) {
            pairs(meta.putObject("labels"));
        }
        if (chance()) {
            meta.putObject("annotations").put("berth.dev/x", word()).put("other/y", "long ".repeat(50));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            meta.withArrayProperty("ownerReferences")
                    .addObject()
                    .put("apiVersion", "apps/v1")
                    .put("kind", "ReplicaSet")
                    .put("name", word())
                    .put("uid", "owner-" + i)
                    .put("controller", i == 1 && chance());
        }
        if (chance()) {
            meta.withArrayProperty("managedFields")
                    .addObject()
                    .put("manager", "kubectl")
                    .put("operation", "Update");
        }
    }

    private void spec(ObjectNode spec) {
        containers(spec.putArray("containers"), 1 + random.nextInt(3), "c");
        if (chance()) {
            containers(spec.putArray("initContainers"), random.nextInt(3), "i");
        }
        if (chance()) {
            spec.put("nodeName", "node-" + random.nextInt(9));
        }
        if (chance()) {
            spec.put("priority", random.nextInt(-5, 2_000_000_000));
        }
        if (chance()) {
            spec.put("schedulerName", word());
        }
        if (chance()) {
            pairs(spec.putObject("nodeSelector"));
        }
        if (chance()) {
            quantities(spec.putObject("overhead"));
        }
        if (chance()) {
            quantities(spec.putObject("resources").putObject("requests"));
        }
        if (chance()) {
            affinity(spec.putObject("affinity"));
        }
        schedulingFields(spec);
    }

    private void schedulingFields(ObjectNode spec) {
        for (int i = random.nextInt(3); i > 0; i--) {
            toleration(spec.withArrayProperty("tolerations").addObject());
        }
        if (chance()) {
            spec.withArrayProperty("schedulingGates").addObject().put("name", word());
        }
        if (chance()) {
            spread(spec.withArrayProperty("topologySpreadConstraints").addObject());
        }
        if (chance()) {
            spec.put("hostNetwork", chance()).put("hostUsers", chance());
        }
        if (chance()) {
            spec.withArrayProperty("resourceClaims").addObject().put("name", word());
        }
        ArrayNode volumes = spec.putArray("volumes");
        volumes.addObject().put("name", "a").putObject("emptyDir");
        if (chance()) {
            volumes.addObject()
                    .put("name", "b")
                    .putObject("persistentVolumeClaim")
                    .put("claimName", word());
        }
    }

    private void containers(ArrayNode containers, int count, String prefix) {
        for (int i = 0; i < count; i++) {
            ObjectNode container = containers.addObject().put("name", prefix + i);
            container.put("image", chance() ? "registry:5000/app" : "app:v" + i);
            if (chance()) {
                quantities(container.putObject("resources").putObject("requests"));
            }
            if (prefix.equals("i") && chance()) {
                container.put("restartPolicy", "Always");
            }
            if (chance()) {
                ObjectNode port = container.putArray("ports").addObject().put("containerPort", 80);
                port.put("hostPort", random.nextInt(0, 5)).put("protocol", chance() ? "TCP" : "UDP");
                if (chance()) {
                    port.put("hostIP", "10.0.0." + random.nextInt(3));
                }
            }
            container.putArray("env").addObject().put("name", "X").put("value", "never read");
        }
    }

    private void affinity(ObjectNode affinity) {
        ObjectNode nodes = affinity.putObject("nodeAffinity");
        if (chance()) {
            ArrayNode terms = nodes.putObject("requiredDuringSchedulingIgnoredDuringExecution")
                    .putArray("nodeSelectorTerms");
            for (int i = random.nextInt(1, 3); i > 0; i--) {
                term(terms.addObject());
            }
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            ObjectNode preference = nodes.withArrayProperty("preferredDuringSchedulingIgnoredDuringExecution")
                    .addObject();
            term(preference.put("weight", random.nextInt(1, 101)).putObject("preference"));
        }
        if (chance()) {
            String which = chance() ? "podAffinity" : "podAntiAffinity";
            ObjectNode term = chance()
                    ? affinity.putObject(which)
                            .putArray("requiredDuringSchedulingIgnoredDuringExecution")
                            .addObject()
                    : affinity.putObject(which)
                            .putArray("preferredDuringSchedulingIgnoredDuringExecution")
                            .addObject()
                            .put("weight", 1)
                            .putObject("podAffinityTerm");
            term.put("topologyKey", "zone");
            if (chance()) {
                selector(term.putObject("labelSelector"));
            }
            if (chance()) {
                term.putArray("namespaces").add(word());
            }
            if (chance()) {
                selector(term.putObject("namespaceSelector"));
            }
        }
    }

    private void spread(ObjectNode constraint) {
        constraint
                .put("maxSkew", random.nextInt(1, 4))
                .put("topologyKey", word())
                .put("whenUnsatisfiable", chance() ? "DoNotSchedule" : "ScheduleAnyway");
        if (chance()) {
            selector(constraint.putObject("labelSelector"));
        }
        if (chance()) {
            constraint.put("minDomains", random.nextInt(1, 4));
        }
        if (chance()) {
            constraint.put("nodeAffinityPolicy", chance() ? "Honor" : "Ignore");
            constraint.put("nodeTaintsPolicy", chance() ? "Honor" : "Ignore");
        }
        if (chance()) {
            constraint.putArray("matchLabelKeys").add(word());
        }
    }

    private void selector(ObjectNode selector) {
        if (chance()) {
            selector.putObject("matchLabels").put(word(), word());
        }
        if (chance()) {
            selector.putArray("matchExpressions").addObject().put("key", word()).put("operator", "Exists");
        }
    }

    private void term(ObjectNode term) {
        for (int i = random.nextInt(3); i > 0; i--) {
            String operator = OPERATORS.get(random.nextInt(OPERATORS.size()));
            ObjectNode expression = term.withArrayProperty(chance() ? "matchExpressions" : "matchFields")
                    .addObject()
                    .put("key", word())
                    .put("operator", operator);
            if (operator.equals("In") || operator.equals("NotIn")) {
                expression.putArray("values").add(word()).add(word());
            } else if (operator.equals("Gt") || operator.equals("Lt")) {
                expression.putArray("values").add(Integer.toString(random.nextInt(9)));
            }
        }
    }

    private void toleration(ObjectNode toleration) {
        boolean exists = chance();
        if (!exists || chance()) {
            toleration.put("key", word());
        }
        if (exists) {
            toleration.put("operator", "Exists");
        } else {
            toleration.put("value", word());
        }
        if (chance()) {
            toleration.put("effect", chance() ? "NoSchedule" : "NoExecute").put("tolerationSeconds", 300);
        }
    }

    private void status(ObjectNode status) {
        status.put(
                "phase",
                List.of("Pending", "Running", "Succeeded", "Failed", "Unknown").get(random.nextInt(5)));
        if (chance()) {
            ObjectNode container = status.putArray("containerStatuses").addObject();
            container.put("name", "c0").put("ready", true).put("image", "x").put("restartCount", 1);
            quantities(container.putObject("allocatedResources"));
            if (chance()) {
                quantities(container.putObject("resources").putObject("requests"));
            }
        }
        if (chance()) {
            quantities(status.putObject("resources").putObject("requests"));
            quantities(status.putObject("allocatedResources"));
        }
        if (chance()) {
            condition(status, "PodScheduled", chance() ? "False" : "True", "Unschedulable");
        }
        if (chance()) {
            condition(status, "PodResizePending", "True", chance() ? "Infeasible" : "Deferred");
        }
    }

    private void condition(ObjectNode status, String type, String value, String reason) {
        status.withArrayProperty("conditions")
                .addObject()
                .put("type", type)
                .put("status", value)
                .put("reason", reason)
                .put("message", "0/3 nodes are available: größer als Ü.")
                .put("lastTransitionTime", "2026-03-01T10:00:00Z");
    }

    private void quantities(ObjectNode map) {
        for (String resource : RESOURCES) {
            if (chance()) {
                map.put(resource, QUANTITIES.get(random.nextInt(QUANTITIES.size())));
            }
        }
    }

    private void pairs(ObjectNode map) {
        for (int i = random.nextInt(4); i > 0; i--) {
            map.put(word(), word());
        }
    }

    private String word() {
        return List.of("a", "b", "app", "zone-1", "äöü", "日本", "x".repeat(300)).get(random.nextInt(7));
    }

    private boolean chance() {
        return random.nextBoolean();
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
