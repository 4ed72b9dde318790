package main

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"checkout/internal/app"
)

func walletCommands(c *call) *cobra.Command {
	return group("wallets", "set Apple Pay and Google Pay up",
		c.requestCommand(), c.putWalletsCommand(), c.listWalletsCommand(), c.checkDomainCommand())
}

// keyMakers make the private keys of each purpose, as the wallets' vendors ask for them.
var keyMakers = map[string]func() (crypto.Signer, error){
	"identity":   func() (crypto.Signer, error) { return rsa.GenerateKey(rand.Reader, 2048) },
	"processing": func() (crypto.Signer, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) },
	"googlepay":  func() (crypto.Signer, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) },
}

func (c *call) requestCommand() *cobra.Command {
	return c.command(leaf{
		use:     "request identity|processing|googlepay NAME",
		does:    "make a private key, NAME.key, and for Apple Pay the certificate request to hand in, NAME.csr",
		example: "wallets request identity pens-identity", args: cobra.ExactArgs(2),
		run: func(_ context.Context, args []string) error { return c.requestCertificate(args[0], args[1]) },
	})
}

// requestCertificate writes a new private key, which only its owner can read, and the request beside it. It replaces no
// file: a key that was handed in already would be lost.
func (c *call) requestCertificate(purpose, name string) error {
	makeKey, known := keyMakers[purpose]
	if !known {
		return misusef("no purpose %q: identity, processing or googlepay", purpose)
	}
	key, err := makeKey()
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	if err := writeNew(name+".key", &pem.Block{Type: "PRIVATE KEY", Bytes: der}); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s.key is the private key: whoever has it acts as the merchant; store it with wallets put\n", name)
	if purpose == "googlepay" {
		return nil
	}
	request := &x509.CertificateRequest{Subject: pkix.Name{CommonName: name}}
	if der, err = x509.CreateCertificateRequest(rand.Reader, request, key); err != nil {
		return err
	}
	if err := writeNew(name+".csr", &pem.Block{Type: "CERTIFICATE REQUEST", Bytes: der}); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s.csr is the request to hand in at the wallet's vendor\n", name)
	return nil
}

func writeNew(name string, block *pem.Block) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(pem.Encode(file, block), file.Close())
}

// keyFiles are the files with certificates and keys of wallets, by their flags, and as what the API takes each.
var keyFiles = map[string]string{
	"identity": "identity_certificate", "identity-key": "identity_key", "processing": "processing_certificate",
	"processing-key": "processing_key", "google-key": "googlepay_key",
}

func (c *call) putWalletsCommand() *cobra.Command {
	var ch *change
	files := map[string]*string{}
	var mapping, mid string
	cmd := c.command(leaf{
		use:     "put MERCHANT_ID",
		does:    "store certificates and keys of a merchant's wallets, or of a MID's; the processing key before stays good",
		example: `wallets put --google-key pens-google.key --reason "the first key" pens`, args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error {
			body, err := readKeys(files)
			if err != nil {
				return err
			}
			if mapping+mid != "" {
				body["mapping"], body["mid"] = mapping, mid
			}
			err = c.ask(ctx, ch, merchantPath(args[0], "/wallet-keys"), settingOf{
				asked: "Store keys of wallets of " + printable(args[0]), body: body,
			})
			if err == nil {
				fmt.Fprintln(c.out, "stored; functions use it within a minute")
			}
			return err
		},
	})
	ch = c.changes(cmd)
	c.directFlags(cmd)
	cmd.Flags().StringVar(&mapping, "mapping", "", "mapping of the MID")
	cmd.Flags().StringVar(&mid, "mid", "", "MID whose own settings these are; without it they are the merchant's")
	for name := range keyFiles {
		files[name] = cmd.Flags().String(name, "", "`FILE` with the "+name)
	}
	return cmd
}

// readKeys reads the files that are named. Vendors give certificates in DER form, too, which JSON can't have.
func readKeys(files map[string]*string) (body map[string]any, err error) {
	body = map[string]any{}
	for name, file := range files {
		if *file == "" {
			continue
		}
		text, err := os.ReadFile(*file)
		if err != nil {
			return nil, err
		}
		if block, _ := pem.Decode(text); block == nil && strings.HasSuffix(keyFiles[name], "_certificate") {
			text = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: text})
		}
		body[keyFiles[name]] = string(text)
	}
	if len(body) == 0 {
		return nil, misusef("name a file to store")
	}
	return body, nil
}

func (c *call) listWalletsCommand() *cobra.Command {
	cmd := c.command(leaf{
		use: "list MERCHANT_ID", does: "list a merchant's wallets: domains, and when certificates end",
		example: "wallets list pens", args: cobra.ExactArgs(1),
		run: func(ctx context.Context, args []string) error { return c.listWallets(ctx, args[0]) },
	})
	c.address(cmd)
	c.directFlags(cmd)
	return cmd
}

// walletsOf reads the settings of a merchant.
func (c *call) walletsOf(ctx context.Context, id string) (app.Merchant, error) {
	var found struct {
		Settings app.Merchant `json:"settings"`
	}
	whole, err := c.readMerchant(ctx, id)
	if err == nil {
		err = decode(whole, &found)
	}
	return found.Settings, err
}

func (c *call) listWallets(ctx context.Context, id string) error {
	found, err := c.walletsOf(ctx, id)
	if err != nil {
		return err
	}
	rows := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, domain := range found.WalletDomains() {
		fmt.Fprintf(rows, "domain\t%s\n", domain)
	}
	for _, certificate := range found.WalletCertificates() {
		left := time.Until(certificate.NotAfter)
		state := fmt.Sprintf("in %d days", int(left.Hours()/24))
		if left <= 0 {
			state = "over"
		}
		ends := certificate.NotAfter.Format(time.DateOnly)
		fmt.Fprintf(rows, "certificate\t%s\tends %s\t%s\n", certificate.Path, ends, state)
	}
	return rows.Flush()
}

// associationPath is where Apple Pay looks for the file that proves a domain is the merchant's.
const associationPath = "/.well-known/apple-developer-merchantid-domain-association"

func (c *call) checkDomainCommand() *cobra.Command {
	cmd := c.command(leaf{
		use: "check MERCHANT_ID DOMAIN", does: "check that Apple Pay can be shown on a domain",
		example: "wallets check pens pay.pens.example", args: cobra.ExactArgs(2),
		run: func(ctx context.Context, args []string) error { return c.checkDomain(ctx, args[0], args[1]) },
	})
	c.address(cmd)
	c.directFlags(cmd)
	return cmd
}

// checkDomain finds why Apple Pay would not be shown on a domain: it is not among the merchant's, or does not serve the
// file.
func (c *call) checkDomain(ctx context.Context, id, domain string) error {
	found, err := c.walletsOf(ctx, id)
	if err != nil {
		return err
	}
	var problems []error
	if !slices.Contains(found.WalletDomains(), domain) {
		problems = append(problems, errors.New("the domain is not in wallets.applepay.domains of the merchant or a MID"))
	}
	if err := fetchAssociation(ctx, "https://"+domain+associationPath, http.DefaultTransport); err != nil {
		problems = append(problems, err)
	}
	if len(problems) == 0 {
		fmt.Fprintln(c.out, "good; whether the vendor has verified the domain is seen in its own console only")
	}
	return errors.Join(problems...)
}

// fetchAssociation checks that an address serves the association file as Apple Pay asks for it: status 200 without a
// redirect.
func fetchAssociation(ctx context.Context, address string, transport http.RoundTripper) error {
	client := http.Client{
		Transport: transport, Timeout: 10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("fetch the association file: %w", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	switch {
	case err != nil:
		return fmt.Errorf("fetch the association file: %w", err)
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("%s has status %d; it has to be 200, without a redirect", address, response.StatusCode)
	case len(text) == 0 || text[0] == '<':
		return fmt.Errorf("%s is no association file", address)
	}
	return nil
}
