package dev.berth.core.effect;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.ComponentId;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** A write to the API server that a decision requires. */
public sealed interface Effect {

    /** A pod. The UID is a precondition of every write. */
    record PodRef(String namespace, String name, PodUid uid, String schedulerName) {
        public static PodRef of(Pod pod) {
            return new PodRef(pod.namespace(), pod.name(), pod.uid(), pod.schedulerName());
        }

        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /** Binds the pod to the node. The annotations are the record of the bind and part of the same write. */
    record Bind(PodRef pod, String node, Map<String, String> annotations) implements Effect {
        public Bind {
            annotations = Collections.unmodifiableMap(new TreeMap<>(annotations));
        }
    }

    /**
     * Sets the pod's condition PodScheduled=False with this reason and message.
     *
     * @param message truncated to the limit of a condition
     */
    record MarkUnscheduled(PodRef pod, Reason reason, String message) implements Effect {
        public MarkUnscheduled {
            message = MessageLimit.CONDITION.truncate(message);
        }

        /** The reasons of kube-scheduler. */
        public enum Reason {
            UNSCHEDULABLE("Unschedulable"),
            SCHEDULER_ERROR("SchedulerError");

            private final String text;

            Reason(String text) {
                this.text = text;
            }

            public String text() {
                return text;
            }
        }
    }

    /**
     * Records a Kubernetes event about an object.
     *
     * @param note truncated to the limit of an event
     */
    record RecordEvent(EventTarget target, EventTemplate kind, String note) implements Effect {
        public RecordEvent {
            note = MessageLimit.EVENT.truncate(note);
        }

        public RecordEvent(PodRef pod, EventTemplate kind, String note) {
            this(EventTarget.of(pod), kind, note);
        }

        /** The type, reason and action of an event. */
        public record EventTemplate(String type, String reason, String action) {
            public static final EventTemplate SCHEDULED = normal("Scheduled", "Binding");
            public static final EventTemplate FAILED_SCHEDULING = warning("FailedScheduling", "Scheduling");

            public static EventTemplate normal(String reason, String action) {
                return new EventTemplate("Normal", reason, action);
            }

            public static EventTemplate warning(String reason, String action) {
                return new EventTemplate("Warning", reason, action);
            }
        }
    }

    /**
     * A write of a component. It must be safe to send twice: a response can get lost, and then the write is sent again.
     */
    non-sealed interface Write extends Effect {
        /** The component that receives the result. */
        ComponentId component();

        /**
         * The key of the object. Only one write of a key is in flight at a time. Of the waiting writes of a key only
         * the newest is sent; the older ones get no result.
         */
        String key();

        /** The name of the object in the log, as users know it. */
        default String object() {
            return key();
        }
    }
}
