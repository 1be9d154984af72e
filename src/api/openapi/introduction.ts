/** The rules for every operation, as the first page of the reference shows them (CommonMark). */
export const INTRODUCTION = `People record donations here, and a public chain proves them: nothing is credited before the chain shows it as final.

- **Two families.** \`/api\` is the full interface; \`/v1\` has the main operations in camelCase, and intents and donations of guests. Both stay supported.
- **First steps.** \`POST /api/auth/register\`, send the mailed code to \`POST /api/auth/request-verification\`, and sign in with \`POST /api/auth/login\`. Or sign in with a wallet: \`POST /api/auth/wallets/sign-in/challenge\` gives the message to sign.
- **Callers** send \`Authorization: Bearer <access token>\` from a sign-in, or \`X-API-Key\`. Donors need neither: \`POST /v1/donations\`. A page of another origin can send requests from the browser only if this service lists that origin (\`CORS_ORIGINS\`).
- **Money** is exact: a request has a JSON number or a decimal text, an answer a number with every digit. Read it as a decimal. JavaScript cannot: send \`Prefer: amounts=text\`, and every amount of the answer is a text.
- **Bodies** are JSON of at most 256 KiB, or 16 KiB without a token or key. A number has at most 100 characters. A cover image has at most 500 kB. A body without fields is \`{}\`. An unknown field or query parameter is refused.
- **Lists** are newest first by default. Read them by \`page\` and \`limit\` (default 20, at most 100) or, for deep reads, by \`cursor\`. They shorten or leave out long texts; single reads have them in full.
- **Growing lists of values.** If an answer has a value of a list or any text, later versions may add values: accept unknown values.
- **Repeating a POST** is safe with an \`Idempotency-Key\`: for 24 hours you get the first answer again.
- **Refusals** are all \`{success: false, error, code, requestId, details?, requires?}\`. \`error\` is for people, \`code\` for programs; \`requires\` names a step that this deployment needs first.
- **Limits** are in \`RateLimit\` of every answer; 429 has \`Retry-After\`.
- **Request ids.** Send \`X-Request-Id\`, or take the id that the service makes: it is in the answer's header and in \`requestId\`.
- **Times** are ISO 8601 in UTC with milliseconds, ids are UUIDs.
`
