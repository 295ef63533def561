package dev.berth.kubernetes.schedulerconfig;

import java.util.Arrays;
import java.util.List;

/** The extension points of kube-scheduler, by their keys in the file. */
enum ExtensionPoint {
    PRE_ENQUEUE("preEnqueue"),
    QUEUE_SORT("queueSort"),
    PRE_FILTER("preFilter"),
    FILTER("filter"),
    POST_FILTER("postFilter"),
    PRE_SCORE("preScore"),
    SCORE("score"),
    RESERVE("reserve"),
    PERMIT("permit"),
    PRE_BIND("preBind"),
    BIND("bind"),
    POST_BIND("postBind"),
    PLACEMENT_GENERATE("placementGenerate"),
    PLACEMENT_SCORE("placementScore");

    static final String MULTI_POINT = "multiPoint";

    final String key;

    ExtensionPoint(String key) {
        this.key = key;
    }

    static List<String> keys() {
        return Arrays.stream(values()).map(point -> point.key).toList();
    }
}
