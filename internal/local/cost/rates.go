package cost

// RatesOf is when the rates below were noted: AWS's list prices for us-east-1, on demand, without free tiers and discounts.
// They are in this file alone.
const RatesOf = "2026-11-20"

// Rates in micro-dollars per million, but for Lambda's time.
const (
	writeUnitRate = 625_000   // DynamoDB write request units, $0.625
	readUnitRate  = 125_000   // DynamoDB read request units, $0.125
	queueRate     = 400_000   // SQS requests to standard queues, $0.40
	apiRate       = 1_000_000 // HTTP API requests of up to 512 KB, $1.00
	callRate      = 200_000   // Lambda requests, $0.20
	keyRate       = 3_000_000 // KMS requests for symmetric keys, $0.03 per 10,000

	computeRate = 13_333_400 // Lambda on arm64, pico-dollars per GB-second, $0.0000133334
)

// EmptyReceives is what Lambda's pollers ask an empty queue in a month: five of them, every 20 seconds, for 30 days.
const EmptyReceives = 5 * 3 * 60 * 24 * 30

// indexWrites is how many units a paid checkout writes to the index "due" within transactions: the payment enters it, and
// leaves it when the callback enters. The engine does not tell them apart, so they are known from the code alone and in no table.
const indexWrites = 3
