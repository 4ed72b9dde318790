package cost

// ratesDate is the date of the rates below: AWS's list prices for us-east-1, on demand, without free tiers and
// discounts.
const ratesDate = "2026-11-20"

// Rates in micro-dollars per million, except those for bytes and Lambda's time.
const (
	writeUnitRate = 625_000   // DynamoDB write request units, $0.625
	readUnitRate  = 125_000   // DynamoDB read request units, $0.125
	queueRate     = 400_000   // SQS requests to standard queues, $0.40
	apiRate       = 1_000_000 // HTTP API requests of up to 512 KB, $1.00
	callRate      = 200_000   // Lambda requests, $0.20
	frontRate     = 1_000_000 // CloudFront HTTPS requests in the United States, $0.0100 per 10,000; in Europe $0.0120
	keyRate       = 3_000_000 // KMS requests for symmetric keys, $0.03 per 10,000

	frontFunctionRate = 100_000 // CloudFront Functions, $0.10

	frontByteRate  = 85_000  // micro-dollars per GB from CloudFront to viewers in the United States and Europe, $0.085
	originByteRate = 20_000  // and to an origin, $0.020
	logByteRate    = 500_000 // ingested by CloudWatch Logs, class Standard, $0.50

	computeRate = 13_333_400 // Lambda on arm64, pico-dollars per GB-second, $0.0000133334
)

// emptyReceives is how many requests Lambda's pollers make to an empty queue in a month: five pollers, every 20
// seconds, for 30 days.
const emptyReceives = 5 * 3 * 60 * 24 * 30
