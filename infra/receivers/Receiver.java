// Receives callbacks of the checkout. Run: java Receiver.java

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.security.MessageDigest;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
    static final byte[] SECRET =
        Base64.getDecoder().decode(System.getenv("CHECKOUT_CALLBACK_SECRET").replaceFirst("^whsec_", ""));
    static final String PASSWORD = Objects.requireNonNull(System.getenv("CHECKOUT_PASSWORD"));

    // Stands for a table with webhook-id as its unique key, written in one transaction with the order.
    static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

    static boolean isSigned(Headers headers, byte[] body) throws Exception {
        String id = headers.getFirst("webhook-id"), timestamp = headers.getFirst("webhook-timestamp");
        String signatures = headers.getFirst("webhook-signature");
        if (id == null || signatures == null || timestamp == null || !timestamp.matches("[0-9]{1,15}")
            || Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) > 5 * 60) {
            return false;
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
        String want = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        return Arrays.stream(signatures.split(" ")).anyMatch(one -> isSame(want, one));
    }

    static boolean isSame(String want, String given) {
        return MessageDigest.isEqual(want.getBytes(UTF_8), given.getBytes(UTF_8)); // in constant time
    }

    static String hex(String kind, String text) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance(kind).digest(text.getBytes(UTF_8)));
    }

    static boolean hasHash(Map<String, String> fields) throws Exception {
        StringBuilder text = new StringBuilder();
        for (String name : List.of("id", "order_number", "order_amount", "order_currency", "order_description")) {
            text.append(fields.getOrDefault(name, ""));
        }
        text.append(PASSWORD);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            text.setCharAt(i, 'a' <= c && c <= 'z' ? (char) (c - 'a' + 'A') : c);
        }
        return isSame(hex("SHA-1", hex("MD5", text.toString())), fields.getOrDefault("hash", ""));
    }

    static Map<String, String> readForm(String body) {
        Map<String, String> fields = new HashMap<>();
        for (String pair : body.split("&")) {
            String[] parts = pair.split("=", 2);
            fields.put(URLDecoder.decode(parts[0], UTF_8), URLDecoder.decode(parts[1], UTF_8));
        }
        return fields;
    }

    // Java has no JSON of its own; a library such as Jackson does this better. Reads the texts at the top alone.
    static Map<String, String> readJson(String body) {
        Map<String, String> fields = new HashMap<>();
        String name = null;
        int depth = 0;
        for (int i = 0; i < body.length(); i++) {
            char c = body.charAt(i);
            if (c == '{' || c == '[') depth++;
            if (c == '}' || c == ']') depth--;
            if (c == ',' && depth == 1) name = null;
            if (c != '"') continue;
            StringBuilder text = new StringBuilder();
            for (i++; body.charAt(i) != '"'; i++) {
                c = body.charAt(i);
                if (c == '\\') {
                    c = body.charAt(++i);
                    if (c == 'u') {
                        c = (char) Integer.parseInt(body.substring(i + 1, i + 5), 16);
                        i += 4;
                    } else if ("bfnrt".indexOf(c) >= 0) {
                        c = "\b\f\n\r\t".charAt("bfnrt".indexOf(c));
                    }
                }
                text.append(c);
            }
            if (depth == 1 && name != null) fields.put(name, text.toString());
            else if (depth == 1) name = text.toString();
        }
        return fields;
    }

    static int receive(Headers headers, byte[] body) throws Exception {
        if (!isSigned(headers, body)) return 400;
        String type = Objects.requireNonNullElse(headers.getFirst("Content-Type"), ""), text = new String(body, UTF_8);
        Map<String, String> fields = type.startsWith("application/json") ? readJson(text) : readForm(text);
        if (!hasHash(fields)) return 400;
        if (!SEEN.add(headers.getFirst("webhook-id"))) return 200; // a repeat, which is done already
        // Decimal text: compute with BigDecimal, never with double.
        String amount = fields.getOrDefault("transaction_amount", fields.getOrDefault("order_amount", ""));
        // Update the order here; mail, stock and all that takes time come after the response.
        System.out.println(String.join(" ", fields.get("type"), fields.get("status"), fields.get("order_status"),
            fields.get("order_number"), amount));
        return 200;
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "0"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/", exchange -> {
            int status = 500; // the callback comes again
            try {
                status = receive(exchange.getRequestHeaders(), exchange.getRequestBody().readAllBytes());
            } catch (Exception e) {
                e.printStackTrace();
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort());
    }
}
