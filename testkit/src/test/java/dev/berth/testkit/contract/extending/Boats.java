package dev.berth.testkit.contract.extending;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.Manifests;

/** A kind of one's own with a bit of everything. */
final class Boats {

    private Boats() {}

    static ObjectNode definition(String group) {
        return Manifests.yaml("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata:
                  name: boats.%1$s
                spec:
                  group: %1$s
                  scope: Namespaced
                  names: {kind: Boat, plural: boats, singular: boat, shortNames: [bo]}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    subresources:
                      status: {}
                      scale: {specReplicasPath: .spec.crew.size, statusReplicasPath: .status.crew}
                    additionalPrinterColumns:
                    - {name: Length, type: integer, jsonPath: .spec.length}
                    - {name: Phase, type: string, jsonPath: .status.phase}
                    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
                    - {name: Colour, type: string, jsonPath: .spec.colour, priority: 1}
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec:
                            type: object
                            required: [length]
                            properties:
                              length: {type: integer, minimum: 1}
                              name: {type: string, pattern: '^[a-z]+$'}
                              colour: {type: string, enum: [white, red], default: white}
                              draught: {x-kubernetes-int-or-string: true}
                              cargo: {type: object, x-kubernetes-preserve-unknown-fields: true}
                              crew:
                                type: object
                                default: {}
                                properties:
                                  size: {type: integer, default: 1}
                          status:
                            type: object
                            properties:
                              phase: {type: string}
                              crew: {type: integer}
                """.formatted(group));
    }

    static ObjectNode boat(String group, String name, String spec) {
        return Manifests.yaml(
                "{apiVersion: %s/v1, kind: Boat, metadata: {name: %s}, spec: %s}".formatted(group, name, spec));
    }
}
