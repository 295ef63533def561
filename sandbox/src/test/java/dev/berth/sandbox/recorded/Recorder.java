package dev.berth.sandbox.recorded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.KindSchema;
import dev.berth.sandbox.unstructured.NestedFields;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes the answers of a real API server beside the cases. Called by hand, with the address of a
 * {@code kubectl proxy}, the folder of the resources, and the names of the case files.
 */
final class Recorder {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String server;

    private Recorder(String server) {
        this.server = server;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length < 3) {
            throw new IllegalArgumentException("usage: <proxy address> <resource folder> <case file>...");
        }
        Recorder recorder = new Recorder(args[0]);
        for (String file : List.of(args).subList(2, args.length)) {
            ObjectNode answers = file.equals("columns") ? recorder.columns() : recorder.record(file);
            Files.writeString(Path.of(args[1], file + ".answers.yaml"), RecordedCase.YAML.writeValueAsString(answers));
        }
    }

    private ObjectNode record(String file) throws IOException, InterruptedException {
        for (ObjectNode definition : RecordedCase.definitions(file)) {
            define(definition);
        }
        ObjectNode answers = JsonNodeFactory.instance.objectNode();
        for (RecordedCase each : RecordedCase.in(file)) {
            answers.set(each.name(), answer(each));
        }
        return answers;
    }

    /** The columns of every kind we serve. */
    private ObjectNode columns() throws IOException, InterruptedException {
        ObjectNode answers = JsonNodeFactory.instance.objectNode();
        for (KindSchema kind : BuiltInSchemas.load().kinds()) {
            if (kind.isServed() && kind.verbs().contains("list")) {
                String base = (kind.group().isEmpty() ? "/api/" : "/apis/")
                        + kind.gvk().apiVersion();
                ObjectNode table = table(base + "/" + kind.plural());
                answers.set(kind.toString(), NormalizedAnswers.columns(table));
            }
        }
        return answers;
    }

    private ObjectNode answer(RecordedCase each) throws IOException, InterruptedException {
        String collection = collection(each.create());
        ObjectNode created = send("POST", collection, "application/json", each.create());
        if (failed(created)) {
            return NormalizedAnswers.refused(created);
        }
        String self = collection + "/" + NestedFields.text(created, "metadata", "name");
        try {
            ObjectNode last = created;
            if (each.kind().equals("CustomResourceDefinition") && each.change().isPresent()) {
                awaitEstablished(self, created);
            }
            if (each.status().isPresent()) {
                last = send(
                        "PATCH",
                        self + "/status",
                        "application/merge-patch+json",
                        each.status().get());
            }
            if (each.change().isPresent() && !failed(last)) {
                last = send(
                        "PATCH",
                        self,
                        "application/merge-patch+json",
                        each.change().get());
            }
            if (failed(last)) {
                return NormalizedAnswers.refused(last);
            }
            if (each.deleted()) {
                send("DELETE", self, "application/json", JsonNodeFactory.instance.objectNode());
            }
            return each.prints() ? NormalizedAnswers.printed(table(self)) : NormalizedAnswers.stored(last);
        } finally {
            delete(self);
        }
    }

    private void awaitEstablished(String self, ObjectNode created) throws IOException, InterruptedException {
        ObjectNode seen = created;
        for (int tries = 0; tries < 1000 && !seen.toString().contains("InitialNamesAccepted"); tries++) {
            seen = send("GET", self, "application/json", created);
        }
    }

    /** Deletes the object and takes away whatever would keep it, since no controllers run here. */
    private void delete(String self) throws IOException, InterruptedException {
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        options.put("gracePeriodSeconds", 0).put("propagationPolicy", "Background");
        send("DELETE", self, "application/json", options);
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata").putNull("finalizers");
        ObjectNode left = send("PATCH", self, "application/merge-patch+json", patch);
        if (NestedFields.text(left, "kind").equals("Namespace")) {
            NestedFields.getOrCreateObject(left, "spec").remove("finalizers");
            send("PUT", self + "/finalize", "application/json", left);
        }
    }

    private void define(ObjectNode definition) throws IOException, InterruptedException {
        String collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        ObjectNode answer = send("POST", collection, "application/json", definition);
        if (failed(answer) && !NestedFields.text(answer, "reason").equals("AlreadyExists")) {
            throw new IllegalStateException("the definition is refused: " + answer);
        }
        String group = NestedFields.text(definition, "spec", "group");
        for (ObjectNode version : NestedFields.objects(definition, "spec", "versions")) {
            String path = "/apis/" + group + "/" + NestedFields.text(version, "name") + "/"
                    + NestedFields.text(definition, "spec", "names", "plural");
            for (int tries = 0; failed(send("GET", path, "application/json", definition)) && tries < 1000; tries++) {
                Thread.onSpinWait();
            }
        }
    }

    private String collection(ObjectNode object) throws IOException, InterruptedException {
        String apiVersion = NestedFields.text(object, "apiVersion");
        String base = (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion;
        for (ObjectNode resource : NestedFields.objects(send("GET", base, "application/json", object), "resources")) {
            String name = NestedFields.text(resource, "name");
            if (NestedFields.text(resource, "kind").equals(NestedFields.text(object, "kind")) && !name.contains("/")) {
                String namespace = NestedFields.text(object, "metadata", "namespace");
                return NestedFields.flag(resource, "namespaced")
                        ? base + "/namespaces/" + (namespace.isEmpty() ? "default" : namespace) + "/" + name
                        : base + "/" + name;
            }
        }
        throw new IllegalStateException("the server has no kind " + NestedFields.text(object, "kind") + " in " + base);
    }

    private ObjectNode table(String self) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server + self))
                .header("Accept", TABLE)
                .build();
        return read(client.send(request, HttpResponse.BodyHandlers.ofByteArray()));
    }

    private ObjectNode send(String method, String path, String type, JsonNode body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server + path))
                .header("Content-Type", type)
                .method(
                        method,
                        method.equals("GET")
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body.toString()))
                .build();
        return read(client.send(request, HttpResponse.BodyHandlers.ofByteArray()));
    }

    private static ObjectNode read(HttpResponse<byte[]> response) throws IOException {
        // A path that is not served yet answers in plain text.
        return response.headers().firstValue("Content-Type").orElse("").startsWith("application/json")
                ? (ObjectNode) JSON.readTree(response.body())
                : JSON.createObjectNode().put("kind", "Status").put("status", "Failure");
    }

    private static boolean failed(ObjectNode answer) {
        return NestedFields.text(answer, "kind").equals("Status")
                && NestedFields.text(answer, "status").equals("Failure");
    }
}
