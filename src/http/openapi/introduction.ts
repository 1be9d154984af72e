/** What holds for every operation, as the first page of the reference tells it (CommonMark). */
export const INTRODUCTION = `Donations are recorded here and proven by a public chain: nothing is credited that the chain does not show as final.

- **Two families.** \`/api\` is complete; \`/v1\` is its camelCase facade. Both stay supported.
- **First steps.** \`POST /api/auth/register\`, send the mailed code to \`POST /api/auth/request-verification\`, and sign in with \`POST /api/auth/login\`. Or sign in with a wallet: \`POST /api/auth/wallets/sign-in/challenge\` gives the message to sign.
- **Who asks.** \`Authorization: Bearer <access token>\` from a sign-in, or \`X-API-Key\`. Donors need neither: \`POST /v1/donations\`. Pages of another origin ask from the browser only where this service lists that origin (\`CORS_ORIGINS\`).
- **Money** is exact: a JSON number or a decimal text goes in, a number with every digit comes out. Read it as a decimal. JavaScript cannot: send \`Prefer: amounts=text\`, and every amount of the answer is a text.
- **Bodies** are JSON of at most 256 KiB, or 16 KiB without a token or key. A number in them has at most 100 characters. A cover image has at most 500 kB. Without any field, send \`{}\`. An unknown field or query parameter is refused.
- **Lists** are newest first unless you choose otherwise, by \`page\` and \`limit\` (default 20, at most 100) or, for deep reads, by \`cursor\`. They shorten or leave out long texts; single reads have all.
- **Growing lists.** Where an answer has one of a list of values or any text, later versions may add values: take those that you do not know.
- **Repeating a POST** is safe with an \`Idempotency-Key\`: the first answer comes again for 24 hours.
- **Refusals** are all \`{success: false, error, code, requestId, details?, requires?}\`: \`error\` is for people, \`code\` for programs; \`requires\` names what this deployment asks for first.
- **Limits** stand in \`RateLimit\` of every answer; 429 says with \`Retry-After\` when to come back.
- **Names for requests.** Send \`X-Request-Id\`, or find the one that we gave in the answer and in \`requestId\`.
- **Times** are ISO 8601 in UTC with milliseconds, ids are UUIDs.
`
