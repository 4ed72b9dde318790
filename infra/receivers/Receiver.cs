// Receives callbacks of the checkout. Run with .NET 10: dotnet run Receiver.cs
// Run with Mono: mcs -r:System.Runtime.Serialization -r:System.Xml.Linq Receiver.cs && mono Receiver.exe

using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Specialized;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;
using System.Xml;
using System.Xml.Linq;

static class Receiver
{
    static readonly byte[] secret =
        Convert.FromBase64String(Environment.GetEnvironmentVariable("CHECKOUT_CALLBACK_SECRET").Replace("whsec_", ""));
    static readonly string password = Environment.GetEnvironmentVariable("CHECKOUT_PASSWORD");

    // Stands for a table with webhook-id as its unique key, written in one transaction with the order.
    static readonly ConcurrentDictionary<string, bool> seen = new ConcurrentDictionary<string, bool>();

    static bool IsSigned(NameValueCollection headers, byte[] body)
    {
        string id = headers["webhook-id"], timestamp = headers["webhook-timestamp"];
        long now = DateTimeOffset.UtcNow.ToUnixTimeSeconds(), seconds;
        if (!long.TryParse(timestamp, out seconds) || seconds < now - 5 * 60 || seconds > now + 5 * 60) return false;
        using (var mac = new HMACSHA256(secret))
        {
            byte[] signed = Encoding.UTF8.GetBytes(id + "." + timestamp + ".").Concat(body).ToArray();
            string want = "v1," + Convert.ToBase64String(mac.ComputeHash(signed));
            return (headers["webhook-signature"] ?? "").Split(' ').Any(one => IsSame(want, one));
        }
    }

    // Compares in constant time.
    static bool IsSame(string want, string given)
    {
        return CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(want), Encoding.UTF8.GetBytes(given));
    }

    static string Hex(HashAlgorithm kind, string text)
    {
        byte[] sum = kind.ComputeHash(Encoding.UTF8.GetBytes(text));
        return BitConverter.ToString(sum).Replace("-", "").ToLowerInvariant();
    }

    static bool HasHash(Dictionary<string, string> fields)
    {
        string[] names = { "id", "order_number", "order_amount", "order_currency", "order_description" };
        string text = string.Concat(names.Select(name => Field(fields, name))) + password;
        string upper = string.Concat(text.Select(c => 'a' <= c && c <= 'z' ? (char)(c - 'a' + 'A') : c));
        using (var md5 = MD5.Create())
        using (var sha1 = SHA1.Create())
            return IsSame(Hex(sha1, Hex(md5, upper)), Field(fields, "hash"));
    }

    static string Field(Dictionary<string, string> fields, string name)
    {
        string value;
        return fields.TryGetValue(name, out value) ? value : "";
    }

    static Dictionary<string, string> ReadFields(string type, byte[] body)
    {
        if (type != null && type.StartsWith("application/json"))
            using (var reader = JsonReaderWriterFactory.CreateJsonReader(body, XmlDictionaryReaderQuotas.Max))
                return XElement.Load(reader).Elements().Where(e => (string)e.Attribute("type") == "string")
                    .ToDictionary(e => e.Name.LocalName, e => e.Value);
        return Encoding.UTF8.GetString(body).Split('&').Select(pair => pair.Replace('+', ' ').Split('='))
            .ToDictionary(pair => Uri.UnescapeDataString(pair[0]), pair => Uri.UnescapeDataString(pair[1]));
    }

    static int Receive(HttpListenerRequest request)
    {
        var stream = new MemoryStream();
        request.InputStream.CopyTo(stream);
        byte[] body = stream.ToArray();
        if (!IsSigned(request.Headers, body)) return 400;
        var fields = ReadFields(request.ContentType, body);
        if (!HasHash(fields)) return 400;
        if (!seen.TryAdd(request.Headers["webhook-id"], true)) return 200; // a repeat, which is done already
        // Decimal text: compute with decimal, never with double.
        string amount = Field(fields, fields.ContainsKey("transaction_amount") ? "transaction_amount" : "order_amount");
        // Update the order here; mail, stock and all that takes time come after the response.
        string line = string.Join(" ", fields["type"], fields["status"], fields["order_status"],
            fields["order_number"], amount);
        lock (seen) Console.WriteLine(line); // the console of Mono hangs when two threads write at once
        return 200;
    }

    static void Answer(HttpListenerContext context)
    {
        int status = 500; // the callback comes again
        try { status = Receive(context.Request); }
        catch (Exception e) { Console.Error.WriteLine(e); }
        context.Response.StatusCode = status;
        context.Response.Close();
    }

    // HttpListener wants a port, so a free one is looked for if there is none.
    static int FreePort()
    {
        var probe = new TcpListener(IPAddress.Loopback, 0);
        probe.Start();
        int port = ((IPEndPoint)probe.LocalEndpoint).Port;
        probe.Stop();
        return port;
    }

    static void Main()
    {
        int port;
        if (!int.TryParse(Environment.GetEnvironmentVariable("PORT"), out port) || port == 0) port = FreePort();
        var listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:" + port + "/");
        listener.Start();
        Console.WriteLine("http://127.0.0.1:" + port);
        while (true)
        {
            var context = listener.GetContext();
            Task.Run(() => Answer(context));
        }
    }
}
