package dev.berth.core.cluster;

/** An object that owns a pod. In most cases it controls the pod: its ReplicaSet, StatefulSet, Job and so on. */
public record ControllerRef(String apiVersion, String kind, String name, String uid) {}
