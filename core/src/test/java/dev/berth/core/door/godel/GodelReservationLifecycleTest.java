package dev.berth.core.door.godel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.godel.GodelReservationLifecycle.Event;
import dev.berth.core.door.godel.GodelReservationLifecycle.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares the lifecycle with the table in the package documentation. */
class GodelReservationLifecycleTest {
    private static final Path DOCUMENTATION = Path.of("src/main/java/dev/berth/core/door/godel/package-info.java");
    private static final Set<String> STATES =
            Arrays.stream(State.values()).map(Enum::name).collect(Collectors.toSet());

    @Test
    void everyStateAndEventLeadToTheStateInTheDocumentedTable() throws IOException {
        Map<State, Map<Event, State>> documented = documentedTable();

        assertThat(documented.values().stream().mapToInt(Map::size).sum()).isEqualTo(72);
        for (State state : State.values()) {
            for (Event event : Event.values()) {
                State expected = documented.getOrDefault(state, Map.of()).getOrDefault(event, state);
                assertThat(GodelReservationLifecycle.next(state, event))
                        .as("%s in state %s", event, state)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void everyStateIsReachedFromATerminatingPodOrFromAListedReservation() {
        Set<State> reached = EnumSet.of(State.POD_TERMINATING, State.ACTIVE);
        int before = 0;
        while (reached.size() > before) {
            before = reached.size();
            for (State state : EnumSet.copyOf(reached)) {
                for (Event event : Event.values()) {
                    reached.add(GodelReservationLifecycle.next(state, event));
                }
            }
        }
        assertThat(reached).containsExactlyInAnyOrder(State.values());
    }

    @Test
    void onlyAnEditByAUserBringsAnEndedReservationBack() {
        assertThat(GodelReservationLifecycle.next(State.MATCH_OBSERVED, Event.MATCH_REVERTED))
                .isEqualTo(State.ACTIVE);
        assertThat(GodelReservationLifecycle.next(State.CLAIMED, Event.SUCCESSOR_LOST))
                .isEqualTo(State.ACTIVE);
        for (State state : State.values()) {
            for (Event event : Event.values()) {
                State next = GodelReservationLifecycle.next(state, event);
                boolean isEdit = (state == State.MATCH_OBSERVED && event == Event.MATCH_REVERTED)
                        || (state == State.CLAIMED && event == Event.SUCCESSOR_LOST);
                if (state.isEnded() && !isEdit) {
                    assertThat(next.isEnded() || next == State.FORGOTTEN)
                            .as("%s in state %s leads to %s", event, state, next)
                            .isTrue();
                }
                if (state.isObserved()) {
                    assertThat(next.isObserved() || next == State.FORGOTTEN)
                            .as("%s in state %s leads to %s", event, state, next)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void aDurableEndOfAReservationStaysDurableInEveryTransition() {
        for (State state : State.values()) {
            for (Event event : Event.values()) {
                State next = GodelReservationLifecycle.next(state, event);
                if (state.isEndDurable()) {
                    assertThat(next.isEndDurable() || next == State.FORGOTTEN)
                            .as("%s in state %s leads to %s", event, state, next)
                            .isTrue();
                }
            }
        }
    }

    private static Map<State, Map<Event, State>> documentedTable() throws IOException {
        Map<State, Map<Event, State>> table = new EnumMap<>(State.class);
        for (String line : Files.readAllLines(DOCUMENTATION)) {
            List<String> words = List.of(line.replaceFirst("^ \\*", "").strip().split(" +"));
            if (words.size() == 3 && STATES.contains(words.get(0)) && STATES.contains(words.get(2))) {
                table.computeIfAbsent(State.valueOf(words.get(0)), state -> new EnumMap<>(Event.class))
                        .put(Event.valueOf(words.get(1)), State.valueOf(words.get(2)));
            }
        }
        return table;
    }
}
