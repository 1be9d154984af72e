import { STATUS_OF } from '../../edge/errors.ts'
import type { ErrorCode } from '../../kernel/errors.ts'
import { MEANINGS } from '../openapi/meanings.ts'
import { REMEDIES } from '../openapi/remedies.ts'

/** The page of error codes, ordered by status, with a remedy for each code. */
export const errorsPage = (): string => {
  const codes = (Object.keys(STATUS_OF) as ErrorCode[]).sort(
    (one, other) => STATUS_OF[one] - STATUS_OF[other],
  )
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Fundproof error codes</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="reference.css" />
  </head>
  <body class="page">
    <main>
      <h1>Error codes</h1>
      <p>Every answer of 400 and above is <code>{success: false, error, code, requestId, details?}</code>.
      Decide by <code>code</code>, show <code>error</code> to people. More codes may come: treat one that
      you do not know as its status.</p>
      <table>
        <thead><tr><th>Code</th><th>Status</th><th>Meaning</th><th>What to do</th></tr></thead>
        <tbody>
${codes.map(rowOf).join('\n')}
        </tbody>
      </table>
      <p><a href="../docs">Reference</a></p>
    </main>
  </body>
</html>
`
}

const rowOf = (code: ErrorCode): string =>
  `<tr id="${code}"><td><code>${code}</code></td><td>${STATUS_OF[code]}</td><td>${inline(MEANINGS[code])}</td><td>${inline(REMEDIES[code])}</td></tr>`

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const inline = (text: string): string =>
  text
    .replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? '')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
