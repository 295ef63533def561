package dev.berth.core.effect;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.ComponentId;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Something to be written to the API server because of a decision. */
public sealed interface Effect {

    /** Which pod: the UID is a precondition of every write. */
    record PodRef(String namespace, String name, PodUid uid, String schedulerName) {
        public static PodRef of(Pod pod) {
            return new PodRef(pod.namespace(), pod.name(), pod.uid(), pod.schedulerName());
        }

        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /** Bind the pod to the node; the annotations are its record and part of the same write. */
    record Bind(PodRef pod, String node, Map<String, String> annotations) implements Effect {
        public Bind {
            annotations = Collections.unmodifiableMap(new TreeMap<>(annotations));
        }
    }

    /**
     * Say on the pod's status that it has no place: PodScheduled=False with this reason and message.
     *
     * @param message cut to what a condition can hold
     */
    record MarkUnscheduled(PodRef pod, Reason reason, String message) implements Effect {
        public MarkUnscheduled {
            message = MessageLimit.CONDITION.truncate(message);
        }

        /** The reasons kube-scheduler gives. */
        public enum Reason {
            UNSCHEDULABLE("Unschedulable"),
            SCHEDULER_ERROR("SchedulerError");

            private final String text;

            Reason(String word) {
                this.text = word;
            }

            public String text() {
                return text;
            }
        }
    }

    /**
     * Tell the people who look at the subject's events.
     *
     * @param note cut to what an event can hold
     */
    record RecordEvent(EventTarget target, Kind kind, String note) implements Effect {
        public RecordEvent {
            note = MessageLimit.EVENT.truncate(note);
        }

        public RecordEvent(PodRef pod, Kind kind, String note) {
            this(EventTarget.of(pod), kind, note);
        }

        /** What an event says in one word each. */
        public record Kind(String type, String reason, String action) {
            public static final Kind SCHEDULED = normal("Scheduled", "Binding");
            public static final Kind FAILED_SCHEDULING = warning("FailedScheduling", "Scheduling");

            public static Kind normal(String reason, String action) {
                return new Kind("Normal", reason, action);
            }

            public static Kind warning(String reason, String action) {
                return new Kind("Warning", reason, action);
            }
        }
    }

    /**
     * A write that a component decided on. It must be safe to send twice: an answer can get lost, and then the write is
     * sent again.
     */
    non-sealed interface Write extends Effect {
        /** The component that gets the result. */
        ComponentId component();

        /**
         * What it is about. Of the writes of one key one is on its way at a time, and of those that wait the newest alone
         * is sent, without a word about the others.
         */
        String key();

        /** How the log names what it is about: by the names that people use. */
        default String object() {
            return key();
        }
    }
}
