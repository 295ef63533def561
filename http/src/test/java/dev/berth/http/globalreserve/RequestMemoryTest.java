package dev.berth.http.globalreserve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.globalreserve.ReserveRequest;
import dev.berth.http.ServerRequest;
import dev.berth.http.budget.ByteBudget;
import dev.berth.kubernetes.door.globalreserve.JsonPodReader;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a request takes of the budget is at least what it takes of the heap, however its bytes are spent. */
class RequestMemoryTest {
    private static final long PLENTY = 1L << 40;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            1    | {"metadata":{"uid":"u0","labels":{MANY}}}                                  | "k#":"v#"
            1    | {"metadata":{"uid":"u0"},"spec":{"nodeSelector":{MANY}}}                    | "k#":""
            1    | {"metadata":{"uid":"u0"},"spec":{"tolerations":[MANY]}}                     | {"key":"#"}
            1    | {"metadata":{"uid":"u0"},"spec":{"containers":[MANY]}}                      | {}
            1    | {"metadata":{"uid":"u0"},"spec":{"containers":[{"ports":[MANY]}]}}          | {"hostPort":80}
            1    | {"metadata":{"uid":"u0"},"spec":{"containers":[MANY]}}                      | {"image":"#"}
            1    | {"metadata":{"uid":"u0"},"spec":{"containers":[{"resources":{"requests":{MANY}}}]}} | "a/r#":1
            1    | {"metadata":{"uid":"u0"},"spec":{"volumes":[MANY]}}                         | {"persistentVolumeClaim":{"claimName":"#"}}
            1    | {"metadata":{"uid":"u0"},"spec":{"topologySpreadConstraints":[MANY]}}       | {"topologyKey":"#","maxSkew":1}
            1000 | {"metadata":{"uid":"u#"}}                                                   | x
            """)
    void theBudgetCoversTheBytesThatAreRead(int pods, String pod, String element) throws Exception {
        String many = IntStream.range(0, pods == 1 ? 20_000 : 1)
                .mapToObj(i -> element.replace("#", Integer.toString(i % 30_000)))
                .collect(Collectors.joining(","));
        String all = IntStream.range(0, pods)
                .mapToObj(i -> pod.replace("MANY", many).replace("u#", "u" + i))
                .collect(Collectors.joining(","));
        String nodes = IntStream.range(0, pods).mapToObj(i -> "\"n" + i + "\"").collect(Collectors.joining(","));
        byte[] body = "{\"SchedulerName\":\"s\",\"Pods\":[%s],\"Nodes\":[%s]}"
                .formatted(all, nodes)
                .getBytes(StandardCharsets.UTF_8);
        ReserveJson json = new ReserveJson(new JsonPodReader()::read);
        ByteBudget budget = new ByteBudget(PLENTY);
        long before = heap();
        try (ByteBudget.Share share = budget.openShare()) {
            ReserveRequest read = json.read(new ServerRequest("", body, share));
            long grown = heap() - before;

            assertThat(grown)
                    .as("%d bytes of JSON, %.1f for each", body.length, grown / (double) body.length)
                    .isLessThanOrEqualTo(budget.used() + ByteBudget.FREE_BYTES_PER_REQUEST);
            assertThat(read.assignments()).hasSize(pods);
        }
    }

    private static long heap() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
