package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Writes containers: what a pod takes of a node. */
final class ContainerGenerator {
    private final RandomChoices randomChoices;

    ContainerGenerator(RandomChoices randomChoices) {
        this.randomChoices = randomChoices;
    }

    void containers(ObjectNode spec) {
        ArrayNode containers = spec.putArray("containers");
        int count = randomChoices.any(1, 1, 1, 2, 3);
        for (int i = 0; i < count; i++) {
            container(containers.addObject(), "c" + i);
        }
        if (randomChoices.chance(20)) {
            initContainers(spec.putArray("initContainers"));
        }
        if (randomChoices.chance(5)) {
            spec.putObject("overhead").put("cpu", "250m").put("memory", "120Mi");
        }
        if (randomChoices.chance(8)) {
            podLevel(spec.putObject("resources").putObject("requests"));
        }
    }

    private void initContainers(ArrayNode containers) {
        int count = randomChoices.between(1, 3);
        for (int i = 0; i < count; i++) {
            ObjectNode container = containers.addObject();
            container(container, "i" + i);
            if (randomChoices.chance(50)) {
                container.put("restartPolicy", "Always");
            }
        }
    }

    void podLevel(ObjectNode requests) {
        if (randomChoices.chance(80)) {
            requests.put("cpu", randomChoices.any("500m", "1", "3"));
        }
        if (randomChoices.chance(80)) {
            requests.put("memory", randomChoices.any("512Mi", "2Gi", "6Gi"));
        }
    }

    private void container(ObjectNode container, String name) {
        container.put("name", name);
        container.put("image", randomChoices.any(NodeGenerator.IMAGES));
        ObjectNode requests = container.putObject("resources").putObject("requests");
        requests(requests);
        limits(container, requests);
        ArrayNode ports = container.putArray("ports");
        while (randomChoices.chance(8)) {
            port(ports.addObject());
        }
    }

    void requests(ObjectNode requests) {
        if (randomChoices.chance(75)) {
            requests.put("cpu", randomChoices.any("0", "1m", "100m", "250m", "250m", "500m", "1", "1500m", "3"));
        }
        if (randomChoices.chance(75)) {
            requests.put(
                    "memory",
                    randomChoices.any("0", "64Mi", "200Mi", "512Mi", "512Mi", "500M", "1Gi", "6Gi", "1500000000m"));
        }
        if (randomChoices.chance(8)) {
            requests.put("example.com/gpu", randomChoices.any("0", "1", "1", "2"));
        }
        if (randomChoices.chance(8)) {
            requests.put("ephemeral-storage", randomChoices.any("100Mi", "900Mi"));
        }
        if (randomChoices.chance(3)) {
            requests.put("hugepages-2Mi", randomChoices.any("2Mi", "64Mi"));
        }
    }

    /** What cannot be overcommitted must be limited to what is requested. */
    private static void limits(ObjectNode container, ObjectNode requests) {
        requests.properties().forEach(request -> {
            if (request.getKey().contains("/") || request.getKey().startsWith("hugepages-")) {
                container.withObject("/resources/limits").set(request.getKey(), request.getValue());
            }
        });
    }

    private void port(ObjectNode port) {
        port.put("containerPort", 8080);
        if (randomChoices.chance(90)) {
            port.put("hostPort", randomChoices.any(80, 80, 443));
        }
        port.put("protocol", randomChoices.any("TCP", "TCP", "UDP"));
        if (randomChoices.chance(50)) {
            port.put("hostIP", randomChoices.any("10.0.0.1", "10.0.0.2", "0.0.0.0"));
        }
    }
}
