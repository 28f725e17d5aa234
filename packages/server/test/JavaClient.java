import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Sends a file in a PUT with Java's HttpClient, as the Jenkins plugin does. Arguments: framing, file, URL, then names and
 * values of headers. Prints the status, the ETag and the body of the response.
 */
public final class JavaClient {
  public static void main(String[] args) throws Exception {
    byte[] bytes = Files.readAllBytes(Path.of(args[1]));
    // A publisher that does not know its length sends chunks.
    HttpRequest.BodyPublisher body =
        args[0].equals("Content-Length")
            ? HttpRequest.BodyPublishers.ofByteArray(bytes)
            : HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes));
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(args[2])).PUT(body);
    if (args[0].startsWith("Content-Length and")) request.header("Content-Length", String.valueOf(bytes.length));
    for (int index = 3; index + 1 < args.length; index += 2) request.header(args[index], args[index + 1]);
    HttpResponse<String> response =
        HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    System.out.println(response.statusCode());
    System.out.println(response.headers().firstValue("ETag").orElse(""));
    System.out.println(response.body());
  }
}
