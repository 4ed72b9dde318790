package demo

import (
	"maps"
	"strings"
)

// snippet is a program that creates a session. It reads the key and the password from the environment.
type snippet struct {
	ID, Name, Text string
}

// program is a snippet's text, with ADDRESS and REQUEST to be replaced.
type program struct {
	id, name string
	literals literals
	margin   string // of the request
	sign     string // the call that makes the hash, with PARTS to be replaced
	parts    string // between these
	sha256   []string
	text     string
}

// programs are those of the playground, in its order.
var programs = []program{
	{
		"curl", "curl", shellLiterals, "", `$(sign PARTS)`, " ", []string{"openssl md5", "openssl sha256"},
		`: "${CHECKOUT_KEY:?is not set}" "${CHECKOUT_PASSWORD:?is not set}"

sign() {
  printf %s "$@" "$CHECKOUT_PASSWORD" | tr a-z A-Z | openssl md5 -r | cut -d' ' -f1 | tr -d '\n' |
    openssl sha1 -r | cut -d' ' -f1
}

number=order-$(date +%s)-$RANDOM
curl -sS ADDRESS -H 'Content-Type: application/json' -d REQUEST
`,
	},
	{
		"php", "PHP", phpLiterals, "", `sign(PARTS)`, ", ", []string{"md5(", "hash('sha256', "},
		`<?php

function variable(string $name): string
{
    return getenv($name) ?: throw new Exception("$name is not set");
}

function sign(string ...$parts): string
{
    return sha1(md5(strtoupper(implode('', $parts) . variable('CHECKOUT_PASSWORD'))));
}

$number = 'order-' . hrtime(true);
$request = REQUEST;
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => 'Content-Type: application/json',
    'content' => json_encode($request),
    'ignore_errors' => true,
]]);
echo file_get_contents(ADDRESS, false, $context), "\n";
`,
	},
	{
		"python", "Python", pythonLiterals, "", `sign(PARTS)`, ", ", []string{"hashlib.md5", "hashlib.sha256"},
		`import hashlib
import json
import os
import sys
import time
import urllib.error
import urllib.request


def variable(name):
    return os.environ.get(name) or sys.exit(name + " is not set")


def sign(*parts):
    text = "".join(parts) + variable("CHECKOUT_PASSWORD")
    inner = hashlib.md5(text.upper().encode()).hexdigest()
    return hashlib.sha1(inner.encode()).hexdigest()


number = f"order-{time.time_ns()}"
request = REQUEST
call = urllib.request.Request(
    ADDRESS,
    json.dumps(request).encode(),
    {"Content-Type": "application/json"},
)
try:
    print(urllib.request.urlopen(call).read().decode())
except urllib.error.HTTPError as refused:
    print(refused.read().decode())
`,
	},
	{
		"javascript", "JavaScript", javaScriptLiterals, "", `sign(PARTS)`, ", ", []string{`"md5"`, `"sha256"`},
		`import { createHash } from "node:crypto";

const variable = (name) => {
  if (!process.env[name]) throw name + " is not set";
  return process.env[name];
};
const hex = (kind, text) => createHash(kind).update(text).digest("hex");
const sign = (...parts) =>
  hex("sha1", hex("md5", (parts.join("") + variable("CHECKOUT_PASSWORD")).toUpperCase()));

const number = "order-" + Date.now();
const request = REQUEST;
const response = await fetch(ADDRESS, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(request),
});
console.log(await response.text());
`,
	},
	{
		"go", "Go", goLiterals, "\t", `sign(PARTS)`, ", ",
		[]string{"\t\"crypto/md5\"\n\t\"crypto/sha1\"", "\t\"crypto/sha1\"\n\t\"crypto/sha256\"", "md5.Sum", "sha256.Sum256"},
		`package main

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

var number = fmt.Sprint("order-", time.Now().UnixNano())

func variable(name string) string {
	value := os.Getenv(name)
	if value == "" {
		log.Fatal(name, " is not set")
	}
	return value
}

func sign(parts ...string) string {
	text := strings.ToUpper(strings.Join(parts, "") + variable("CHECKOUT_PASSWORD"))
	inner := md5.Sum([]byte(text))
	outer := sha1.Sum([]byte(hex.EncodeToString(inner[:])))
	return hex.EncodeToString(outer[:])
}

func main() {
	body, err := json.Marshal(REQUEST)
	if err != nil {
		panic(err)
	}
	response, err := http.Post(ADDRESS, "application/json", bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	io.Copy(os.Stdout, response.Body)
}
`,
	},
}

// snippets returns the programs that send a session request, which has placeholders.
func (c Config) snippets(request tree) []snippet {
	var all []snippet
	for _, p := range programs {
		text := p.text
		if c.SHA256 {
			text = strings.NewReplacer(p.sha256...).Replace(text)
		}
		all = append(all, snippet{p.id, p.name, strings.NewReplacer(
			"ADDRESS", p.literals.quote(c.BaseURL+"/api/v1/session"), "REQUEST", p.request(request)).Replace(text)})
	}
	return all
}

// request returns the expression of a session request.
func (p program) request(request tree) string {
	l := p.literals
	fields, _ := request.member("order")
	var parts []string
	for _, name := range []string{"number", "amount", "currency", "description"} {
		if value, sent := fields.member(name); sent {
			parts = append(parts, l.text(value.text()))
		}
	}
	l.slots = maps.Clone(l.slots)
	l.slots[hashSlot] = strings.Replace(p.sign, "PARTS", strings.Join(parts, p.parts), 1)
	if l.object[0] != "" {
		return l.write(request, p.margin)
	}
	l.slots[hashSlot] = `"` + l.slots[hashSlot] + `"`
	text, _ := request.MarshalJSON() // texts can always be encoded
	return l.text(indent(text))
}
