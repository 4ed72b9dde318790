package stack

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What has to be in us-east-1 is told what the stack of another Region is called by AWS.
func TestTheEdgeFollowsTheStack(t *testing.T) {
	for admin, passed := range map[string]string{"None": "", "E3": "E3"} {
		followsTheStack(t, admin, passed)
	}
}

// followsTheStack checks what is deployed to us-east-1 for a stack with an output AdminDistributionId.
func followsTheStack(t *testing.T, admin, passed string) {
	t.Helper()
	env, called := fakeCommands(t, `case "$*" in
*AdminDistributionId*) echo `+admin+`;; *WalletDistributionId*) echo E2;; *DistributionId*) echo E1;;
*LogBucketArn*) echo arn:aws:s3:::logs;; esac`)
	config := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(config, []byte(`{"AlarmEmail": "ops@example.com"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := deployTool(t, env, "edge", "checkout", "eu-central-1", config); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := "aws cloudformation deploy --region us-east-1 --stack-name checkout-eu-central-1-edge " +
		"--template-file infra/edge.yaml --no-fail-on-empty-changeset --parameter-overrides PageDistribution=E1 " +
		"WalletDistribution=E2 LogBucketArn=arn:aws:s3:::logs AdminDistribution=" + passed +
		" OriginClientCertificateArn= AlarmEmail=ops@example.com " +
		"--tags checkout:stack=checkout\n"
	if !strings.HasSuffix(called(), want) {
		t.Errorf("%s\nwant at its end %s", called(), want)
	}
}

// store is an aws that keeps what is uploaded and imported in $STORE.
const store = `case "$*" in
*TruststoreBucketName*) echo truststore;;
*"s3 cp s3://"*) cp "$STORE/trusted.pem" "$4" 2>/dev/null;;
*"s3 cp "*) cp "$3" "$STORE/trusted.pem";;
*head-object*) echo 3sL4kqtJlcpXroDTDmJ.rmSpXd3dIbrHY;;
*import-certificate*) for file in "$@"; do case $file in fileb://*) cp "${file#fileb://}" "$STORE";; esac; done
	echo arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef;;
esac`

// The API's own domain takes connections of CloudFront's certificate alone, also while one takes the place of another.
func TestOriginCertificate(t *testing.T) {
	folder := t.TempDir()
	env, called := fakeCommands(t, store)
	issue := func() tls.Certificate {
		t.Helper()
		command := exec.CommandContext(t.Context(), "infra/tools/origin-certificate", "checkout", "eu-central-1")
		command.Dir, command.Env = root, append(env, "STORE="+folder, "TMPDIR="+t.TempDir())
		out, err := command.Output()
		if err != nil || !strings.Contains(string(out), `"OriginTruststoreVersion": "3sL4kqtJlcpXroDTDmJ.rmSpXd3dIbrHY",`) ||
			!strings.Contains(string(out), `"OriginClientCertificateArn": "arn:aws:acm:us-east-1:`) {
			t.Fatalf("%v\n%s", err, out)
		}
		_, rest, _ := strings.Cut(called(), "--private-key fileb://")
		key, _, _ := strings.Cut(rest, " ")
		if _, err := os.Stat(key); !os.IsNotExist(err) {
			t.Errorf("the private key is still in %s", key)
		}
		cert, err := tls.LoadX509KeyPair(filepath.Join(folder, "client.pem"), filepath.Join(folder, "client.key"))
		if err != nil {
			t.Fatal(err)
		}
		return cert
	}
	first := issue()
	if !takes(t, folder, &first) || takes(t, folder, nil) {
		t.Error("the certificate is not taken, or none has to be shown")
	}
	second := issue()
	if !takes(t, folder, &second) || !takes(t, folder, &first) {
		t.Error("one of both is not taken while the second takes the place of the first")
	}
	third := issue()
	if !takes(t, folder, &third) || !takes(t, folder, &second) || takes(t, folder, &first) {
		t.Error("more or less than the newest two are taken")
	}
}

// takes reports whether API Gateway would take a connection of a client with this certificate.
func takes(t *testing.T, folder string, cert *tls.Certificate) bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "trusted.pem"))
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	if !trusted.AppendCertsFromPEM(text) {
		t.Fatal("nobody is trusted")
	}
	// The API's own certificate is another matter: any will do.
	own, err := tls.LoadX509KeyPair(filepath.Join(folder, "client.pem"), filepath.Join(folder, "client.key"))
	if err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{InsecureSkipVerify: true}
	if cert != nil {
		config.Certificates = []tls.Certificate{*cert}
	}
	server, client := net.Pipe()
	defer server.Close()
	defer client.Close()
	go func() { _ = tls.Client(client, config).HandshakeContext(t.Context()) }()
	return tls.Server(server, &tls.Config{
		Certificates: []tls.Certificate{own}, ClientCAs: trusted, ClientAuth: tls.RequireAndVerifyClientCert,
		MaxVersion: tls.VersionTLS12,
	}).HandshakeContext(t.Context()) == nil
}
