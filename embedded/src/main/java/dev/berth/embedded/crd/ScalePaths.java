package dev.berth.embedded.crd;

/**
 * Where the scale subresource finds its numbers, as simple JSON paths ({@code .spec.replicas}).
 *
 * @param labelSelector empty where the definition has none
 */
public record ScalePaths(String specReplicas, String statusReplicas, String labelSelector) {}
