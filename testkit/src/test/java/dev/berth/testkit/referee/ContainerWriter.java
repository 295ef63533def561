package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Writes containers: what a pod takes of a node. */
final class ContainerWriter {
    private final Dice dice;

    ContainerWriter(Dice dice) {
        this.dice = dice;
    }

    void containers(ObjectNode spec) {
        ArrayNode containers = spec.putArray("containers");
        int count = dice.any(1, 1, 1, 2, 3);
        for (int i = 0; i < count; i++) {
            container(containers.addObject(), "c" + i);
        }
        if (dice.chance(20)) {
            initContainers(spec.putArray("initContainers"));
        }
        if (dice.chance(5)) {
            spec.putObject("overhead").put("cpu", "250m").put("memory", "120Mi");
        }
        if (dice.chance(8)) {
            podLevel(spec.putObject("resources").putObject("requests"));
        }
    }

    private void initContainers(ArrayNode containers) {
        int count = dice.between(1, 3);
        for (int i = 0; i < count; i++) {
            ObjectNode container = containers.addObject();
            container(container, "i" + i);
            if (dice.chance(50)) {
                container.put("restartPolicy", "Always");
            }
        }
    }

    void podLevel(ObjectNode requests) {
        if (dice.chance(80)) {
            requests.put("cpu", dice.any("500m", "1", "3"));
        }
        if (dice.chance(80)) {
            requests.put("memory", dice.any("512Mi", "2Gi", "6Gi"));
        }
    }

    private void container(ObjectNode container, String name) {
        container.put("name", name);
        container.put("image", dice.any(NodeWriter.IMAGES));
        ObjectNode requests = container.putObject("resources").putObject("requests");
        requests(requests);
        limits(container, requests);
        ArrayNode ports = container.putArray("ports");
        while (dice.chance(8)) {
            port(ports.addObject());
        }
    }

    void requests(ObjectNode requests) {
        if (dice.chance(75)) {
            requests.put("cpu", dice.any("0", "1m", "100m", "250m", "250m", "500m", "1", "1500m", "3"));
        }
        if (dice.chance(75)) {
            requests.put(
                    "memory", dice.any("0", "64Mi", "200Mi", "512Mi", "512Mi", "500M", "1Gi", "6Gi", "1500000000m"));
        }
        if (dice.chance(8)) {
            requests.put("example.com/gpu", dice.any("0", "1", "1", "2"));
        }
        if (dice.chance(8)) {
            requests.put("ephemeral-storage", dice.any("100Mi", "900Mi"));
        }
        if (dice.chance(3)) {
            requests.put("hugepages-2Mi", dice.any("2Mi", "64Mi"));
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
        if (dice.chance(90)) {
            port.put("hostPort", dice.any(80, 80, 443));
        }
        port.put("protocol", dice.any("TCP", "TCP", "UDP"));
        if (dice.chance(50)) {
            port.put("hostIP", dice.any("10.0.0.1", "10.0.0.2", "0.0.0.0"));
        }
    }
}
