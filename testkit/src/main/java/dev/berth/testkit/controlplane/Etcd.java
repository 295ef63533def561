package dev.berth.testkit.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An etcd on a unix socket, which no other program can use. It loses its data in a power failure. */
final class Etcd implements AutoCloseable {

    private final Path socket;
    private final ManagedProcess process;

    Etcd(ControlPlaneBinaries controlPlaneBinaries, ProcessReaper processReaper) {
        Path home = processReaper.folder();
        socket = home.resolve("etcd.sock");
        List<String> command = new ArrayList<>(controlPlaneBinaries.command("etcd"));
        command.addAll(List.of(
                "--name=test",
                "--data-dir=" + home.resolve("etcd"),
                "--listen-client-urls=" + url(),
                // etcd accepts no socket in this flag. The address is not used, so any address is fine.
                "--advertise-client-urls=http://127.0.0.111:0",
                "--listen-peer-urls=http://127.0.0.1:0",
                "--unsafe-no-fsync",
                "--quota-backend-bytes=" + (8L << 30),
                "--log-level=warn"));
        process = ManagedProcess.start("etcd", command, processReaper);
    }

    String url() {
        return "unix://" + socket;
    }

    ManagedProcess process() {
        return process;
    }

    /** Compacts all versions up to this one, as the API server does every five minutes. */
    void compact(long revision) {
        String body = "{\"revision\":\"%d\",\"physical\":true}".formatted(revision);
        String answer = post("/v3/kv/compaction", body);
        if (!answer.startsWith("HTTP/1.1 200")) {
            throw new IllegalStateException("etcd did not compact to (%d): %s".formatted(revision, answer));
        }
    }

    private String post(String path, String body) {
        String request = "POST %s HTTP/1.1\r\nHost: etcd\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(path, body.length(), body);
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            ByteBuffer out = StandardCharsets.US_ASCII.encode(request);
            while (out.hasRemaining()) {
                channel.write(out);
            }
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("etcd at (%s) does not answer".formatted(socket), e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
