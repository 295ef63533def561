package dev.berth.core.cluster;

/** The object that controls a pod: its ReplicaSet, StatefulSet, Job and so on. */
public record ControllerRef(String apiVersion, String kind, String name, String uid) {}
