import checkout.ApiClient;
import checkout.api.MerchantApi;
import checkout.model.*;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * Creates a session, which a test pays at once with the card of the header, reads its payment and refunds a part, all
 * with the client that OpenAPI Generator makes: Main URL NUMBER PASSWORD. It prints the session's redirect_url, of the
 * payment its status, order and first transaction, and what became of the refund.
 */
public class Main {
    public static void main(String[] args) throws Exception {
        String number = args[1], password = args[2];
        MerchantApi api = new MerchantApi(new ApiClient().setBasePath(args[0]).addDefaultHeader("Test-Card", "01/38"));

        SessionRequest request = new SessionRequest()
            .merchantKey("demo-test")
            .operation(SessionRequest.OperationEnum.PURCHASE)
            .successUrl("https://shop.example/paid")
            .order(new Order().number(number).amount("10.00").currency("USD").description("A gift"))
            .hash(sign(number + "10.00" + "USD" + "A gift" + password));
        System.out.println(api.createSession(request, null).getRedirectUrl());

        StatusRequest query = new StatusRequest().merchantKey("demo-test").orderId(number).hash(sign(number + password));
        Payment payment = api.paymentStatus(query);
        Transaction first = payment.getTransactions().get(0);
        System.out.println(String.join(" ", payment.getStatus(), payment.getOrder().getNumber(), first.getType(),
            first.getStatus(), first.getAmount()));

        AmountRequest part = new AmountRequest().merchantKey("demo-test").paymentId(payment.getPaymentId()).amount("4.00")
            .hash(sign(payment.getPaymentId() + "4.00" + password));
        System.out.println(api.refundPayment(part, "refund-" + number).getResult());
    }

    static String sign(String text) throws Exception {
        return hex("SHA-1", hex("MD5", text.toUpperCase()));
    }

    static String hex(String algorithm, String text) throws Exception {
        byte[] digest = MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest);
    }
}
